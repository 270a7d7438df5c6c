import type { PartnerEventType, VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'
import { partnerEvent, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'

type Case = Readonly<{
  verificationId: string
  status: VerificationStatus
  rejectionReason: VerificationRejectionReason | null
}>

const TYPES: Readonly<Partial<Record<VerificationStatus, PartnerEventType>>> = {
  pending: 'verification.pending',
  approved: 'verification.approved',
  rejected: 'verification.rejected',
}

/** The events of a case's new status, for every active relationship that shares the case: identifiers and status only. */
export const verificationEvents = (
  { verificationId, status, rejectionReason }: Case,
  relationships: readonly Relationship[],
): EventDraft[] => {
  const type = TYPES[status]
  if (type === undefined) return []
  const reason = status === 'rejected' ? { rejection_reason: rejectionReason } : {}
  const data = { verification_id: verificationId, status, ...reason }
  return relationships
    .filter((relationship) => relationship.status === 'active' && relationship.linkConfirmed)
    .map((relationship) => partnerEvent(relationship, type, data))
}
