import type { Bus } from '@causeway/chassis'
import { expect } from '@jest/globals'
import type { Fault, ProcessorCall } from './fault-proxy.ts'
import type { OrderState } from './observed-state.ts'
import type { PaidOrder, RefundOutcome, Fixture } from './fixture.ts'

/** A refund that is requested under one key until its outcome is known. */
export type Attempt = {
  readonly order: PaidOrder
  readonly amountCents: number
  readonly key: string
  readonly kind: string
  /**
   * The outcome it must have in the end. `as_answered`: that of the first final answer; the processor failed, and
   * whether the refund is sent again afterwards depends on whether the call survived to read the processor's list.
   */
  readonly end: 'made' | 'refused' | 'as_answered' | 'amount_exceeds_remaining'
  /** Amount of the order that was refunded outside the API. */
  readonly elsewhereCents: number
  /** The first final answer that any call received. */
  answer: string | null
  /** The last answer, shown when a test fails. */
  last: string | null
}

/** Kinds of requests that together reach every await of the path. */
export type Kind = Readonly<{
  name: string
  faults?: Partial<Record<ProcessorCall, readonly Fault[]>>
  /** One refund for each; those of one order run concurrently. */
  amountsCents?: readonly number[]
  /** Concurrent calls under each key. */
  calls?: number
  end?: Attempt['end']
  /** The order counts nothing until it is shown again. */
  hidden?: boolean
  /** Refunded before, at the processor itself. */
  elsewhereCents?: number
}>

const ELSEWHERE_CENTS = 1_000

export const KINDS: readonly Kind[] = [
  { name: 'all is well' },
  { name: 'more than the remainder', amountsCents: [10_251], end: 'amount_exceeds_remaining' },
  { name: 'the processor refuses', faults: { refund: Array<Fault>(50).fill('refuse') }, end: 'refused' },
  { name: 'the processor throttles', faults: { refund: ['throttle'] } },
  { name: 'the processor fails', faults: { refund: Array<Fault>(50).fill('fail') }, end: 'as_answered' },
  { name: 'the answer is lost', faults: { refund: ['lose_answer'] } },
  { name: 'the request is lost', faults: { refund: ['lose_request', 'lose_request'] } },
  { name: 'the answer and the list are lost', faults: { refund: ['lose_answer'], list: ['fail', 'fail'] } },
  { name: 'the payment cannot be read', faults: { read: ['fail'] } },
  { name: 'the payment is read late', faults: { read: ['wait'] } },
  { name: 'the answer is late', faults: { refund: ['wait'] } },
  { name: 'two concurrent keys', amountsCents: [4_000, 5_000] },
  { name: 'one key twice concurrently', faults: { refund: ['wait'] }, calls: 2 },
  { name: 'payments does not count it', hidden: true },
  { name: 'a part was refunded outside the API', elsewhereCents: ELSEWHERE_CENTS },
]

const FINAL_CODES = new Set(['provider_error', 'amount_exceeds_remaining'])

/** The answer as text, or null when a replay may still answer otherwise. */
export const finalOf = (outcome: RefundOutcome, end: Attempt['end']): string | null => {
  if (outcome.ok) return JSON.stringify(outcome.value)
  // A processor that cannot be read now is answered with the same code as a refusal.
  return FINAL_CODES.has(outcome.code) && end !== 'made' ? outcome.code : null
}

/** Requests the refund again under its key; every final answer must equal the first. */
export const ask = async (fixture: Fixture, attempt: Attempt, from: Bus): Promise<boolean> => {
  const outcome = await fixture.refund(attempt.order.orderKey, attempt.amountCents, attempt.key, from)
  attempt.last = JSON.stringify(outcome)
  const final = finalOf(outcome, attempt.end)
  if (final === null) return false
  attempt.answer ??= final
  expect({ key: attempt.key, answer: final }).toEqual({ key: attempt.key, answer: attempt.answer })
  return true
}

/** An answer is an object's text, a refusal a code. */
const isMade = ({ answer }: Attempt): boolean => answer?.startsWith('{') === true

/** Checks that the processor, refunds and payments agree on the order, and with the responses to its refunds. */
export const expectAgreement = (attempts: readonly Attempt[], observed: OrderState): void => {
  const made = attempts.filter(isMade)
  const elsewhereCents = attempts[0]?.elsewhereCents ?? 0
  const count = made.length + (elsewhereCents > 0 ? 1 : 0)
  const sumCents = made.reduce((sum, { amountCents }) => sum + amountCents, elsewhereCents)
  const refused = observed.refunds.filter(({ state }) => state === 'failed')
  const ids = observed.refunds.filter(({ state }) => state === 'reconciled').map(({ id }) => id)
  const asked = observed.made.flatMap((refund) => refund.merchant_refund_id ?? [])
  const keys = attempts.map(({ key }) => key)
  expect({
    keys,
    unknownHere: asked.filter((id) => !ids.includes(id)),
    atProcessor: observed.made.length,
    processorCents: observed.made.reduce((sum, refund) => sum + refund.amount_cents, 0),
    refunds: ids.length,
    refused: refused.length,
    others: observed.refunds.length - ids.length - refused.length,
    orderCents: observed.order?.refundedCents,
    completed: [...observed.completed].sort(),
    refundedEvents: observed.refunded,
  }).toEqual({
    keys,
    unknownHere: [],
    atProcessor: count,
    processorCents: sumCents,
    refunds: count,
    refused: attempts.filter(({ answer }) => answer === 'provider_error').length,
    others: 0,
    orderCents: sumCents,
    completed: [...ids].sort(),
    refundedEvents: count,
  })
}
