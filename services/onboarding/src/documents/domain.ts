import { refuse } from '@causeway/chassis'
import {
  MAX_DOCUMENTS,
  type Refusal,
  type UploadedDocumentType,
  type VerificationStatus,
} from '@causeway/contracts'
import { partnerEvent, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'

/** Uploads that take longer than this are deleted. */
export const UPLOAD_TTL_MS = 3_600_000

type Progress = Readonly<{ status: VerificationStatus; outstanding: number }>

/**
 * A pending case takes documents only while a requirement is outstanding (decisions §6), and a relationship has at
 * most 500 documents (decisions §18).
 * @param progress null without a case, which counts as a draft
 * @param count documents that the relationship has
 */
export const checkUpload = (
  progress: Progress | null,
  count: number,
): Refusal<'invalid_state' | 'limit_reached'> | null => {
  if (progress?.status === 'pending' && progress.outstanding === 0)
    return refuse('invalid_state', [{ reason: 'case_pending' }])
  return count < MAX_DOCUMENTS
    ? null
    : refuse('limit_reached', [{ resource: 'documents', limit: MAX_DOCUMENTS }])
}

type Reviewed = Readonly<{
  documentId: string
  documentType: UploadedDocumentType
  status: 'accepted' | 'rejected'
}>

/** Identifiers and status only: the reason of a rejection may name people. */
export const documentReviewed = (
  relationship: Relationship,
  { documentId, documentType, status }: Reviewed,
): EventDraft =>
  partnerEvent(relationship, 'document.reviewed', {
    customer_id: relationship.merchantId,
    document_id: documentId,
    document_type: documentType,
    status,
  })
