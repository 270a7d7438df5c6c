import { NotDoneError } from '@causeway/chassis'
import {
  answered,
  failed,
  type Reaction,
  type Request,
  type SystemState,
} from '@causeway/chassis/exploration'
import { RailError } from '@causeway/rails'
import type { CardRefund, RefundRequest } from '@causeway/rails/cards'
import { PAID_CENTS } from './refund-processes.ts'

/** A refund as its processor has it. */
type Made = Readonly<{ refundId: string; amountCents: number }>

/** The outside of the refunds service: its processor, payments, and the responses to callers. */
export type World = Readonly<{
  made: readonly Made[]
  /** Requests whose call has ended and that the processor has not handled yet. */
  underWay: readonly Made[]
  /**
   * True if the processor responded with 500 to a refund that it may make later. Such a refund counts as failed, and its
   * order's slot is free: from then on only the processor can enforce the ceiling (ADR 0026).
   */
  mayMakeFailed: boolean
  /** The processor's refunds that the order counts. */
  counted: readonly string[]
  /** `<key> <code or reply>` of each answer that states an outcome. */
  told: readonly string[]
  /** Refunds that the processor refused: it refuses a retry too. */
  refused: readonly string[]
  begun: readonly string[]
  ticks: number
}>
export type RefundState = SystemState<World>

export const EMPTY_WORLD: World = {
  made: [],
  underWay: [],
  mayMakeFailed: false,
  counted: [],
  told: [],
  refused: [],
  begun: [],
  ticks: 0,
}

const MADE_AT = new Date('2026-01-01T00:00:00Z')
export const sumOf = (refunds: readonly Made[]): number =>
  refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)

export const atProcessor = (refundId: string): string => `re_${refundId}`

const listed = ({ refundId, amountCents }: Made): CardRefund => ({
  processorRefundId: atProcessor(refundId),
  refundId,
  orderKey: '1001',
  amountCents,
  currency: 'EUR',
  status: 'succeeded',
  createdAt: MADE_AT,
})

/** Checks whether the processor refuses an amount: above the paid amount, if the platform cannot know better. */
export const isAboveCeiling = (world: World, { amountCents }: Made): boolean =>
  world.mayMakeFailed && sumOf(world.made) + amountCents > PAID_CENTS

export const withMade = (world: World, { refundId, amountCents }: Made): World => {
  if (world.made.some((each) => each.refundId === refundId)) return world
  const made = [...world.made, { refundId, amountCents }].sort((a, b) => (a.refundId < b.refundId ? -1 : 1))
  return { ...world, made }
}

const withCounted = (world: World, processorRefundId: string): World => ({
  ...world,
  counted: [...new Set([...world.counted, processorRefundId])].sort(),
})

const lost = (failure: 'timeout' | 'unavailable' | 'unreachable' | 'refused') =>
  failed(new RailError(failure, failure))

/**
 * How the processor takes a refund. It makes whatever it is asked for, above what was paid as well, so that nothing but
 * the platform's own rules protects the money; the one exception is {@link World.mayMakeFailed}.
 */
const refundReactions = (world: World, request: RefundRequest): Reaction<World>[] => {
  const wanted = { refundId: request.refundId, amountCents: request.amountCents }
  const made = withMade(world, wanted)
  const refusing = { ...world, refused: [...new Set([...world.refused, wanted.refundId])].sort() }
  const late = (wasAnswered: boolean): World => ({
    ...world,
    underWay: [...world.underWay, wanted],
    mayMakeFailed: world.mayMakeFailed || wasAnswered,
  })
  const fault = (name: string, next: World, failure: Parameters<typeof lost>[0]) => ({
    name: `the processor ${name}`,
    world: next,
    answer: lost(failure),
    isFault: true,
  })
  const isNew = made !== world
  if (world.refused.includes(wanted.refundId) || (isNew && isAboveCeiling(world, wanted)))
    return [{ ...fault('refuses', refusing, 'refused'), isFault: false }]
  return [
    { name: 'the processor makes the refund', world: made, answer: answered(listed(wanted)) },
    fault('makes the refund, its answer is lost', made, 'timeout'),
    fault('makes the refund and answers 500', made, 'unavailable'),
    fault('has not handled the refund when the call ends', late(false), 'timeout'),
    fault('answers 500, and may make the refund later', late(true), 'unavailable'),
    fault('answers 500 and makes nothing', world, 'unavailable'),
    fault('cannot be reached', world, 'unreachable'),
    ...(isNew ? [fault('refuses', refusing, 'refused')] : []),
  ]
}

const processorReactions = (request: Request, world: World): readonly Reaction<World>[] => {
  if (request.does === 'refund') return refundReactions(world, request.args as RefundRequest)
  const refundedCents = sumOf(world.made)
  const value =
    request.does === 'readPayment' ? { paidCents: PAID_CENTS, refundedCents } : world.made.map(listed)
  return [
    { name: `the processor answers ${request.does}`, world, answer: answered(value) },
    { name: `the processor does not answer ${request.does}`, world, answer: lost('timeout'), isFault: true },
  ]
}

const paymentsReactions = (request: Request, world: World): readonly Reaction<World>[] => {
  const { processorRefundId } = request.args as { processorRefundId: string }
  const isMade = world.made.some(({ refundId }) => atProcessor(refundId) === processorRefundId)
  // To reconcile, payments reads the processor: it counts what was made there.
  const counts = request.does === 'recordRefund' || isMade
  const counted = counts ? withCounted(world, processorRefundId) : world
  const reply =
    request.does === 'recordRefund'
      ? { partnerSees: true }
      : {
          is_counted: counts,
          partner_id: 'ptn_explored',
          partner_customer_id: 'pcu_explored',
          partner_sees: true,
          order_id: 'fio_explored',
          processor_order_id: 'payment_explored',
        }
  const isAway = failed(new NotDoneError('Payments cannot be reached'))
  return [
    { name: 'payments counts the refund', world: counted, answer: answered(reply) },
    {
      name: 'payments counts the refund, its answer is lost',
      world: counted,
      answer: isAway,
      isFault: true,
    },
    { name: 'payments cannot be reached', world, answer: isAway, isFault: true },
  ]
}

export const reactions = (request: Request, { world }: RefundState): readonly Reaction<World>[] =>
  (request.to === 'processor' ? processorReactions : paymentsReactions)(request, world)
