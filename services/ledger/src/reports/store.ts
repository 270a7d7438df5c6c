import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { BalanceName, ENTRY_KINDS, Report, ReportFormat, ReportType } from '@causeway/contracts'
import { z } from 'zod'

/**
 * Has everything that is posted from now on recorded at `at` or later. The postings of a report are those after `after`
 * up to `through`, and never others.
 */
export const closePeriod = queryOne({
  name: 'reports.close-period',
  parameters: { from: 'timestamptz', at: 'timestamptz' },
  text: `
    SELECT books.close_until(:at)::text AS through, coalesce((
      SELECT j.seq FROM books.journal AS j WHERE j.recorded_at < :from ORDER BY j.recorded_at DESC, j.seq DESC LIMIT 1
    ), 0)::text AS after`,
  row: z.object({ through: z.string(), after: z.string() }),
})

const KINDS = ENTRY_KINDS.map((kind) => `('${kind}')`).join(', ')

/** The newest entry of an account up to a posting: one index serves each kind. */
const entryUpTo = (seq: string): string => `
  SELECT e.number, e.balance_after
  FROM (VALUES ${KINDS}) AS wanted (kind)
  CROSS JOIN LATERAL (
    SELECT * FROM books.entries AS each
    WHERE each.account_id = a.id AND each.kind = wanted.kind AND each.seq <= ${seq}
    ORDER BY each.seq DESC, each.line DESC LIMIT 1
  ) AS e
  ORDER BY e.seq DESC, e.line DESC LIMIT 1`

const AccountPeriod = z.object({
  accountId: z.string(),
  ownerId: z.string(),
  unit: z.string(),
  balance: BalanceName,
  first: z.string(),
  last: z.string(),
  opening: z.string(),
  closing: z.string(),
})
/** An account in a period: the numbers of its entries (none if `last` is below `first`) and its balances. */
export type AccountPeriod = Readonly<z.infer<typeof AccountPeriod>>

/** The accounts of a partner's active relationships, or of one of them, that had entries or money in a period. */
export const listAccountPeriods = queryMany({
  name: 'reports.account-periods',
  parameters: { partnerId: 'text', partnerCustomerId: 'text?', after: 'bigint', through: 'bigint' },
  text: `
    SELECT a.id::text AS account_id, a.owner_id, a.unit, a.balance,
      (coalesce(earlier.number, 0) + 1)::text AS first, upto.number::text AS last,
      coalesce(earlier.balance_after, 0)::text AS opening, upto.balance_after::text AS closing
    FROM relationships AS r
    JOIN books.accounts AS a ON a.owner_id = r.partner_customer_id
    CROSS JOIN LATERAL (${entryUpTo(':through')}) AS upto
    LEFT JOIN LATERAL (${entryUpTo('least(:after, :through)')}) AS earlier ON true
    WHERE r.partner_id = :partnerId AND r.status = 'active'
      AND (r.partner_customer_id = :partnerCustomerId OR :partnerCustomerId IS NULL)
      AND (upto.balance_after <> 0 OR upto.number > coalesce(earlier.number, 0))
    ORDER BY a.owner_id COLLATE "C", a.unit COLLATE "C", a.id`,
  row: AccountPeriod,
})

/** Creations of reports of one partner wait for each other: the transaction then sees all others. */
export const lockPartner = queryOne({
  name: 'reports.lock-partner',
  parameters: { partnerId: 'text' },
  text: `SELECT pg_advisory_xact_lock(hashtextextended('reports of ' || :partnerId, 0))::text AS locked`,
  row: z.object({ locked: z.string() }),
})

export const countReports = queryOne({
  name: 'reports.count',
  parameters: { partnerId: 'text', since: 'timestamptz' },
  text: `
    SELECT count(*)::integer AS reports FROM reports WHERE partner_id = :partnerId AND created_at >= :since`,
  row: z.object({ reports: z.number() }),
})

const question = {
  reportId: 'text',
  partnerId: 'text',
  type: 'text',
  format: 'text',
  fromAt: 'timestamptz',
  toAt: 'timestamptz',
  asOf: 'timestamptz',
  partnerCustomerId: 'text?',
  after: 'bigint',
  through: 'bigint',
} as const

export const insertReport = queryNone({
  name: 'reports.insert',
  parameters: { ...question, now: 'timestamptz' },
  text: `
    INSERT INTO reports (report_id, partner_id, type, format, from_at, to_at, as_of, partner_customer_id, after_seq,
      through_seq, status, created_at)
    VALUES (:reportId, :partnerId, :type, :format, :fromAt, :toAt, :asOf, :partnerCustomerId, :after, :through, 'queued',
      :now)`,
})

const Question = z.object({
  reportId: z.string(),
  partnerId: z.string(),
  type: ReportType,
  format: ReportFormat,
  fromAt: z.date(),
  toAt: z.date(),
  asOf: z.date(),
  partnerCustomerId: z.string().nullable(),
  after: z.string(),
  through: z.string(),
})
/** The question that a report answers. */
export type Question = Readonly<z.infer<typeof Question>>
const QUESTION = `report_id, partner_id, type, format, from_at, to_at, as_of, partner_customer_id,
      after_seq::text AS after, through_seq::text AS through`

const ReportRow = Question.extend({
  status: Report.shape.status,
  rows: z.number().nullable(),
  bytes: z.number().nullable(),
  parts: z.number().nullable(),
  sha256: z.string().nullable(),
})
export type ReportRow = Readonly<z.infer<typeof ReportRow>>

/** A revoked relationship is hidden from its partner, as are reports about it. */
const IS_SHOWN = `(partner_customer_id IS NULL OR EXISTS (
      SELECT FROM relationships AS r
      WHERE r.partner_customer_id = reports.partner_customer_id AND r.status = 'active'))`

/** A report of a partner that is kept. */
export const getReport = queryOne({
  name: 'reports.get',
  parameters: { partnerId: 'text', reportId: 'text', since: 'timestamptz' },
  text: `
    SELECT ${QUESTION}, status, rows, bytes, parts, sha256
    FROM reports
    WHERE report_id = :reportId AND partner_id = :partnerId AND created_at >= :since AND ${IS_SHOWN}`,
  row: ReportRow,
})

/** A report that is ready, for the holder of its token. */
export const getFile = queryOne({
  name: 'reports.file',
  parameters: { reportId: 'text', since: 'timestamptz' },
  text: `
    SELECT ${QUESTION}, status, rows, bytes, parts, sha256
    FROM reports
    WHERE report_id = :reportId AND status = 'ready' AND created_at >= :since AND ${IS_SHOWN}`,
  row: ReportRow,
})

export const getPart = queryOne({
  name: 'reports.part',
  parameters: { reportId: 'text', part: 'integer' },
  text: 'SELECT content FROM report_parts WHERE report_id = :reportId AND part = :part',
  row: z.object({ content: z.instanceof(Buffer) }),
})

const held = { reportId: 'text', holder: 'text' } as const

/** Claims the oldest report that waits, or whose holder has died. */
export const claimReport = queryOne({
  name: 'reports.claim',
  parameters: { holder: 'text', now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    UPDATE reports SET status = 'running', holder = :holder, lease_until = :leaseUntil, attempts = attempts + 1
    WHERE report_id = (
      SELECT report_id FROM reports
      WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until < :now)
      ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT 1)
    RETURNING ${QUESTION}, attempts`,
  row: Question.extend({ attempts: z.number() }),
})

export const renewReport = queryNone({
  name: 'reports.renew',
  parameters: { ...held, leaseUntil: 'timestamptz' },
  text: `UPDATE reports SET lease_until = :leaseUntil WHERE report_id = :reportId AND holder = :holder`,
})

/** Ends an attempt that failed: the report waits for the next one, or has failed. */
export const endAttempt = queryNone({
  name: 'reports.end-attempt',
  parameters: { ...held, status: 'text' },
  text: `
    UPDATE reports SET status = :status, holder = NULL, lease_until = NULL
    WHERE report_id = :reportId AND holder = :holder`,
})

/** Null: another replica makes the report. */
export const markReady = queryOne({
  name: 'reports.ready',
  parameters: { ...held, rows: 'integer', bytes: 'integer', parts: 'integer', sha256: 'text' },
  text: `
    UPDATE reports SET status = 'ready', holder = NULL, lease_until = NULL, rows = :rows, bytes = :bytes,
      parts = :parts, sha256 = :sha256
    WHERE report_id = :reportId AND holder = :holder RETURNING report_id`,
  row: z.object({ reportId: z.string() }),
})

export const insertPart = queryNone({
  name: 'reports.insert-part',
  parameters: { reportId: 'text', part: 'integer', content: 'bytea' },
  text: 'INSERT INTO report_parts (report_id, part, content) VALUES (:reportId, :part, :content)',
})

/** Deletes reports that are kept no longer, with their files. */
export const deleteOldReports = queryMany({
  name: 'reports.delete-old',
  parameters: { before: 'timestamptz', limit: 'integer' },
  text: `
    DELETE FROM reports WHERE report_id IN (
      SELECT report_id FROM reports WHERE created_at < :before ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    RETURNING report_id`,
  row: z.object({ reportId: z.string() }),
})
