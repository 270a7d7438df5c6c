import { z } from 'zod'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp, TimestampInput } from '../primitives.ts'

/** Content of a report (decisions §48). */
export const ReportType = z.enum([
  'balance',
  'activity',
  'payout',
  'fees',
  'orders',
  'refunds',
  'disputes',
  'statement',
  'dac7',
  'dac8',
])
export type ReportType = z.infer<typeof ReportType>
export const ReportFormat = z.enum(['csv', 'json', 'parquet'])
export type ReportFormat = z.infer<typeof ReportFormat>

/** Balance entries that a report reads at most. */
export const MAX_REPORT_ENTRIES = 100_000
/** Reports of a partner that are kept. */
export const MAX_REPORTS = 100

/** A file about a period of the books, as of an instant. */
export const Report = z.object({
  report_id: idOf('report'),
  type: ReportType,
  format: ReportFormat,
  /** Inclusive. */
  from: Timestamp,
  /** Exclusive. */
  to: Timestamp,
  /** Postings recorded from this instant on are left out. */
  as_of: Timestamp,
  /** Null: every active relationship of the partner. */
  partner_customer_id: idOf('relationship').nullable(),
  status: z.enum(['queued', 'running', 'ready', 'failed']),
  /** Null until the report is ready. */
  rows: z.number().int().nullable(),
  /** SHA-256 of the file (hex). */
  sha256: z.string().nullable(),
  /** URL of the file, which needs no credential. */
  url: z.string().nullable(),
  /** When `url` stops working. */
  expires_at: Timestamp.nullable(),
})
export type Report = z.infer<typeof Report>

const body = z
  .strictObject({
    type: ReportType,
    from: TimestampInput.meta({ description: 'Earliest `recorded_at`, inclusive' }),
    to: TimestampInput.meta({ description: 'Latest `recorded_at`, exclusive' }),
    as_of: TimestampInput.optional().meta({
      description:
        'Entries recorded from this instant on are left out; not in the future, the time of the request if left out',
    }),
    format: ReportFormat,
    partner_customer_id: idOf('relationship').optional(),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    params: { reason: 'invalid_value', expected: 'a time after from' },
  })
export type ReportRequest = z.output<typeof body>

/** Bytes of a file that one answer holds. */
export const REPORT_PART_BYTES = 512 * 1024

const token = z.string().max(200)

/** `ledger.reports`: files for accounting (decisions §48). */
export const reports = resource('ledger.reports', {
  create: operation({
    operationId: 'createReport',
    http: post('/reports', { scopes: ['payments:read'], status: 202 }),
    tag: 'Balances',
    summary: 'Create a report about a period',
    description: `Use it to bring balances, entries, orders, fees, refunds or disputes into accounting, or what tax authorities ask of a platform (DAC7, DAC8), as CSV, JSON or Parquet. Read the report until it is \`ready\`. The same question with the same \`as_of\` gives the same bytes. A report reads at most ${MAX_REPORT_ENTRIES.toLocaleString('en')} balance entries.`,
    idempotent: 'optional',
    body,
    reply: z.object({ report: Report }),
    refusals: ['invalid_request', 'resource_not_found', 'limit_reached', 'idempotency_key_reuse'],
  }),
  get: operation({
    operationId: 'getReport',
    http: get('/reports/:reportId', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'Get a report and the URL of its file',
    description:
      'Use it until `status` is `ready`. `url` needs no credential and expires after five minutes; read the report again for another one. A report is kept for seven days.',
    params: z.object({ reportId: idOf('report') }),
    reply: z.object({ report: Report }),
    refusals: ['resource_not_found'],
  }),
  getFile: operation({
    operationId: 'downloadReport',
    summary: 'Download a report by its url',
    description: 'Use it before `expires_at`. The response is an attachment, and is never cached.',
    caller: 'public',
    params: z.object({ token }),
    reply: z.object({
      file_name: z.string(),
      mime_type: z.string(),
      file_size_bytes: z.number().int(),
      parts: z.number().int(),
    }),
    refusals: ['resource_not_found'],
  }),
  getPart: operation({
    summary: 'Read a part of a report’s file',
    caller: 'public',
    params: z.object({ token, part: z.string().regex(/^\d{1,6}$/) }),
    reply: z.object({ content_base64: z.string() }),
    refusals: ['resource_not_found'],
  }),
})
