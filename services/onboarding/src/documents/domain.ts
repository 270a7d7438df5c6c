import { refuse } from '@causeway/chassis'
import { MAX_DOCUMENTS, type Refusal, type VerificationStatus } from '@causeway/contracts'
import { noticeTo, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'

/** How long an upload may be under way before what is left of it is deleted. */
export const UPLOAD_TTL_MS = 3_600_000

type Progress = Readonly<{ status: VerificationStatus; outstanding: number }>

/**
 * A case under review takes evidence only while something is outstanding (decisions §6), and a relationship has at
 * most 500 documents (decisions §18).
 * @param progress undefined without a case, which counts as a draft
 * @param held how many documents the relationship has
 */
export const judgeUpload = (
  progress: Progress | undefined,
  held: number,
): Refusal<'invalid_state' | 'limit_reached'> | null => {
  if (progress?.status === 'pending' && progress.outstanding === 0)
    return refuse('invalid_state', [{ reason: 'case_pending' }])
  return held < MAX_DOCUMENTS
    ? null
    : refuse('limit_reached', [{ resource: 'documents', limit: MAX_DOCUMENTS }])
}

type Reviewed = Readonly<{ document_id: string; document_type: string; status: string }>

/** What a review tells the partner: identifiers and status, never the reason, which may tell of people. */
export const documentReviewed = (relationship: Relationship, reviewed: Reviewed): EventDraft => {
  const { document_id, document_type, status } = reviewed
  const data = { customer_id: relationship.customer_id, document_id, document_type, status }
  return noticeTo(relationship, 'document.reviewed', data)
}
