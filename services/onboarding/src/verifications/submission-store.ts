import { queryMany, queryNone, queryOne, withDataKey, type Queryable } from '@causeway/chassis'
import {
  DocumentType,
  RelationshipStatus,
  VerificationRejectionReason,
  VerificationStatus,
} from '@causeway/contracts'
import { z } from 'zod'

/** A relationship's data and the state of the case that it shares with the merchant's other relationships. */
const OwnRow = z.object({
  verificationId: z.string(),
  partnerCustomerId: z.string(),
  status: VerificationStatus,
  rejectionReason: VerificationRejectionReason.nullable(),
  submittedAt: z.date().nullable(),
  reviewedAt: z.date().nullable(),
  expiresAt: z.date().nullable(),
  dataSealed: z.string(),
  createdAt: z.date(),
  updatedAt: z.date().nullable(),
})
export type OwnRow = z.infer<typeof OwnRow>
/** SQL: the sealed data with its key. */
const DATA_SEALED = `${withDataKey('s.data_sealed', 's.partner_customer_id')} AS data_sealed`
const OWN = `
  SELECT coalesce(v.id, s.held_id) AS verification_id, s.partner_customer_id, coalesce(v.status, 'draft') AS status,
         v.rejection_reason, v.submitted_at, v.reviewed_at, v.expires_at, ${DATA_SEALED},
         s.created_at, s.updated_at
  FROM submissions s
  LEFT JOIN verifications v ON v.id = s.verification_id
  JOIN relationships r ON r.id = s.partner_customer_id AND r.partner_id = :partnerId AND r.status = 'active'
  WHERE s.partner_id = :partnerId`

const RELATIONSHIP = { partnerId: 'text', partnerCustomerId: 'text' } as const

export const getByCustomer = queryOne({
  name: 'submissions.read-of-relationship',
  parameters: RELATIONSHIP,
  text: `${OWN} AND s.partner_customer_id = :partnerCustomerId`,
  row: OwnRow,
})

export const getByCase = queryOne({
  name: 'submissions.read-of-case',
  parameters: { partnerId: 'text', verificationId: 'text' },
  text: `${OWN} AND (s.verification_id = :verificationId OR s.held_id = :verificationId)`,
  row: OwnRow,
})

const SubmissionRow = z.object({
  /** The id for its partner until it joins the merchant's case; null if it joined immediately. */
  heldId: z.string().nullable(),
  dataSealed: z.string(),
  createdAt: z.date(),
  updatedAt: z.date().nullable(),
})

/** Reads a relationship's data so far; the caller locked its merchant's row. */
export const getForWrite = queryOne({
  name: 'submissions.read-for-write',
  parameters: RELATIONSHIP,
  text: `
    SELECT held_id, ${DATA_SEALED}, created_at, updated_at FROM submissions s
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId`,
  row: SubmissionRow,
})

/**
 * Stores a relationship's data, for a case or, before it joined one, under a separate id.
 * @param baselineAt time of the data so far, to store it as a baseline unless one exists
 */
export const upsert = queryOne({
  name: 'submissions.write',
  parameters: {
    ...RELATIONSHIP,
    verificationId: 'text?',
    heldId: 'text?',
    dataSealed: 'text',
    baselineAt: 'timestamptz?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO submissions AS s (partner_id, partner_customer_id, verification_id, held_id, data_sealed, created_at)
    VALUES (:partnerId, :partnerCustomerId, :verificationId, :heldId, :dataSealed, :now)
    ON CONFLICT (partner_customer_id) DO UPDATE
    SET data_sealed = :dataSealed, updated_at = :now,
        baseline_sealed = CASE WHEN s.baseline_at IS NULL AND :baselineAt IS NOT NULL THEN s.data_sealed ELSE s.baseline_sealed END,
        baseline_at = coalesce(s.baseline_at, :baselineAt)
    RETURNING held_id, ${DATA_SEALED}, created_at, updated_at`,
  row: SubmissionRow,
})

/** A submission that waits for its link to be confirmed. */
export const getUnjoined = queryOne({
  name: 'submissions.read-held',
  parameters: RELATIONSHIP,
  text: `
    SELECT held_id FROM submissions
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND verification_id IS NULL`,
  row: z.object({ heldId: z.string() }),
})

export const joinCase = queryNone({
  name: 'submissions.join-case',
  parameters: { ...RELATIONSHIP, verificationId: 'text' },
  text: `
    UPDATE submissions SET verification_id = :verificationId
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId`,
})

const OfCaseRow = SubmissionRow.omit({ heldId: true }).extend({
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  relationshipStatus: RelationshipStatus,
  hasNext: z.boolean(),
})
export type OfCaseRow = z.infer<typeof OfCaseRow>

/**
 * For staff: a page of the submissions of a case, oldest first. Records may be large, so reading stops with the record
 * that fills `maxSealedBytes`.
 */
export const listPageOfCase = queryMany({
  name: 'submissions.read-page-of-case',
  parameters: {
    verificationId: 'text',
    at: 'timestamptz',
    id: 'text',
    limit: 'bigint',
    maxSealedBytes: 'bigint',
  },
  text: `
    SELECT s.partner_id, s.partner_customer_id, r.status AS relationship_status, ${DATA_SEALED},
           s.created_at, s.updated_at, s.has_next
    FROM (
      SELECT *,
        coalesce(sum(octet_length(data_sealed)) OVER (
          ORDER BY created_at, partner_customer_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        lead(partner_customer_id) OVER (ORDER BY created_at, partner_customer_id) IS NOT NULL AS has_next
      FROM submissions
      WHERE verification_id = :verificationId AND (created_at, partner_customer_id) > (:at, :id)
      ORDER BY created_at, partner_customer_id LIMIT :limit) AS s
    JOIN relationships r ON r.id = s.partner_customer_id
    WHERE s.before < :maxSealedBytes ORDER BY s.created_at, s.partner_customer_id`,
  row: OfCaseRow,
})

/** Keeps what each relationship has written to a case that was just decided: later data is compared with it. */
export const keepBaselines = queryNone({
  name: 'submissions.keep-baselines',
  parameters: { verificationId: 'text', now: 'timestamptz' },
  text: `
    UPDATE submissions SET baseline_sealed = data_sealed, baseline_at = :now
    WHERE verification_id = :verificationId`,
})

/**
 * Lists the baselines of relationships' data for staff. Beyond `maxSealedBytes` the data is null, and only the time is
 * returned.
 */
export const listBaselines = queryMany({
  name: 'submissions.read-baselines',
  parameters: { partnerCustomerIds: 'text[]', maxSealedBytes: 'bigint' },
  text: `
    SELECT b.partner_customer_id, b.baseline_at,
           CASE WHEN b.bytes <= :maxSealedBytes
             THEN ${withDataKey('b.baseline_sealed', 'b.partner_customer_id')} END AS data_sealed
    FROM (
      SELECT partner_customer_id, baseline_at, baseline_sealed,
        sum(octet_length(baseline_sealed)) OVER (ORDER BY created_at, partner_customer_id) AS bytes
      FROM submissions
      WHERE partner_customer_id = ANY(:partnerCustomerIds) AND baseline_sealed IS NOT NULL) AS b`,
  row: z.object({
    partnerCustomerId: z.string(),
    baselineAt: z.date(),
    dataSealed: z.string().nullable(),
  }),
})

const listDocumentTypes = queryMany({
  name: 'documents.read-types',
  parameters: RELATIONSHIP,
  text: `
    SELECT DISTINCT document_type FROM documents
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND document_type <> 'other'`,
  row: z.object({ documentType: DocumentType }),
})

/** The named document types that a relationship has uploaded, whatever their status. */
export const documentTypesOf = async (
  db: Queryable,
  relationship: Readonly<{ partnerId: string; partnerCustomerId: string }>,
): Promise<Set<DocumentType>> => {
  const rows = await listDocumentTypes(db, relationship)
  return new Set(rows.map((row) => row.documentType))
}

const listDocumentTypesOfMany = queryMany({
  name: 'documents.read-types-of-many',
  parameters: { partnerCustomerIds: 'text[]' },
  text: `
    SELECT DISTINCT partner_customer_id, document_type FROM documents
    WHERE partner_customer_id = ANY(:partnerCustomerIds) AND document_type <> 'other'`,
  row: z.object({ partnerCustomerId: z.string(), documentType: DocumentType }),
})

/** For staff: the same of several relationships. */
export const documentTypesOfMany = async (
  db: Queryable,
  partnerCustomerIds: readonly string[],
): Promise<(partnerCustomerId: string) => Set<DocumentType>> => {
  const rows = await listDocumentTypesOfMany(db, { partnerCustomerIds })
  return (id) => new Set(rows.filter((row) => row.partnerCustomerId === id).map((row) => row.documentType))
}
