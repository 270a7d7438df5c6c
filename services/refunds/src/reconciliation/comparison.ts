import { OrderKey, type RefundDifferenceKind } from '@causeway/contracts'
import type { CardRefund } from '@causeway/rails'
import { isOpen, shownStatusOf } from '../refunds/state.ts'
import type { ValidatedRefund } from '../refunds/refund.ts'

/** What a refund of the processor's list is compared with. */
export type Compared = Pick<ValidatedRefund, 'state' | 'amountCents' | 'currency' | 'createdAt'>

export type ComparisonResult =
  | 'agrees'
  /** Of a payment that no checkout of the platform made. */
  | 'not_ours'
  /** Money went back and there is no record of it yet. */
  | 'unrecorded'
  /** Money went back for a refund that was said to have failed. */
  | 'late_success'
  | RefundDifferenceKind

/** Below this age the call, its replay or the reconciler is about to bring the two together. */
const SETTLING_MS = 15 * 60_000

/** How a refund of the processor's list compares with the platform's record of it, or with there being none. */
export const compare = (theirs: CardRefund, ours: Compared | null, now: Date): ComparisonResult => {
  if (ours === null) {
    if (!OrderKey.safeParse(theirs.orderKey).success) return 'not_ours'
    return theirs.status === 'succeeded' ? 'unrecorded' : 'agrees'
  }
  if (ours.amountCents !== theirs.amountCents || ours.currency !== theirs.currency) return 'other_amount'
  const isSettling = isOpen(ours.state) && now.getTime() - ours.createdAt.getTime() < SETTLING_MS
  if (isSettling) return 'agrees'
  // Made, but its order does not count it: nobody was told.
  if (ours.state === 'succeeded') return 'other_state'
  if (ours.state === 'failed' && theirs.status === 'succeeded') return 'late_success'
  return shownStatusOf(ours.state) === theirs.status ? 'agrees' : 'other_state'
}
