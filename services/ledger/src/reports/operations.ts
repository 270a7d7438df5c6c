import {
  createDownloadTokens,
  fingerprintOf,
  implement,
  newId,
  refuse,
  reply,
  withIdempotency,
  type Db,
  type Implementation,
  type OperationRequest,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { MAX_REPORT_ENTRIES, MAX_REPORTS, reports, type Report } from '@causeway/contracts'
import type { Relationships } from '../relationships/relationships.ts'
import { FORMATS } from './formats.ts'
import { entriesOf } from './read-rows.ts'
import * as store from './store.ts'

/** How long a report is kept (decisions §48). */
export const KEPT_MS = 7 * 86_400_000
/** How long a download may take. */
const DOWNLOAD_MS = 3_600_000

type Creation = OperationRequest<typeof reports.create>
type Dependencies = Readonly<{
  relationships: Relationships
  /** Authenticates the URLs of files. */
  signer: Pick<Vault, 'mac'>
  publicBaseUrl: string
  /** Called when a report waits to be made. */
  onQueued: () => void
}>

const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS)

const questionOf = ({ caller: { partnerId }, body, now }: Creation) => ({
  partnerId,
  type: body.type,
  format: body.format,
  fromAt: new Date(body.from),
  toAt: new Date(body.to),
  asOf: body.as_of === undefined ? now : new Date(body.as_of),
  partnerCustomerId: body.partner_customer_id ?? null,
})
type Question = ReturnType<typeof questionOf>

/** Fixes the postings that a report lists. @returns a refusal where they are too many */
const closePeriod = async (db: Db, { partnerId, partnerCustomerId, fromAt, toAt, asOf }: Question) => {
  const closed = await store.closePeriod(db.pooled, { from: fromAt, at: asOf < toAt ? asOf : toAt })
  if (closed === null) throw new Error('The head of the books is missing')
  const postings = { after: BigInt(closed.after), through: BigInt(closed.through) }
  const periods = await store.listAccountPeriods(db.pooled, { partnerId, partnerCustomerId, ...postings })
  const entries = periods.reduce((sum, period) => sum + entriesOf(period), 0)
  return entries > MAX_REPORT_ENTRIES ? { postings, entries } : { postings, entries: null }
}

const insert = async (
  tx: Transaction,
  question: Question & Readonly<{ after: bigint; through: bigint }>,
  now: Date,
) => {
  const { partnerId } = question
  await store.lockPartner(tx, { partnerId })
  const kept = await store.countReports(tx, { partnerId, since: keptSince(now) })
  if ((kept?.reports ?? 0) >= MAX_REPORTS)
    return refuse('limit_reached', [{ resource: 'reports', limit: MAX_REPORTS }])
  const reportId = newId('report')
  await store.insertReport(tx, { ...question, reportId, now })
  const row = { ...question, reportId, status: 'queued', rows: null, sha256: null } as const
  return reply({ report: present(row, null) })
}

type Presented = Omit<store.ReportRow, 'after' | 'through' | 'bytes' | 'parts'>

const present = (row: Presented, link: Readonly<{ url: string; expiresAt: Date }> | null): Report => ({
  report_id: row.reportId,
  type: row.type,
  format: row.format,
  from: row.fromAt.toISOString(),
  to: row.toAt.toISOString(),
  as_of: row.asOf.toISOString(),
  partner_customer_id: row.partnerCustomerId,
  status: row.status,
  rows: row.rows,
  sha256: row.sha256,
  url: link?.url ?? null,
  expires_at: link?.expiresAt.toISOString() ?? null,
})

const nameOf = ({ type, format, fromAt, toAt }: store.ReportRow): string => {
  const [from, to] = [fromAt, toAt].map((time) => time.toISOString().slice(0, 10))
  return `${type}_${from}_${to}.${format}`
}

/** `ledger.reports` (decisions §48). */
export const reportOperations = (
  db: Db,
  { relationships, signer, publicBaseUrl, onQueued }: Dependencies,
): Implementation[] => {
  const downloads = createDownloadTokens(signer, 'report-download')

  const create = async (request: Creation) => {
    const { caller, idempotencyKey: key, requestId, body, now } = request
    const question = questionOf(request)
    if (question.asOf > now)
      return refuse('invalid_request', [
        { field: 'as_of', reason: 'invalid_value', expected: 'a time that is not in the future' },
      ])
    const { partnerId, partnerCustomerId } = question
    if (partnerCustomerId !== null) {
      const refusal = await relationships.refuseUnknown({ partnerId, partnerCustomerId })
      if (refusal) return refusal
    }
    const { postings, entries } = await closePeriod(db, question)
    if (entries !== null)
      return refuse('invalid_request', [
        {
          field: 'to',
          reason: 'too_big',
          expected: `at most ${MAX_REPORT_ENTRIES} entries; it has ${entries}`,
        },
      ])
    const asked = { ...question, ...postings }
    if (key === undefined) return db.transaction((tx) => insert(tx, asked, now))
    const use = {
      ...{ partnerId: caller.partnerId, operation: reports.create.subject, key, requestId, now },
      fingerprint: fingerprintOf(null, body),
    }
    return withIdempotency(db, use, (tx) => insert(tx, asked, now))
  }

  return implement(reports, {
    async create(request) {
      const outcome = await create(request)
      if (outcome.ok) onQueued()
      return outcome
    },

    async get({ caller: { partnerId }, params: { reportId }, now }) {
      const row = await store.getReport(db, { partnerId, reportId, since: keptSince(now) })
      if (row === null) return refuse('resource_not_found')
      if (row.status !== 'ready') return reply({ report: present(row, null) })
      const { token, expiresAt } = downloads.issue(reportId, now)
      return reply({
        report: present(row, { url: `${publicBaseUrl}/downloads/reports/${token}`, expiresAt }),
      })
    },

    async getFile({ params: { token }, now }) {
      const reportId = downloads.read(token, now)
      const row = reportId === null ? null : await store.getFile(db, { reportId, since: keptSince(now) })
      if (row === null || row.bytes === null || row.parts === null) return refuse('resource_not_found')
      const { mimeType } = FORMATS[row.format]
      return reply({
        file_name: nameOf(row),
        mime_type: mimeType,
        file_size_bytes: row.bytes,
        parts: row.parts,
      })
    },

    async getPart({ params: { token, part }, now }) {
      const reportId = downloads.read(token, now, DOWNLOAD_MS)
      const found = reportId === null ? null : await store.getPart(db, { reportId, part: Number(part) })
      return found === null
        ? refuse('resource_not_found')
        : reply({ content_base64: found.content.toString('base64') })
    },
  })
}
