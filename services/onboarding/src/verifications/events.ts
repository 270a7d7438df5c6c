import type { PartnerEventType, VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'
import { noticeTo, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'

type Moved = Readonly<{
  verification_id: string
  status: VerificationStatus
  rejection_reason: VerificationRejectionReason | null
}>

const TYPES: Readonly<Partial<Record<VerificationStatus, PartnerEventType>>> = {
  pending: 'verification.pending',
  approved: 'verification.approved',
  rejected: 'verification.rejected',
}

/** What every active relationship that shares a case is told of its move: identifiers and status only. */
export const verificationNotices = (moved: Moved, relationships: readonly Relationship[]): EventDraft[] => {
  const { verification_id, status, rejection_reason } = moved
  const type = TYPES[status]
  if (type === undefined) return []
  const data = { verification_id, status, ...(status === 'rejected' ? { rejection_reason } : {}) }
  return relationships
    .filter((relationship) => relationship.status === 'active' && relationship.link_confirmed)
    .map((relationship) => noticeTo(relationship, type, data))
}
