import { statement, withDataKey } from '@causeway/chassis'
import { z } from 'zod'

/** When a relationship ended; no row when its data is erased, so that it cannot begin again. $1 relationship, $2 when, or null */
export const setEnd = statement({
  name: 'personal-data.set-end',
  text: 'UPDATE relationships SET ended_at = $2 WHERE id = $1 AND erased_at IS NULL RETURNING id',
  row: z.object({ id: z.string() }),
})

/** What decides over an erasure; the merchant's row is held. $1 relationship */
export const readState = statement({
  name: 'personal-data.read-state',
  text: `
    SELECT r.merchant_id, r.status, r.ended_at, r.erased_at,
           EXISTS (SELECT FROM submissions s JOIN verifications v ON v.id = s.verification_id
                   WHERE s.partner_customer_id = r.id AND v.submitted_at IS NOT NULL) AS was_submitted,
           EXISTS (SELECT FROM relationships o
                   WHERE o.merchant_id = r.merchant_id AND o.id <> r.id AND o.erased_at IS NULL) AS is_shared
    FROM relationships r WHERE r.id = $1`,
  row: z.object({
    merchant_id: z.string(),
    status: z.enum(['active', 'revoked']),
    ended_at: z.date().nullable(),
    erased_at: z.date().nullable(),
    was_submitted: z.boolean(),
    is_shared: z.boolean(),
  }),
})

/** Relationships whose data is to be erased by age, the longest ended first. $1 ended before, $2 how many */
export const findDue = statement({
  name: 'personal-data.find-due',
  text: `
    SELECT id FROM relationships WHERE ended_at <= $1 AND erased_at IS NULL ORDER BY ended_at LIMIT $2`,
  row: z.object({ id: z.string() }),
})

/**
 * Bytes of documents go the way of uploads that were given up: the sweep deletes them, whatever becomes of this process.
 * $1 relationship
 */
export const discardBytes = statement({
  name: 'personal-data.discard-bytes',
  text: `
    INSERT INTO document_uploads (blob_key, partner_id, partner_customer_id, discarding, started_at)
    SELECT blob_key, partner_id, partner_customer_id, true, '-infinity' FROM documents
    WHERE partner_customer_id = $1`,
})
export const unlinkDocuments = statement({
  name: 'personal-data.unlink-documents',
  text: `
    UPDATE requirements SET document_id = NULL
    WHERE document_id IN (SELECT id FROM documents WHERE partner_customer_id = $1)`,
})
export const deleteDocuments = statement({
  name: 'personal-data.delete-documents',
  text: 'DELETE FROM documents WHERE partner_customer_id = $1',
})
export const deleteSubmission = statement({
  name: 'personal-data.delete-submission',
  text: 'DELETE FROM submissions WHERE partner_customer_id = $1',
})
export const eraseEvidence = statement({
  name: 'personal-data.erase-evidence',
  text: `UPDATE acceptances SET evidence_sealed = '' WHERE partner_customer_id = $1`,
})
/** $1 relationship, $2 now */
export const eraseRelationship = statement({
  name: 'personal-data.erase-relationship',
  text: `
    UPDATE relationships
    SET email_sealed = '', customer_name = NULL, customer_country = NULL, external_customer_id = 'erased:' || id,
        erased_at = $2
    WHERE id = $1`,
})
/** The merchant can no longer be found by its e-mail address. $1 merchant, $2 random bytes */
export const eraseIdentity = statement({
  name: 'personal-data.erase-identity',
  text: 'UPDATE merchants SET email_mac = $2 WHERE id = $1',
})
export const eraseMessages = statement({
  name: 'personal-data.erase-messages',
  text: `UPDATE requirements SET message = '', target = NULL WHERE merchant_id = $1`,
})

const RecordRow = z.object({
  ordinal: z.number(),
  kind: z.enum(['customer', 'kyb_data', 'document', 'acceptance', 'requirement']),
  id: z.string(),
  blob_key: z.string().nullable(),
  sealed: z.string().nullable(),
  plain: z.record(z.string(), z.unknown()),
})
export type RecordRow = z.infer<typeof RecordRow>

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * All that is held about a relationship, in one order. Requirements are those of its partner and of the platform: what
 * another partner asks of the merchant is not this one's. $1 relationship, $2 and $3 where the page before ended, $4 limit
 */
export const readRecords = statement({
  name: 'personal-data.read-records',
  text: `
    SELECT ordinal, kind, id, blob_key, sealed, plain FROM (
      SELECT 1 AS ordinal, 'customer' AS kind, r.id, NULL AS blob_key,
             ${withDataKey('r.email_sealed', 'r.id')} AS sealed,
             jsonb_build_object('partner_id', r.partner_id, 'customer_id', r.merchant_id,
               'external_customer_id', r.external_customer_id, 'relationship_status', r.status,
               'name', r.customer_name, 'country', r.customer_country, 'created_at', ${time('r.created_at')},
               'ended_at', ${time('r.ended_at')}, 'erased_at', ${time('r.erased_at')}) AS plain
      FROM relationships r WHERE r.id = $1
      UNION ALL
      SELECT 2, 'kyb_data', s.partner_customer_id, NULL,
             ${withDataKey('s.data_sealed', 's.partner_customer_id')},
             jsonb_build_object('verification_id', coalesce(s.verification_id, s.held_id), 'created_at', ${time('s.created_at')},
               'updated_at', ${time('s.updated_at')})
      FROM submissions s WHERE s.partner_customer_id = $1
      UNION ALL
      SELECT 3, 'document', d.id, d.blob_key, ${withDataKey('d.file_name_sealed', 'd.partner_customer_id')},
             jsonb_build_object('document_type', d.document_type, 'mime_type', d.mime_type,
               'file_size_bytes', d.file_size_bytes, 'status', d.status, 'rejection_reason', d.rejection_reason,
               'uploaded_at', ${time('d.uploaded_at')})
      FROM documents d WHERE d.partner_customer_id = $1
      UNION ALL
      SELECT 4, 'acceptance', a.id, NULL, ${withDataKey('a.evidence_sealed', 'a.partner_customer_id')},
             jsonb_build_object('agreement_id', a.agreement_id, 'agreement_version', a.agreement_version,
               'acceptance_channel', a.acceptance_channel, 'accepted_at', ${time('a.accepted_at')})
      FROM acceptances a WHERE a.partner_customer_id = $1
      UNION ALL
      SELECT 5, 'requirement', q.id, NULL, NULL,
             jsonb_build_object('kind', q.kind, 'target', q.target, 'document_type', q.document_type,
               'message', q.message, 'status', q.status, 'created_at', ${time('q.created_at')})
      FROM requirements q JOIN relationships r ON r.id = $1 AND r.merchant_id = q.merchant_id
      WHERE q.raised_by IS NULL OR q.raised_by = r.partner_id
    ) held
    WHERE (ordinal, id) > ($2::int, $3) ORDER BY ordinal, id LIMIT $4`,
  row: RecordRow,
})
