import { OrderKey, type RefundDifferenceKind } from '@causeway/contracts'
import type { CardRefund } from '@causeway/rails/cards'
import { isOpen, MADE_STATES, shownStatusOf } from '../refunds/state.ts'
import type { ValidatedRefund } from '../refunds/refund.ts'

/** Our refund, with which a refund of the processor's list is compared. */
export type OurRefund = Pick<ValidatedRefund, 'state' | 'amountCents' | 'currency' | 'createdAt'>

export type ComparisonResult =
  | 'agrees'
  /** Its payment was not made by a checkout of the platform. */
  | 'not_ours'
  /** Made at the processor, without a record here. */
  | 'unrecorded'
  /** Made at the processor, although it failed here. */
  | 'late_success'
  /** It failed at the processor after it had been made. */
  | 'late_failure'
  | RefundDifferenceKind

/** A younger refund in progress is left to its call, a replay or the completion job. */
const SETTLING_MS = 15 * 60_000

/** How a refund of the processor's list compares with the platform's record of it, or with there being none. */
export const compare = (theirs: CardRefund, ours: OurRefund | null, now: Date): ComparisonResult => {
  if (ours === null) {
    if (!OrderKey.safeParse(theirs.orderKey).success) return 'not_ours'
    return theirs.status === 'succeeded' ? 'unrecorded' : 'agrees'
  }
  if (ours.amountCents !== theirs.amountCents || ours.currency !== theirs.currency) return 'other_amount'
  const isSettling = isOpen(ours.state) && now.getTime() - ours.createdAt.getTime() < SETTLING_MS
  if (isSettling) return 'agrees'
  if (MADE_STATES.includes(ours.state) && theirs.status === 'failed') return 'late_failure'
  // Made, but no order counts it and its event was not emitted.
  if (ours.state === 'succeeded') return 'other_state'
  if (ours.state === 'failed' && theirs.status === 'succeeded') return 'late_success'
  return shownStatusOf(ours.state) === theirs.status ? 'agrees' : 'other_state'
}
