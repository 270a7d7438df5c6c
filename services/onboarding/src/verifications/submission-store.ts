import { statement, withDataKey } from '@causeway/chassis'
import { VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'
import { z } from 'zod'

/** A relationship's data beside the state of the case that it shares with the merchant's other relationships. */
const OwnRow = z.object({
  verification_id: z.string(),
  partner_customer_id: z.string(),
  status: VerificationStatus,
  rejection_reason: VerificationRejectionReason.nullable(),
  submitted_at: z.date().nullable(),
  reviewed_at: z.date().nullable(),
  expires_at: z.date().nullable(),
  data_sealed: z.string(),
  created_at: z.date(),
  updated_at: z.date().nullable(),
})
export type OwnRow = z.infer<typeof OwnRow>
/** SQL: the sealed data with its key. */
const OPENABLE = withDataKey('s.data_sealed', 's.partner_customer_id')
const OWN = `
  SELECT coalesce(v.id, s.held_id) AS verification_id, s.partner_customer_id, coalesce(v.status, 'draft') AS status,
         v.rejection_reason, v.submitted_at, v.reviewed_at, v.expires_at, ${OPENABLE} AS data_sealed,
         s.created_at, s.updated_at
  FROM submissions s
  LEFT JOIN verifications v ON v.id = s.verification_id
  JOIN relationships r ON r.id = s.partner_customer_id AND r.partner_id = $1 AND r.status = 'active'
  WHERE s.partner_id = $1`

/** $1 partner, $2 relationship */
export const readOfRelationship = statement({
  name: 'submissions.read-of-relationship',
  text: `${OWN} AND s.partner_customer_id = $2`,
  row: OwnRow,
})

/** $1 partner, $2 case */
export const readOfCase = statement({
  name: 'submissions.read-of-case',
  text: `${OWN} AND (s.verification_id = $2 OR s.held_id = $2)`,
  row: OwnRow,
})

const SubmissionRow = z.object({
  /** Its id until the link is confirmed and it joins the merchant's case; null where it joined at once. */
  held_id: z.string().nullable(),
  data_sealed: z.string(),
  created_at: z.date(),
  updated_at: z.date().nullable(),
})
export type SubmissionRow = z.infer<typeof SubmissionRow>

/** What a relationship has written so far; its merchant's row is held. $1 partner, $2 relationship */
export const readForWrite = statement({
  name: 'submissions.read-for-write',
  text: `
    SELECT held_id, ${OPENABLE} AS data_sealed, created_at, updated_at FROM submissions s
    WHERE partner_id = $1 AND partner_customer_id = $2`,
  row: SubmissionRow,
})

/** $1 partner, $2 relationship, $3 case, or null with $4 the id to go by instead, $5 sealed data, $6 now */
export const write = statement({
  name: 'submissions.write',
  text: `
    INSERT INTO submissions AS s (partner_id, partner_customer_id, verification_id, held_id, data_sealed, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (partner_customer_id) DO UPDATE SET data_sealed = $5, updated_at = $6
    RETURNING held_id, ${OPENABLE} AS data_sealed, created_at, updated_at`,
  row: SubmissionRow,
})

/** What waits for its link to be confirmed. $1 partner, $2 relationship */
export const readHeld = statement({
  name: 'submissions.read-held',
  text: `
    SELECT held_id FROM submissions
    WHERE partner_id = $1 AND partner_customer_id = $2 AND verification_id IS NULL`,
  row: z.object({ held_id: z.string() }),
})

/** $1 partner, $2 relationship, $3 case */
export const joinCase = statement({
  name: 'submissions.join-case',
  text: 'UPDATE submissions SET verification_id = $3 WHERE partner_id = $1 AND partner_customer_id = $2',
})

const FileRow = SubmissionRow.omit({ held_id: true }).extend({
  partner_id: z.string(),
  partner_customer_id: z.string(),
  relationship_status: z.enum(['active', 'revoked']),
  /** Whether another one follows it. */
  goes_on: z.boolean(),
})
export type FileRow = z.infer<typeof FileRow>

/**
 * For staff: what relationships have brought to a case, the earliest first, as many as `$4` allows and no more than are
 * needed to fill `$5` bytes: records may be large, and only what is shown is read.
 * $1 case, $2 and $3 where the page before ended, $4 limit, $5 bytes of sealed records
 */
export const readPageOfCase = statement({
  name: 'submissions.read-page-of-case',
  text: `
    SELECT s.partner_id, s.partner_customer_id, r.status AS relationship_status, ${OPENABLE} AS data_sealed,
           s.created_at, s.updated_at, s.goes_on
    FROM (
      SELECT *,
        coalesce(sum(octet_length(data_sealed)) OVER (
          ORDER BY created_at, partner_customer_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        lead(partner_customer_id) OVER (ORDER BY created_at, partner_customer_id) IS NOT NULL AS goes_on
      FROM submissions
      WHERE verification_id = $1 AND (created_at, partner_customer_id) > ($2::timestamptz, $3)
      ORDER BY created_at, partner_customer_id LIMIT $4) AS s
    JOIN relationships r ON r.id = s.partner_customer_id
    WHERE s.before < $5::bigint ORDER BY s.created_at, s.partner_customer_id`,
  row: FileRow,
})
