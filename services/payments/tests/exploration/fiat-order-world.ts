import {
  answered,
  failed,
  type Reaction,
  type Request,
  type SystemState,
} from '@causeway/chassis/exploration'
import { RailError } from '@causeway/rails'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'

export const PROCESSOR_ORDER = 'payment'

const refund = (processorRefundId: string, amountCents: number): CardRefund => ({
  processorRefundId,
  refundId: null,
  orderKey: null,
  amountCents,
  currency: 'EUR',
  status: 'succeeded',
  createdAt: new Date(0),
})
/** Together they are the whole payment. */
export const REFUNDS = { first: refund('first', 60), second: refund('second', 40) } as const
export type RefundName = keyof typeof REFUNDS

const DISPUTE: CardDispute = {
  disputeId: 'dispute',
  disputedAt: null,
  amountCents: 100,
  currency: 'EUR',
  feeCents: null,
  feeCurrency: null,
  reason: null,
}

/** The payment at the processor. */
export type Payment = Readonly<{
  status: 'new' | 'completed' | 'cancelled'
  refunds: readonly RefundName[]
  isDisputed: boolean
}>

export type FiatWorld = Readonly<{
  payment: Payment | null
  /** True if the processor refused the order, which it then does each time. */
  isRefused: boolean
  /** Notices that are not acknowledged yet: the processor sends them until they are. */
  notices: readonly string[]
  /** The notice that is being received. */
  delivering: string | null
  begun: readonly string[]
  /** Ids of the orders that calls were answered with. */
  told: readonly string[]
  ticks: number
}>
export type FiatState = SystemState<FiatWorld>

export const paymentOf = ({ status, refunds, isDisputed }: Payment): CardPayment => ({
  processorOrderId: PROCESSOR_ORDER,
  orderKey: '1001',
  status,
  processorStatus: status,
  currency: 'EUR',
  totalCents: 100,
  paidCents: status === 'completed' ? 100 : 0,
  refundedCents: refunds.reduce((sum, name) => sum + REFUNDS[name].amountCents, 0),
  refunds: refunds.map((name) => REFUNDS[name]),
  disputes: isDisputed ? [DISPUTE] : [],
  payer: { ip: null, email: null },
})

/** Steps of the processor: payers pay or give up, somebody refunds there, a bank disputes. */
export type ProcessorStep = 'completed' | 'cancelled' | RefundName | 'dispute'

const isPossible = (step: ProcessorStep, { status, refunds, isDisputed }: Payment): boolean => {
  if (step === 'completed' || step === 'cancelled') return status === 'new'
  if (status !== 'completed' || isDisputed) return false
  return step === 'dispute' || !refunds.includes(step)
}

const paymentAfter = (step: ProcessorStep, payment: Payment): Payment => {
  if (step === 'completed' || step === 'cancelled') return { ...payment, status: step }
  if (step === 'dispute') return { ...payment, isDisputed: true }
  return { ...payment, refunds: [...payment.refunds, step] }
}

/** @param isNotified whether the processor tells of what happens */
export const processorSteps = (world: FiatWorld, allowed: readonly ProcessorStep[], isNotified: boolean) => {
  const { payment, notices } = world
  if (payment === null) return []
  return allowed
    .filter((step) => isPossible(step, payment))
    .map((step) => ({
      name: `at the processor: ${step}`,
      world: {
        ...world,
        payment: paymentAfter(step, payment),
        notices: isNotified ? [...notices, step].sort() : notices,
      },
    }))
}

const unavailable = (name: string, world: FiatWorld): Reaction<FiatWorld> => ({
  name,
  world,
  answer: failed(new RailError('unavailable', 'unavailable')),
  isFault: true,
})

const checkoutReactions = (world: FiatWorld): Reaction<FiatWorld>[] => {
  const made = {
    ...world,
    payment: world.payment ?? { status: 'new', refunds: [], isDisputed: false },
  } as const
  const fails = (failure: 'timeout' | 'unreachable' | 'refused', name: string, next: FiatWorld) => ({
    name,
    world: next,
    answer: failed(new RailError(failure, failure)),
    isFault: true,
  })
  const refusal = fails('refused', 'the processor refuses the checkout', { ...world, isRefused: true })
  if (world.isRefused) return [{ ...refusal, isFault: false }]
  const checkout = { processorOrderId: PROCESSOR_ORDER, orderUrl: 'https://processor.example/pay' }
  return [
    { name: 'the processor opens a checkout', world: made, answer: answered(checkout) },
    fails('timeout', 'the processor opens a checkout, its answer is lost', made),
    unavailable('the processor answers 500 and opens nothing', world),
    ...(world.payment === null
      ? [fails('unreachable', 'the processor cannot be reached', world), refusal]
      : []),
  ]
}

export const reactions = ({ does }: Request, { world }: FiatState): readonly Reaction<FiatWorld>[] => {
  if (does === 'createCheckout') return checkoutReactions(world)
  if (does === 'notify')
    return world.notices.flatMap((notice) => {
      const others = world.notices.filter((each) => each !== notice)
      const answer = answered(notice)
      return [
        {
          name: `the notice of ${notice} arrives`,
          world: { ...world, notices: others, delivering: notice },
          answer,
        },
        { name: `the notice of ${notice} arrives, and will once more`, world, answer, isFault: true },
      ]
    })
  return [
    { name: 'the processor shows the payment', world, answer: answered(world.payment) },
    unavailable('the processor cannot be read', world),
  ]
}
