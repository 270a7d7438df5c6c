import { outside, ownedAccount, SERVICE_FEE_INCOME } from '../posting/accounts.ts'
import { reversed, transferOf, type Posting, type Transfer } from '../posting/posting.ts'

/** `upcoming → sent → settled`, `upcoming → cancelled`, `sent or settled → returned` (decisions §49). */
export const PAYOUT_STEPS = ['upcoming', 'sent', 'settled', 'cancelled', 'returned'] as const
export type PayoutStep = (typeof PAYOUT_STEPS)[number]

/**
 * A payout of an owner's available balance. `amount` in the unit's smallest part; `fee`: charged in addition, and kept if
 * the payout is returned; `counterpart`: the account that it went to, such as `bank:main`, once it is settled.
 */
export type PaidOut = Readonly<{
  payoutId: string
  ownerId: string
  unit: string
  amount: bigint
  fee: bigint
  counterpart: string | null
}>

const transfersOf = (step: PayoutStep, payout: PaidOut): Transfer[] => {
  const { ownerId, unit, amount, fee, counterpart } = payout
  const [available, onTheWay] = [ownedAccount(ownerId, 'available'), ownedAccount(ownerId, 'on_the_way')]
  const begun = [
    ...transferOf(available, onTheWay, unit, amount, 'payout'),
    ...transferOf(available, SERVICE_FEE_INCOME, unit, fee, 'payout_fee'),
  ]
  switch (step) {
    case 'upcoming':
      return begun
    case 'sent':
      return []
    case 'cancelled':
      return reversed(begun)
    case 'settled':
      return transferOf(onTheWay, outside(counterpart ?? ''), unit, amount, 'payout')
    case 'returned':
      return transferOf(
        counterpart === null ? onTheWay : outside(counterpart),
        available,
        unit,
        amount,
        'payout_returned',
      )
  }
}

/** The source of a step's posting. */
const sourceOf = (payoutId: string, step: PayoutStep): string =>
  step === 'upcoming' ? payoutId : `${payoutId}:${step}`

/** The sources of all postings that a payout may have. */
export const payoutSources = (payoutId: string): string[] =>
  PAYOUT_STEPS.map((step) => sourceOf(payoutId, step))

/** The payout of a posting's source; null for another source. */
export const payoutOfSource = (source: string): string | null => /^(pay_[^:]+)/.exec(source)?.[1] ?? null

/** Returns the posting of a payout's step; null for `sent`, by which nothing moves in the books. */
export const payoutPosting = (step: PayoutStep, payout: PaidOut, at: Date): Posting | null => {
  const transfers = transfersOf(step, payout)
  if (transfers.length === 0) return null
  return {
    source: sourceOf(payout.payoutId, step),
    rule: 'fact',
    ...{ orderKey: null, orderId: null, estimated: false, dueAt: null },
    reverses: step === 'cancelled' || step === 'returned' ? payout.payoutId : null,
    effectiveAt: at.toISOString(),
    transfers,
  }
}
