import { queryMany, queryNone, queryOne, withDataKey } from '@causeway/chassis'
import { RelationshipStatus } from '@causeway/contracts'
import { z } from 'zod'

const RELATIONSHIP = { partnerCustomerId: 'text' } as const

/** What decides on an erasure; the caller has locked the merchant's row. */
export const getState = queryOne({
  name: 'personal-data.read-state',
  parameters: RELATIONSHIP,
  text: `
    SELECT r.merchant_id, r.status, r.ended_at, r.erased_at,
           EXISTS (SELECT FROM submissions s JOIN verifications v ON v.id = s.verification_id
                   WHERE s.partner_customer_id = r.id AND v.submitted_at IS NOT NULL) AS was_submitted,
           EXISTS (SELECT FROM relationships o
                   WHERE o.merchant_id = r.merchant_id AND o.id <> r.id AND o.erased_at IS NULL) AS is_shared
    FROM relationships r WHERE r.id = :partnerCustomerId`,
  row: z.object({
    merchantId: z.string(),
    status: RelationshipStatus,
    endedAt: z.date().nullable(),
    erasedAt: z.date().nullable(),
    wasSubmitted: z.boolean(),
    isShared: z.boolean(),
  }),
})

/** Relationships that ended before a time and are not erased, the longest ended first. */
export const listDue = queryMany({
  name: 'personal-data.find-due',
  parameters: { endedBefore: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT id AS partner_customer_id FROM relationships
    WHERE ended_at <= :endedBefore AND erased_at IS NULL ORDER BY ended_at LIMIT :limit`,
  row: z.object({ partnerCustomerId: z.string() }),
})

/** Records the bytes of documents as discarded uploads: the upload purge deletes them even if this process dies. */
export const discardBytes = queryNone({
  name: 'personal-data.discard-bytes',
  parameters: RELATIONSHIP,
  text: `
    INSERT INTO document_uploads (blob_key, partner_id, partner_customer_id, discarding, started_at)
    SELECT blob_key, partner_id, partner_customer_id, true, '-infinity' FROM documents
    WHERE partner_customer_id = :partnerCustomerId`,
})
export const unlinkDocuments = queryNone({
  name: 'personal-data.unlink-documents',
  parameters: RELATIONSHIP,
  text: `
    UPDATE requirements SET document_id = NULL
    WHERE document_id IN (SELECT id FROM documents WHERE partner_customer_id = :partnerCustomerId)`,
})
export const deleteDocuments = queryNone({
  name: 'personal-data.delete-documents',
  parameters: RELATIONSHIP,
  text: 'DELETE FROM documents WHERE partner_customer_id = :partnerCustomerId',
})
export const deleteSubmission = queryNone({
  name: 'personal-data.delete-submission',
  parameters: RELATIONSHIP,
  text: 'DELETE FROM submissions WHERE partner_customer_id = :partnerCustomerId',
})
export const deleteOnboardingLinks = queryNone({
  name: 'personal-data.delete-onboarding-links',
  parameters: RELATIONSHIP,
  text: 'DELETE FROM onboarding_links WHERE partner_customer_id = :partnerCustomerId',
})
export const eraseEvidence = queryNone({
  name: 'personal-data.erase-evidence',
  parameters: RELATIONSHIP,
  text: `UPDATE acceptances SET evidence_sealed = '' WHERE partner_customer_id = :partnerCustomerId`,
})
export const eraseRelationship = queryNone({
  name: 'personal-data.erase-relationship',
  parameters: { ...RELATIONSHIP, now: 'timestamptz' },
  text: `
    UPDATE relationships
    SET email_sealed = '', customer_name = NULL, customer_country = NULL, external_customer_id = 'erased:' || id,
        erased_at = :now
    WHERE id = :partnerCustomerId`,
})
/** The merchant can no longer be found by its e-mail address. */
export const eraseIdentity = queryNone({
  name: 'personal-data.erase-identity',
  parameters: { merchantId: 'text', randomBytes: 'bytea' },
  text: 'UPDATE merchants SET email_mac = :randomBytes WHERE id = :merchantId',
})
export const eraseMessages = queryNone({
  name: 'personal-data.erase-messages',
  parameters: { merchantId: 'text' },
  text: `UPDATE requirements SET message = '', target = NULL WHERE merchant_id = :merchantId`,
})

const RecordRow = z.object({
  ordinal: z.number(),
  kind: z.enum(['customer', 'kyb_data', 'document', 'acceptance', 'requirement']),
  id: z.string(),
  blobKey: z.string().nullable(),
  sealed: z.string().nullable(),
  plain: z.record(z.string(), z.unknown()),
})
export type RecordRow = z.infer<typeof RecordRow>

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * One page of all that is stored about a relationship, in one order. Requirements are those of its partner and of the
 * platform: another partner's requirements on the merchant are not included.
 */
export const listRecords = queryMany({
  name: 'personal-data.read-records',
  parameters: { ...RELATIONSHIP, ordinal: 'integer', id: 'text', limit: 'bigint' },
  text: `
    SELECT ordinal, kind, id, blob_key, sealed, plain FROM (
      SELECT 1 AS ordinal, 'customer' AS kind, r.id, NULL AS blob_key,
             ${withDataKey('r.email_sealed', 'r.id')} AS sealed,
             jsonb_build_object('partner_id', r.partner_id, 'customer_id', r.merchant_id,
               'external_customer_id', r.external_customer_id, 'relationship_status', r.status,
               'name', r.customer_name, 'country', r.customer_country, 'created_at', ${time('r.created_at')},
               'ended_at', ${time('r.ended_at')}, 'erased_at', ${time('r.erased_at')}) AS plain
      FROM relationships r WHERE r.id = :partnerCustomerId
      UNION ALL
      SELECT 2, 'kyb_data', s.partner_customer_id, NULL,
             ${withDataKey('s.data_sealed', 's.partner_customer_id')},
             jsonb_build_object('verification_id', coalesce(s.verification_id, s.held_id), 'created_at', ${time('s.created_at')},
               'updated_at', ${time('s.updated_at')})
      FROM submissions s WHERE s.partner_customer_id = :partnerCustomerId
      UNION ALL
      SELECT 3, 'document', d.id, d.blob_key, ${withDataKey('d.file_name_sealed', 'd.partner_customer_id')},
             jsonb_build_object('document_type', d.document_type, 'mime_type', d.mime_type,
               'file_size_bytes', d.file_size_bytes, 'status', d.status, 'rejection_reason', d.rejection_reason,
               'uploaded_at', ${time('d.uploaded_at')})
      FROM documents d WHERE d.partner_customer_id = :partnerCustomerId
      UNION ALL
      SELECT 4, 'acceptance', a.id, NULL, ${withDataKey('a.evidence_sealed', 'a.partner_customer_id')},
             jsonb_build_object('agreement_id', a.agreement_id, 'agreement_version', a.agreement_version,
               'acceptance_channel', a.acceptance_channel, 'accepted_at', ${time('a.accepted_at')})
      FROM acceptances a WHERE a.partner_customer_id = :partnerCustomerId
      UNION ALL
      SELECT 5, 'requirement', q.id, NULL, NULL,
             jsonb_build_object('kind', q.kind, 'target', q.target, 'document_type', q.document_type,
               'message', q.message, 'status', q.status, 'created_at', ${time('q.created_at')})
      FROM requirements q JOIN relationships r ON r.id = :partnerCustomerId AND r.merchant_id = q.merchant_id
      WHERE q.raised_by IS NULL OR q.raised_by = r.partner_id
      UNION ALL
      SELECT 6, 'kyb_data', s.partner_customer_id, NULL,
             ${withDataKey('s.baseline_sealed', 's.partner_customer_id')},
             jsonb_build_object('as_of', ${time('s.baseline_at')})
      FROM submissions s WHERE s.partner_customer_id = :partnerCustomerId AND s.baseline_sealed IS NOT NULL
    ) AS records
    WHERE (ordinal, id) > (:ordinal, :id) ORDER BY ordinal, id LIMIT :limit`,
  row: RecordRow,
})
