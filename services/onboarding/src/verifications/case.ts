import { refuse } from '@causeway/chassis'
import type { Refusal, VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'

/** What a merchant's case means to its capabilities. */
export type MerchantVerification = 'required' | 'approved' | 'expired'

/** The state of a case that its moves depend on. */
export type CaseState = Readonly<{
  status: VerificationStatus
  verification: MerchantVerification
  /** Requirements of the merchant that are open or fulfilled. */
  outstanding: number
}>

type Entries = Readonly<{
  status: VerificationStatus
  rejection_reason: VerificationRejectionReason | null
  submitted_at: Date | null
  reviewed_at: Date | null
  expires_at: Date | null
}>

/** Whether a case takes edits and submissions: before a decision, after a rejection, and when an approval ran out. */
const isOpen = ({ status, verification }: Omit<CaseState, 'outstanding'>): boolean =>
  status === 'draft' || status === 'rejected' || verification === 'expired'

/**
 * What a POST may do (decisions §7): `attempt` a submission, or only `present` the standing.
 * @param state null before the first POST
 */
export const judgeWrite = (
  state: CaseState | null,
  isEmpty: boolean,
): Readonly<{ ok: true; value: 'attempt' | 'present' }> | Refusal<'invalid_state'> => {
  if (state === null || isOpen(state)) return { ok: true, value: 'attempt' }
  if (isEmpty) return { ok: true, value: 'present' }
  if (state.status === 'pending' && state.outstanding > 0) return { ok: true, value: 'attempt' }
  return refuse('invalid_state', [{ from: state.status, to: 'pending' }])
}

/** A complete submission makes an open case pending; null when it is pending or approved already. */
export const submitted = (before: Omit<CaseState, 'outstanding'>, now: Date): Entries | null =>
  isOpen(before)
    ? { status: 'pending', rejection_reason: null, submitted_at: now, reviewed_at: null, expires_at: null }
    : null

/** Only a pending case is reviewed (decisions §14). */
const judgeReview = (from: VerificationStatus, to: VerificationStatus): Refusal<'invalid_state'> | null =>
  from === 'pending' ? null : refuse('invalid_state', [{ from, to }])

export type Reviewed = Readonly<{ ok: true; value: Entries }> | Refusal<'invalid_state'>

/** Why a pending case cannot be approved yet (decisions §5), or null. */
export type ApprovalGate = 'submission_incomplete' | 'agreement_required' | null

/** @param gate told beside the move that it stops */
export const approved = (
  before: Entries,
  gate: ApprovalGate,
  review: Readonly<{ now: Date; timeToLiveMs: number }>,
): Reviewed => {
  const refusal = judgeReview(before.status, 'approved')
  if (refusal) return refusal
  if (gate !== null) return refuse('invalid_state', [{ from: before.status, to: 'approved', reason: gate }])
  const expiresAt = new Date(review.now.getTime() + review.timeToLiveMs)
  return {
    ok: true,
    value: { ...before, status: 'approved', reviewed_at: review.now, expires_at: expiresAt },
  }
}

export const rejected = (before: Entries, reason: VerificationRejectionReason, now: Date): Reviewed =>
  judgeReview(before.status, 'rejected') ?? {
    ok: true,
    value: { ...before, status: 'rejected', rejection_reason: reason, reviewed_at: now },
  }
