import { statement, type Queryable } from '@causeway/chassis'
import { VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'
import { z } from 'zod'
import { OUTSTANDING } from '../requirements/store.ts'

const columns = {
  verification_id: z.string(),
  customer_id: z.string(),
  status: VerificationStatus,
  rejection_reason: VerificationRejectionReason.nullable(),
  status_since: z.date(),
  created_at: z.date(),
  submitted_at: z.date().nullable(),
  reviewed_at: z.date().nullable(),
  expires_at: z.date().nullable(),
}
const CaseRow = z.object(columns)
export type CaseRow = z.infer<typeof CaseRow>
const COLUMNS = `
  v.id AS verification_id, v.merchant_id AS customer_id, v.status, v.rejection_reason, v.status_since, v.created_at,
  v.submitted_at, v.reviewed_at, v.expires_at`

/** $1 id, $2 merchant, $3 now */
export const insert = statement({
  name: 'verifications.insert',
  text: `
    INSERT INTO verifications AS v (id, merchant_id, status, status_since, created_at)
    VALUES ($1, $2, 'draft', $3, $3)
    RETURNING ${COLUMNS}`,
  row: CaseRow,
})

/** What a move changes. */
export type Entries = Pick<
  CaseRow,
  'status' | 'rejection_reason' | 'submitted_at' | 'reviewed_at' | 'expires_at'
>

const update = statement({
  name: 'verifications.move',
  text: `
    UPDATE verifications v
    SET status = $2, rejection_reason = $3, submitted_at = $4, reviewed_at = $5, expires_at = $6, status_since = $7
    WHERE v.id = $1
    RETURNING ${COLUMNS}`,
  row: CaseRow,
})

/** Stores a move of a case whose merchant's row is held. */
export const move = async (
  tx: Queryable,
  verificationId: string,
  entries: Entries,
  now: Date,
): Promise<CaseRow> => {
  const { status, rejection_reason, submitted_at, reviewed_at, expires_at } = entries
  const [moved] = await tx.query(update, [
    verificationId,
    status,
    rejection_reason,
    submitted_at,
    reviewed_at,
    expires_at,
    now,
  ])
  if (!moved) throw new Error('A case of a held merchant is gone')
  return moved
}

/** For staff. $1 case */
export const readOne = statement({
  name: 'verifications.read-one',
  text: `SELECT ${COLUMNS} FROM verifications v WHERE v.id = $1`,
  row: CaseRow,
})

const ProgressRow = CaseRow.extend({
  /** What the case means to capabilities. */
  verification: z.enum(['required', 'approved', 'expired']),
  /** How many requirements are open or fulfilled. */
  outstanding: z.number(),
})
export type ProgressRow = z.infer<typeof ProgressRow>

/** A case with what decides over its moves. No row without a case. $1 merchant */
export const readProgress = statement({
  name: 'verifications.read-progress',
  text: `
    SELECT ${COLUMNS}, m.verification, (${OUTSTANDING('v.merchant_id')}) AS outstanding
    FROM verifications v JOIN merchants m ON m.id = v.merchant_id
    WHERE v.merchant_id = $1`,
  row: ProgressRow,
})

const PAGE = (where: string) => `
  SELECT ${COLUMNS} FROM verifications v
  WHERE ${where} (v.status_since, v.id) > ($1::timestamptz, $2)
  ORDER BY v.status_since, v.id LIMIT $3`

/** For staff: those first that have been longest in their status. $1 and $2 where the page before ended, $3 limit */
export const readPage = statement({ name: 'verifications.read-page', text: PAGE(''), row: CaseRow })

/** The same of one status. $4 status */
export const readPageOfStatus = statement({
  name: 'verifications.read-page-of-status',
  text: PAGE('v.status = $4 AND'),
  row: CaseRow,
})
