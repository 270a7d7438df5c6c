import { statement } from '@causeway/chassis'
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
  evidence_sealed`

/** Every acceptance of a relationship, oldest first. $1 partner, $2 relationship */
export const readOfRelationship = statement({
  name: 'acceptances.read-of-relationship',
  text: `
    SELECT ${COLUMNS} FROM acceptances
    WHERE partner_id = $1 AND partner_customer_id = $2 ORDER BY recorded_at, id`,
  row: AcceptanceRow,
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
