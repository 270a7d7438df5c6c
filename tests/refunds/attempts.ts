import type { Bus } from '@causeway/chassis'
import { expect } from '@jest/globals'
import type { Manner, ProcessorCall } from './processor-front.ts'
import type { OrderBooks } from './books.ts'
import type { PaidOrder, RefundOutcome, World } from './world.ts'

/** A refund that is asked for under one key until its outcome is known. */
export type Attempt = {
  readonly order: PaidOrder
  readonly amountCents: number
  readonly key: string
  readonly kind: string
  /**
   * What it must come to in the end. `told`: as the first final answer says; the processor has failed, and whether
   * somebody asks it again once it is well depends on whether the call lived to look.
   */
  readonly end: 'made' | 'refused' | 'told' | 'amount_exceeds_remaining'
  /** What was refunded of the order elsewhere. */
  readonly elsewhereCents: number
  /** The first final answer that anybody was given. */
  told: string | null
  /** The last answer, for whoever reads why a test failed. */
  last: string | null
}

/** Ways of asking that together come through every await of the path. */
export type Kind = Readonly<{
  name: string
  manners?: Partial<Record<ProcessorCall, readonly Manner[]>>
  /** One refund for each; those of one order at once. */
  amountsCents?: readonly number[]
  /** How often at once under each key. */
  calls?: number
  end?: Attempt['end']
  /** The order counts nothing until it is shown again. */
  hidden?: boolean
  /** Refunded before, by somebody who asked the processor himself. */
  elsewhereCents?: number
}>

const ELSEWHERE_CENTS = 1_000

export const KINDS: readonly Kind[] = [
  { name: 'all is well' },
  { name: 'more than there is', amountsCents: [10_251], end: 'amount_exceeds_remaining' },
  { name: 'the processor says no', manners: { refund: Array<Manner>(50).fill('refuse') }, end: 'refused' },
  { name: 'the processor takes no more for now', manners: { refund: ['throttle'] } },
  { name: 'the processor fails', manners: { refund: Array<Manner>(50).fill('fail') }, end: 'told' },
  { name: 'the answer is lost', manners: { refund: ['lose_answer'] } },
  { name: 'the request is lost', manners: { refund: ['lose_request', 'lose_request'] } },
  { name: 'the answer and the list are lost', manners: { refund: ['lose_answer'], list: ['fail', 'fail'] } },
  { name: 'the payment cannot be read', manners: { read: ['fail'] } },
  { name: 'the payment is read late', manners: { read: ['wait'] } },
  { name: 'the answer is late', manners: { refund: ['wait'] } },
  { name: 'two keys at once', amountsCents: [4_000, 5_000] },
  { name: 'one key twice at once', manners: { refund: ['wait'] }, calls: 2 },
  { name: 'payments does not count it', hidden: true },
  { name: 'a part was refunded elsewhere', elsewhereCents: ELSEWHERE_CENTS },
]

const FINAL_CODES = new Set(['provider_error', 'amount_exceeds_remaining'])

/** The answer as a text, or null when a replay may still tell otherwise. */
export const finalOf = (outcome: RefundOutcome, end: Attempt['end']): string | null => {
  if (outcome.ok) return JSON.stringify(outcome.value)
  // A processor that cannot be read now is told as the same code as its no.
  return FINAL_CODES.has(outcome.code) && end !== 'made' ? outcome.code : null
}

/** Asks once more under the key; every final answer must be the first one. */
export const ask = async (world: World, attempt: Attempt, from: Bus): Promise<boolean> => {
  const outcome = await world.refund(attempt.order.orderKey, attempt.amountCents, attempt.key, from)
  attempt.last = JSON.stringify(outcome)
  const final = finalOf(outcome, attempt.end)
  if (final === null) return false
  attempt.told ??= final
  expect({ key: attempt.key, answer: final }).toEqual({ key: attempt.key, answer: attempt.told })
  return true
}

/** An answer is an object's text, a refusal a code. */
const isMade = ({ told }: Attempt): boolean => told?.startsWith('{') === true

/** The order's books agree with each other, and with what was told of its refunds. */
export const expectAgreement = (attempts: readonly Attempt[], books: OrderBooks): void => {
  const made = attempts.filter(isMade)
  const elsewhereCents = attempts[0]?.elsewhereCents ?? 0
  const count = made.length + (elsewhereCents > 0 ? 1 : 0)
  const sumCents = made.reduce((sum, { amountCents }) => sum + amountCents, elsewhereCents)
  const refused = books.refunds.filter(({ state }) => state === 'failed')
  const ids = books.refunds.filter(({ state }) => state === 'reconciled').map(({ id }) => id)
  const asked = books.made.flatMap((refund) => refund.merchant_refund_id ?? [])
  const keys = attempts.map(({ key }) => key)
  expect({
    keys,
    unknownHere: asked.filter((id) => !ids.includes(id)),
    atProcessor: books.made.length,
    processorCents: books.made.reduce((sum, refund) => sum + refund.amount_cents, 0),
    refunds: ids.length,
    refused: refused.length,
    others: books.refunds.length - ids.length - refused.length,
    orderCents: books.order?.refundedCents,
    completed: [...books.completed].sort(),
    refundedEvents: books.refunded,
  }).toEqual({
    keys,
    unknownHere: [],
    atProcessor: count,
    processorCents: sumCents,
    refunds: count,
    refused: attempts.filter(({ told }) => told === 'provider_error').length,
    others: 0,
    orderCents: sumCents,
    completed: [...ids].sort(),
    refundedEvents: count,
  })
}
