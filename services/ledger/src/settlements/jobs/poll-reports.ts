import {
  NotDoneError,
  startLoop,
  type Clock,
  type Db,
  type Logger,
  type Loop,
  type ServiceClient,
} from '@causeway/chassis'
import { settlementReports, type ReportLine } from '@causeway/contracts'
import type { SettlementLine } from '@causeway/rails/settlements'
import { valueOf } from '../../comparison/settle-facts.ts'
import * as store from '../poll-store.ts'
import { insertPage } from '../store.ts'

const LOOK_EVERY_MS = 5_000
/** Stripe's page needs a call per payment. Payments bounds each of them by less. */
const READ_TIMEOUT_MS = 5_000
/** Longer than a page takes. */
const CLAIM_MS = 60_000
const RETRY_MS = 10_000

export type PollContext = Readonly<{
  db: Db
  clock: Pick<Clock, 'now' | 'nowMs'>
  log: Logger
  ask: ServiceClient
  pollMs: number
}>

const readLine = (line: ReportLine): SettlementLine => ({
  lineId: line.line_id,
  kind: line.kind,
  processorOrderId: line.processor_order_id,
  grossCents: line.gross_cents,
  feeCents: line.fee_cents,
  netCents: line.net_cents,
  currency: line.currency,
  original: line.original ?? null,
  availableOn: line.available_on,
  payoutRef: line.payout_ref,
})

/** Lines of one page with the same id are one line: pages may repeat lines. */
const distinct = (lines: readonly SettlementLine[]): SettlementLine[] => [
  ...new Map(lines.map((line) => [line.lineId, line])).values(),
]

/** Stores a page of a report with its place. @returns the next position; null after the last page */
const readPage = async (
  { db, clock, log, ask, pollMs }: PollContext,
  processor: string,
  from: string | null,
): Promise<string | null> => {
  const request = { processor, position: from }
  const page = valueOf('payments', await ask(settlementReports.read, request, { timeoutMs: READ_TIMEOUT_MS }))
  const now = clock.now()
  const dueAt = new Date(now.getTime() + (page.is_last ? pollMs : CLAIM_MS))
  const differing = await db.transaction(async (tx) => {
    const stored = await insertPage(tx, { processor, lines: distinct(page.lines.map(readLine)), now })
    const place = { processor, from, position: page.position, complete: page.is_last, dueAt }
    if ((await store.savePosition(tx, { ...place, readAt: page.is_last ? now : null })) === null)
      throw new NotDoneError(`Another replica reads the report of ${processor}`)
    return stored.differing
  })
  for (const lineId of differing)
    log.error(
      { event: 'ledger.settlement_line_differs', processor, lineId },
      'A processor reports a known line with other content; nothing was changed',
    )
  return page.is_last ? null : page.position
}

const readReport = async (
  context: PollContext,
  { processor, position }: Readonly<{ processor: string; position: string | null }>,
  signal: AbortSignal,
): Promise<void> => {
  try {
    for (let from = position; ;) {
      signal.throwIfAborted()
      const next = await readPage(context, processor, from)
      if (next === null) return
      from = next
    }
  } catch (error) {
    const dueAt = new Date(context.clock.nowMs() + Math.min(RETRY_MS, context.pollMs))
    await store.postponeReport(context.db, { processor, dueAt })
    throw error
  }
}

/** Reads the settlement reports that processors offer, each in one replica at a time (decisions §51). */
export const startPolling = (context: PollContext): Loop => {
  const { db, clock, log, ask, pollMs } = context
  let processors: readonly string[] = []
  let listAtMs = 0
  return startLoop({
    name: 'poll-settlement-reports',
    everyMs: Math.min(LOOK_EVERY_MS, pollMs),
    restMs: 0,
    log,
    async run(signal) {
      if (clock.nowMs() >= listAtMs) {
        processors = valueOf('payments', await ask(settlementReports.list, undefined)).processors
        listAtMs = clock.nowMs() + pollMs
        await store.addReports(db, { processors, now: clock.now() })
      }
      const until = new Date(clock.nowMs() + CLAIM_MS)
      const due = await store.claimReports(db, { processors, now: clock.now(), until })
      const ends = await Promise.allSettled(due.map((each) => readReport(context, each, signal)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  })
}
