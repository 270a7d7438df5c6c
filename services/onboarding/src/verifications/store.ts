import { queryMany, queryOne, type Queryable } from '@causeway/chassis'
import { VerificationRejectionReason, VerificationStatus } from '@causeway/contracts'
import { z } from 'zod'
import { MerchantVerification } from '../merchants/domain.ts'
import { outstandingOf } from '../requirements/store.ts'
import type { Transition } from './case.ts'

const CaseRow = z.object({
  verificationId: z.string(),
  merchantId: z.string(),
  status: VerificationStatus,
  rejectionReason: VerificationRejectionReason.nullable(),
  /** When the status, or while it is `pending` the data or a document, changed last. */
  statusSince: z.date(),
  version: z.number(),
  createdAt: z.date(),
  submittedAt: z.date().nullable(),
  reviewedAt: z.date().nullable(),
  expiresAt: z.date().nullable(),
})
export type CaseRow = z.infer<typeof CaseRow>
const COLUMNS = `
  v.id AS verification_id, v.merchant_id, v.status, v.rejection_reason, v.status_since, v.version, v.created_at,
  v.submitted_at, v.reviewed_at, v.expires_at`

/** Inserts a draft. */
export const insert = queryOne({
  name: 'verifications.insert',
  parameters: { verificationId: 'text', merchantId: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO verifications AS v (id, merchant_id, status, status_since, created_at)
    VALUES (:verificationId, :merchantId, 'draft', :now, :now)
    RETURNING ${COLUMNS}`,
  row: CaseRow,
})

const update = queryOne({
  name: 'verifications.move',
  parameters: {
    verificationId: 'text',
    status: 'text',
    rejectionReason: 'text?',
    submittedAt: 'timestamptz?',
    reviewedAt: 'timestamptz?',
    expiresAt: 'timestamptz?',
    now: 'timestamptz',
  },
  text: `
    UPDATE verifications v
    SET status = :status, rejection_reason = :rejectionReason, submitted_at = :submittedAt,
        reviewed_at = :reviewedAt, expires_at = :expiresAt, status_since = :now, version = version + 1
    WHERE v.id = :verificationId
    RETURNING ${COLUMNS}`,
  row: CaseRow,
})

/** Stores a transition of a case whose merchant's row is locked. */
export const updateStatus = async (
  tx: Queryable,
  verificationId: string,
  transition: Transition,
  now: Date,
): Promise<CaseRow> => {
  const updated = await update(tx, { ...transition, verificationId, now })
  if (!updated) throw new Error('A case has no row although its merchant is locked')
  return updated
}

/** For a decision: documents are reviewed without the lock of the merchant's row. */
export const lock = queryOne({
  name: 'verifications.hold',
  parameters: { verificationId: 'text' },
  text: `SELECT ${COLUMNS} FROM verifications v WHERE v.id = :verificationId FOR UPDATE`,
  row: CaseRow,
})

/** For staff. */
export const get = queryOne({
  name: 'verifications.read-one',
  parameters: { verificationId: 'text' },
  text: `SELECT ${COLUMNS} FROM verifications v WHERE v.id = :verificationId`,
  row: CaseRow,
})

const ProgressRow = CaseRow.extend({
  /** Effect of the case on capabilities. */
  verification: MerchantVerification,
  /** How many requirements are open or fulfilled. */
  outstanding: z.number(),
})
export type ProgressRow = z.infer<typeof ProgressRow>

/** A merchant's case with what its transitions depend on. */
export const getProgress = queryOne({
  name: 'verifications.read-progress',
  parameters: { merchantId: 'text' },
  text: `
    SELECT ${COLUMNS}, m.verification, (${outstandingOf('v.merchant_id')}) AS outstanding
    FROM verifications v JOIN merchants m ON m.id = v.merchant_id
    WHERE v.merchant_id = :merchantId`,
  row: ProgressRow,
})

const ListedRow = CaseRow.extend({ customerName: z.string().nullable() })
export type ListedRow = z.infer<typeof ListedRow>

const pageWhere = (condition: string) => `
  SELECT ${COLUMNS}, (
      SELECT min(r.customer_name) FROM relationships r WHERE r.merchant_id = v.merchant_id AND r.status = 'active'
    ) AS customer_name
  FROM verifications v
  WHERE ${condition} (v.status_since, v.id) > (:at, :id)
  ORDER BY v.status_since, v.id LIMIT :limit`

/** For staff: one page of the cases, those first that have not changed for the longest time. */
export const listPage = queryMany({
  name: 'verifications.read-page',
  parameters: { at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: pageWhere(''),
  row: ListedRow,
})

/** For staff: the same of one status. */
export const listPageOfStatus = queryMany({
  name: 'verifications.read-page-of-status',
  parameters: { status: 'text', at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: pageWhere('v.status = :status AND'),
  row: ListedRow,
})
