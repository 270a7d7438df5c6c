import { statement } from '@causeway/chassis'
import { DocumentType, RequirementStatus } from '@causeway/contracts'
import { z } from 'zod'

/** SQL: whether requirement `q` is its merchant's: one that was raised under an unconfirmed link is its raiser's alone. */
const SHARED = `
  NOT EXISTS (
    SELECT FROM relationships u
    WHERE u.merchant_id = q.merchant_id AND u.partner_id = q.raised_by AND NOT u.link_confirmed)`

/** SQL: how many requirements of a merchant are open or fulfilled. */
export const OUTSTANDING = (merchant: string) => `
  SELECT count(*) FROM requirements q
  WHERE q.merchant_id = ${merchant} AND q.status IN ('open', 'fulfilled') AND ${SHARED}`

const RequirementRow = z.object({
  requirement_id: z.string(),
  customer_id: z.string(),
  raised_by: z.string().nullable(),
  kind: z.enum(['document', 'field', 'clarification']),
  target: z.string().nullable(),
  document_type: DocumentType.nullable(),
  message: z.string(),
  status: RequirementStatus,
  document_id: z.string().nullable(),
  /** Whose document it is: other partners are not told its id. */
  document_partner_id: z.string().nullable(),
  due_at: z.date().nullable(),
  created_at: z.date(),
  updated_at: z.date().nullable(),
  resolved_at: z.date().nullable(),
})
export type RequirementRow = z.infer<typeof RequirementRow>
const COLUMNS = `
  q.id AS requirement_id, q.merchant_id AS customer_id, q.raised_by, q.kind, q.target, q.document_type, q.message,
  q.status, q.document_id, q.due_at, q.created_at, q.updated_at, q.resolved_at,
  (SELECT d.partner_id FROM documents d WHERE d.id = q.document_id) AS document_partner_id`
/** SQL: the merchant of a relationship that is the partner's, active, and has begun its verification. */
const VISIBLE_MERCHANT = `
  (SELECT r.merchant_id FROM relationships r JOIN submissions s ON s.partner_customer_id = r.id
   WHERE r.id = $2 AND r.partner_id = $1 AND r.status = 'active')`

/** SQL: whether requirement `q` is seen by that relationship. Under an unconfirmed link these are its own. */
const VISIBLE = `
  q.merchant_id = ${VISIBLE_MERCHANT}
  AND (q.raised_by = $1 OR (${SHARED} AND (SELECT r.link_confirmed FROM relationships r WHERE r.id = $2)))`

/**
 * The merchant of a relationship whose partner may see requirements: no row means none. $1 partner, $2 relationship
 */
export const readVisibleMerchant = statement({
  name: 'requirements.read-visible-merchant',
  text: `SELECT merchant_id AS customer_id FROM ${VISIBLE_MERCHANT} AS visible`,
  row: z.object({ customer_id: z.string() }),
})

/** One page, oldest first. $1 partner, $2 relationship, $3 the statuses wanted, $4 and $5 where the page before ended, $6 limit */
export const readVisible = statement({
  name: 'requirements.read-visible',
  text: `
    SELECT ${COLUMNS} FROM requirements q
    WHERE ${VISIBLE} AND q.status = ANY($3::text[])
      AND (q.created_at, q.id) > ($4::timestamptz, $5)
    ORDER BY q.created_at, q.id LIMIT $6`,
  row: RequirementRow,
})

/** $1 partner, $2 relationship, $3 requirement */
export const readOneVisible = statement({
  name: 'requirements.read-one-visible',
  text: `SELECT ${COLUMNS} FROM requirements q WHERE ${VISIBLE} AND q.id = $3`,
  row: RequirementRow,
})

/** For staff. $1 requirement */
export const readOne = statement({
  name: 'requirements.read-one',
  text: `SELECT ${COLUMNS} FROM requirements q WHERE q.id = $1`,
  row: RequirementRow,
})

/** For staff: one page of a merchant's, oldest first. $1 merchant, $2 and $3 where the page before ended, $4 limit */
export const readPageOfMerchant = statement({
  name: 'requirements.read-page-of-merchant',
  text: `
    SELECT ${COLUMNS} FROM requirements q
    WHERE q.merchant_id = $1 AND (q.created_at, q.id) > ($2::timestamptz, $3) AND ${SHARED}
    ORDER BY q.created_at, q.id LIMIT $4`,
  row: RequirementRow,
})

/** What one partner has raised on a merchant and is open, oldest first: 50 at the most. $1 merchant, $2 partner */
export const readOpenOf = statement({
  name: 'requirements.read-open-of',
  text: `
    SELECT ${COLUMNS} FROM requirements q
    WHERE q.merchant_id = $1 AND coalesce(q.raised_by, '') = $2 AND q.status = 'open'
    ORDER BY q.created_at, q.id`,
  row: RequirementRow,
})

/** How many one party has raised on a merchant, whose row is held. $1 merchant, $2 partner, or null for the platform */
export const countRaised = statement({
  name: 'requirements.count-raised',
  text: `
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'open') AS open FROM requirements
    WHERE merchant_id = $1 AND coalesce(raised_by, '') = coalesce($2::text, '')`,
  row: z.object({ total: z.number(), open: z.number() }),
})

/** $1 id, $2 merchant, $3 who raises it, $4 kind, $5 target, $6 document type, $7 message, $8 due, $9 now */
export const insert = statement({
  name: 'requirements.insert',
  text: `
    INSERT INTO requirements AS q (id, merchant_id, raised_by, kind, target, document_type, message, status, due_at,
                                   created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9)
    RETURNING ${COLUMNS}`,
  row: RequirementRow,
})

/** Stores a move. $1 requirement, $2 status, $3 document or null to keep the one it has, $4 resolved, $5 now */
export const move = statement({
  name: 'requirements.move',
  text: `
    UPDATE requirements q
    SET status = $2, document_id = coalesce($3, q.document_id), resolved_at = $4, updated_at = $5
    WHERE q.id = $1
    RETURNING ${COLUMNS}`,
  row: RequirementRow,
})

/** For staff: whether a merchant has a case. $1 merchant */
export const readBegun = statement({
  name: 'requirements.read-begun',
  text: 'SELECT id FROM verifications WHERE merchant_id = $1',
  row: z.object({ id: z.string() }),
})
