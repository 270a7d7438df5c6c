import { statement, withDataKey } from '@causeway/chassis'
import { z } from 'zod'

const AcceptanceRow = z.object({
  acceptance_id: z.string(),
  agreement_id: z.string(),
  agreement_version: z.string(),
  content_hash: z.string(),
  acceptance_channel: z.string(),
  accepted_at: z.date(),
  recorded_at: z.date(),
  evidence_sealed: z.string(),
})
export type AcceptanceRow = z.infer<typeof AcceptanceRow>
const COLUMNS = `
  id AS acceptance_id, agreement_id, agreement_version, content_hash, acceptance_channel, accepted_at, recorded_at,
  ${withDataKey('evidence_sealed', 'partner_customer_id')} AS evidence_sealed`

const RecordedRow = AcceptanceRow.omit({ evidence_sealed: true }).extend({
  /** How long the sealed evidence is. */
  evidence_length: z.number(),
  /** How many acceptances the relationship has of the agreement. */
  of_agreement: z.number(),
})
export type RecordedRow = z.infer<typeof RecordedRow>

/**
 * A relationship's newest acceptances of each of several agreements, newest first, without their evidence.
 * $1 partner, $2 relationship, $3 agreements, $4 how many of each
 */
export const readNewest = statement({
  name: 'acceptances.read-newest',
  text: `
    SELECT newest.* FROM unnest($3::text[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT id AS acceptance_id, agreement_id, agreement_version, content_hash, acceptance_channel, accepted_at,
             recorded_at, octet_length(evidence_sealed) AS evidence_length, count(*) OVER () AS of_agreement
      FROM acceptances
      WHERE partner_id = $1 AND partner_customer_id = $2 AND agreement_id = asked.id
      ORDER BY recorded_at DESC, id DESC LIMIT $4) AS newest
    ORDER BY newest.recorded_at DESC, newest.acceptance_id DESC`,
  row: RecordedRow,
})

/** Evidence of some of a relationship's acceptances. $1 partner, $2 relationship, $3 acceptances */
export const readEvidence = statement({
  name: 'acceptances.read-evidence',
  text: `
    SELECT id AS acceptance_id, ${withDataKey('evidence_sealed', 'partner_customer_id')} AS evidence_sealed
    FROM acceptances
    WHERE partner_id = $1 AND partner_customer_id = $2 AND id = ANY($3::text[])`,
  row: z.object({ acceptance_id: z.string(), evidence_sealed: z.string() }),
})

/** $1 partner, $2 relationship, $3 agreement, $4 version */
export const readOne = statement({
  name: 'acceptances.read-one',
  text: `
    SELECT ${COLUMNS} FROM acceptances
    WHERE partner_id = $1 AND partner_customer_id = $2 AND agreement_id = $3 AND agreement_version = $4`,
  row: AcceptanceRow,
})

/**
 * $1 id, $2 partner, $3 relationship, $4 agreement, $5 version, $6 hash, $7 channel, $8 accepted at, $9 now,
 * $10 sealed evidence
 */
export const insert = statement({
  name: 'acceptances.insert',
  text: `
    INSERT INTO acceptances (id, partner_id, partner_customer_id, agreement_id, agreement_version, content_hash,
                             acceptance_channel, accepted_at, recorded_at, evidence_sealed)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    RETURNING ${COLUMNS}`,
  row: AcceptanceRow,
})
