import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { SettlementLine } from '@causeway/rails/settlements'
import { z } from 'zod'
import { inTransaction } from '../database.ts'
import {
  type AccountCurrency,
  type Payout,
  type SettlementFault,
  type SettlementEvent,
  settlePeriod,
} from './settlement-rules.ts'

const KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'payout'] as const

const LineColumns = z.object({
  seq: z.number(),
  lineId: z.string(),
  kind: z.enum(KINDS),
  processorOrderId: z.string().nullable(),
  grossCents: z.number(),
  feeCents: z.number(),
  netCents: z.number(),
  currency: z.string(),
  availableOn: z.string(),
  payoutRef: z.string(),
  originalCents: z.number().nullable(),
  originalCurrency: z.string().nullable(),
  originalRate: z.string().nullable(),
})
const LineRow = LineColumns.transform(
  ({ originalCents: cents, originalCurrency: currency, originalRate: rate, ...line }) => ({
    ...line,
    original: cents === null || currency === null ? null : { cents, currency, rate },
  }),
)
/** A line with its place in the report. */
export type SettledLine = SettlementLine & Readonly<{ seq: number }>

const EventRow = z.object({
  eventId: z.string(),
  kind: z.enum(KINDS),
  paymentId: z.string(),
  orderKey: z.string(),
  grossCents: z.number(),
  currency: z.string(),
})

/** `card_settled`: what was in a period, also where its line was left out. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS card_settled (event_id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS card_settlement_lines (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    line_id TEXT NOT NULL UNIQUE,
    processor TEXT NOT NULL,
    kind TEXT NOT NULL,
    processor_order_id TEXT,
    gross_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    net_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    available_on TEXT NOT NULL,
    payout_ref TEXT NOT NULL,
    original_cents INTEGER,
    original_currency TEXT,
    original_rate TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS card_settlement_lines_by_processor ON card_settlement_lines (processor, seq);
`

/** A folder from before accounts of one currency. */
const addColumns = (database: DatabaseSync): void => {
  const columns = database.prepare("SELECT name FROM pragma_table_info('card_settlement_lines')").all()
  if (columns.some(({ name }) => name === 'original_cents')) return
  for (const column of ['original_cents INTEGER', 'original_currency TEXT', 'original_rate TEXT'])
    database.exec(`ALTER TABLE card_settlement_lines ADD COLUMN ${column}`)
}

const COLUMNS = `line_id AS lineId, kind, processor_order_id AS processorOrderId, gross_cents AS grossCents,
  fee_cents AS feeCents, net_cents AS netCents, currency, available_on AS availableOn, payout_ref AS payoutRef,
  original_cents AS originalCents, original_currency AS originalCurrency, original_rate AS originalRate`

/** A refund that failed is settled twice: when it is made, and when its money returns. */
const STATEMENTS = {
  open: `
    SELECT e.* FROM (
      SELECT 'payment:' || p.payment_id AS eventId, 'payment' AS kind, p.payment_id AS paymentId,
        p.order_key AS orderKey, p.paid_cents AS grossCents, p.currency, 1 AS rank, p.seq
      FROM card_payments p WHERE p.processor = :processor AND p.paid_cents > 0
      UNION ALL
      SELECT 'refund:' || r.refund_id, 'refund', p.payment_id, p.order_key, -r.amount_cents, p.currency, 2, r.seq
      FROM card_refunds r JOIN card_payments p USING (payment_id) WHERE p.processor = :processor
      UNION ALL
      SELECT 'refund failure:' || r.refund_id, 'refund', p.payment_id, p.order_key, r.amount_cents, p.currency, 3, r.seq
      FROM card_refunds r JOIN card_payments p USING (payment_id)
      WHERE p.processor = :processor AND r.status = 'failed'
      UNION ALL
      SELECT 'dispute:' || d.dispute_id, 'dispute', p.payment_id, p.order_key,
        -coalesce(d.amount_cents, p.paid_cents - (
          SELECT coalesce(sum(r.amount_cents), 0) FROM card_refunds r
          WHERE r.payment_id = p.payment_id AND r.status <> 'failed')),
        coalesce(d.currency, p.currency), 4, d.seq
      FROM card_disputes d JOIN card_payments p USING (payment_id) WHERE p.processor = :processor
    ) e
    WHERE NOT EXISTS (SELECT 1 FROM card_settled s WHERE s.event_id = e.eventId) ORDER BY e.rank, e.seq`,
  settle: `INSERT INTO card_settled (event_id) VALUES (?)`,
  insert: `INSERT INTO card_settlement_lines (line_id, processor, kind, processor_order_id, gross_cents, fee_cents,
      net_cents, currency, available_on, payout_ref, original_cents, original_currency, original_rate)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  page: `SELECT seq, ${COLUMNS} FROM card_settlement_lines WHERE processor = ? AND seq > ? ORDER BY seq LIMIT ?`,
} as const

/** Books a payout of a processor at the bank. A negative amount is taken from the account. @returns the id of the line */
export type BookPayout = (payout: Payout) => string

/** The settlement reports of the processors, a period after another. */
export const createSettlements = (database: DatabaseSync, clock: Clock, bookPayout: BookPayout) => {
  database.exec(TABLES)
  addColumns(database)
  const prepared = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, text]) => [name, database.prepare(text)]),
  ) as Record<keyof typeof STATEMENTS, ReturnType<DatabaseSync['prepare']>>

  return {
    /**
     * Closes a period with everything that moved money since the last one, settled in one currency where `account` says so.
     * @throws SandboxError 409 for a fault whose order has no line in the period
     */
    close: (processor: string, faults: readonly SettlementFault[], account: AccountCurrency | null) =>
      inTransaction(database, () => {
        const rows = EventRow.array().parse(prepared.open.all({ processor }))
        const events: SettlementEvent[] = rows.map(({ eventId: _id, ...event }) => event)
        const availableOn = new Date(clock.nowMs()).toISOString().slice(0, 10)
        const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
        const { lines, payouts } = settlePeriod(events, faults, { newId, availableOn, account })
        for (const { eventId } of rows) prepared.settle.run(eventId)
        for (const line of lines)
          prepared.insert.run(
            ...[line.lineId, processor, line.kind, line.processorOrderId, line.grossCents, line.feeCents],
            ...[line.netCents, line.currency, line.availableOn, line.payoutRef],
            ...[line.original?.cents ?? null, line.original?.currency ?? null, line.original?.rate ?? null],
          )
        const booked = payouts.map((payout) => ({
          ...payout,
          bankLineId: payout.amountCents === 0 ? null : bookPayout(payout),
        }))
        return { lines: lines.length, payouts: booked }
      }),
    /** Lines after a place, oldest first. */
    page: (processor: string, after: number, limit: number): SettledLine[] =>
      LineRow.array().parse(prepared.page.all(processor, after, limit)),
  }
}

export type Settlements = ReturnType<typeof createSettlements>
