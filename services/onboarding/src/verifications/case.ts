import { refuse, refuseChanged } from '@causeway/chassis'
import type {
  DisclosedRejectionReason,
  Refusal,
  reviews,
  VerificationRejectionReason,
  VerificationStatus,
} from '@causeway/contracts'
import type { z } from 'zod'
import type { MerchantVerification } from '../merchants/domain.ts'

/** The state of a case that its transitions depend on. */
export type CaseState = Readonly<{
  status: VerificationStatus
  verification: MerchantVerification
  /** Requirements of the merchant that are open or fulfilled. */
  outstanding: number
}>

/** Changes of a transition. */
export type Transition = Readonly<{
  status: VerificationStatus
  rejectionReason: VerificationRejectionReason | null
  submittedAt: Date | null
  reviewedAt: Date | null
  expiresAt: Date | null
}>

/** Checks whether a case accepts edits and submissions: before a decision, after a rejection, and when an approval expired. */
export const isOpen = ({ status, verification }: Omit<CaseState, 'outstanding'>): boolean =>
  status === 'draft' || status === 'rejected' || verification === 'expired'

/**
 * Decides the effect of a POST (decisions §7): `attempt` a submission, or only `present` the case.
 * @param state null before the first POST
 */
export const checkWrite = (
  state: CaseState | null,
  isEmpty: boolean,
): Readonly<{ ok: true; value: 'attempt' | 'present' }> | Refusal<'invalid_state'> => {
  if (state === null || isOpen(state)) return { ok: true, value: 'attempt' }
  if (isEmpty) return { ok: true, value: 'present' }
  if (state.status === 'pending' && state.outstanding > 0) return { ok: true, value: 'attempt' }
  return refuse('invalid_state', [{ from: state.status, to: 'pending' }])
}

type Times = Readonly<{ submittedAt: Date | null; reviewedAt: Date | null }>
type OwnTimes = Readonly<{ createdAt: Date; updatedAt: Date | null }>

/**
 * When what a relationship sees of a case changed last, in milliseconds: its own data, or the state of the case.
 * @param own null before its first write, which sees nothing; @param shared null where it has not joined a case
 */
const lastModifiedMs = (own: OwnTimes | null, shared: Times | null): number =>
  own === null
    ? 0
    : Math.max(
        ...[own.createdAt, own.updatedAt, shared?.submittedAt, shared?.reviewedAt].map(
          (at) => at?.getTime() ?? 0,
        ),
      )

/** The time of a write: later than every change before it, so that no two of them are taken for one another. */
export const timeOfWrite = (own: OwnTimes | null, shared: Times | null, now: Date): Date =>
  new Date(Math.max(now.getTime(), lastModifiedMs(own, shared) + 1))

/** Checks whether a write is based on the current state. @param since undefined if the caller does not check */
export const checkUnmodified = (
  since: string | undefined,
  own: OwnTimes | null,
  shared: (Times & Pick<CaseState, 'status'>) | null,
): Refusal<'invalid_state'> | null => {
  const at = lastModifiedMs(own, shared)
  if (since === undefined || at <= Date.parse(since)) return null
  const modifiedAt = new Date(at).toISOString()
  const from = shared?.status ?? 'draft'
  return refuse('invalid_state', [{ from, to: 'pending', reason: 'modified', modified_at: modifiedAt }])
}

/** The transition of an open case whose submission is complete; null for a case that is pending or approved already. */
export const submit = (before: Omit<CaseState, 'outstanding'>, now: Date): Transition | null =>
  isOpen(before)
    ? { status: 'pending', rejectionReason: null, submittedAt: now, reviewedAt: null, expiresAt: null }
    : null

/** Only a pending case is reviewed (decisions §14). */
const checkReview = (from: VerificationStatus, to: VerificationStatus): Refusal<'invalid_state'> | null =>
  from === 'pending' ? null : refuse('invalid_state', [{ from, to }])

export type Review = Readonly<{ ok: true; value: Transition }> | Refusal<'invalid_state'>

/** A case with what tells its changes apart. */
type ReviewedState = Transition & Readonly<{ version: number; statusSince: Date }>

/** When data or documents of a pending case last changed since its submission; null: not since then. */
export const editedAtOf = ({
  status,
  statusSince,
  submittedAt,
}: Pick<ReviewedState, 'status' | 'statusSince' | 'submittedAt'>): Date | null =>
  status === 'pending' && submittedAt !== null && statusSince > submittedAt ? statusSince : null

const modified = (before: ReviewedState, to: VerificationStatus): Refusal<'invalid_state'> =>
  refuse('invalid_state', [
    {
      from: before.status,
      to,
      reason: 'modified',
      version: before.version,
      edited_at: editedAtOf(before)?.toISOString() ?? null,
      expected: 'the version of the case that you have read',
    },
  ])

/** Why a pending case cannot be approved yet (decisions §5), or null. */
export type ApprovalBlocker = 'submission_incomplete' | 'agreement_required' | null

type ApprovalState = z.output<(typeof reviews.approve)['expected']>

type ApprovalOf = Readonly<{
  now: Date
  timeToLiveMs: number
  /** The version that the reviewer has read; undefined where the reviewer does not name it. */
  version: number | undefined
  /** The state when the approval was requested, if a second person has confirmed it. */
  expected?: ApprovalState | undefined
}>

/** The state of a case that an approval relies on. */
export const approvalStateOf = (found: ReviewedState): ApprovalState => ({
  status: found.status,
  submitted_at: found.submittedAt?.toISOString() ?? null,
  version: found.version,
  edited_at: editedAtOf(found)?.toISOString() ?? null,
})

/** Refuses an approval of a version that the reviewer has not read. */
const refuseUnread = (
  before: ReviewedState,
  version: number | undefined,
): Refusal<'invalid_state'> | null => {
  const isRead = version === undefined ? editedAtOf(before) === null : version === before.version
  return isRead ? null : modified(before, 'approved')
}

/** Refuses what no second person could confirm: a case that is not pending, or that the reviewer has not read. */
export const checkApproval = (
  before: ReviewedState,
  version: number | undefined,
): Refusal<'invalid_state'> | null => checkReview(before.status, 'approved') ?? refuseUnread(before, version)

/**
 * The transition of an approval; the refusal names the blocker. Without a version only a case that was not edited since
 * its submission is approved: what was submitted is what the queue has shown.
 */
export const approve = (before: ReviewedState, blocker: ApprovalBlocker, review: ApprovalOf): Review => {
  const refusal = checkReview(before.status, 'approved')
  if (refusal) return refusal
  if (blocker !== null)
    return refuse('invalid_state', [{ from: before.status, to: 'approved', reason: blocker }])
  const changed =
    refuseUnread(before, review.version) ?? refuseChanged(review.expected, approvalStateOf(before))
  if (changed) return changed
  const expiresAt = new Date(review.now.getTime() + review.timeToLiveMs)
  return { ok: true, value: { ...before, status: 'approved', reviewedAt: review.now, expiresAt } }
}

type Rejection = Readonly<{ reason: VerificationRejectionReason; version: number | undefined; now: Date }>

/** The transition of a rejection. It grants nothing, so only a version that the reviewer names is compared. */
export const reject = (before: ReviewedState, { reason, version, now }: Rejection): Review => {
  const refusal = checkReview(before.status, 'rejected')
  if (refusal) return refusal
  if (version !== undefined && version !== before.version) return modified(before, 'rejected')
  return { ok: true, value: { ...before, status: 'rejected', rejectionReason: reason, reviewedAt: now } }
}

/** The reason of a rejection as people outside read it: null for one that must not be disclosed to them (decisions §7). */
export const disclosedReason = (
  reason: VerificationRejectionReason | null,
): DisclosedRejectionReason | null => (reason === 'sanctions_match' ? null : reason)
