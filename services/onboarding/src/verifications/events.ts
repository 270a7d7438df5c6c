import type { VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'
import { partnerEvent, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import { disclosedReason } from './case.ts'

type Case = Readonly<{
  verificationId: string
  status: VerificationStatus
  rejectionReason: VerificationRejectionReason | null
}>

const eventFor = (
  relationship: Relationship,
  { verificationId: verification_id, status, rejectionReason }: Case,
): EventDraft[] => {
  if (status === 'rejected') {
    const data = { verification_id, status, rejection_reason: disclosedReason(rejectionReason) }
    return [partnerEvent(relationship, 'verification.rejected', data)]
  }
  return status === 'pending' || status === 'approved'
    ? [partnerEvent(relationship, `verification.${status}` as const, { verification_id, status })]
    : []
}

/** The events of a case's new status, for every active relationship that shares the case: identifiers and status only. */
export const verificationEvents = (changed: Case, relationships: readonly Relationship[]): EventDraft[] =>
  relationships
    .filter((relationship) => relationship.status === 'active' && relationship.linkConfirmed)
    .flatMap((relationship) => eventFor(relationship, changed))
