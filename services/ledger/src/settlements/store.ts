import { batchOf, queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import type { SettlementLine } from '@causeway/rails/settlements'
import { z } from 'zod'
import { lockSource } from '../import-files/store.ts'

const LINES = batchOf<SettlementLine>()('line', {
  lineId: ['text', (line) => line.lineId],
  kind: ['text', (line) => line.kind],
  processorOrderId: ['text?', (line) => line.processorOrderId],
  grossCents: ['bigint', (line) => line.grossCents],
  feeCents: ['bigint', (line) => line.feeCents],
  netCents: ['bigint', (line) => line.netCents],
  currency: ['text', (line) => line.currency],
  availableOn: ['text', (line) => line.availableOn],
  payoutRef: ['text?', (line) => line.payoutRef],
  originalCents: ['bigint?', ({ original }) => original?.cents ?? null],
  originalCurrency: ['text?', ({ original }) => original?.currency ?? null],
  originalRate: ['decimal?', ({ original }) => original?.rate ?? null],
})
const COLUMNS = `line_id, kind, processor_order_id, gross_cents, fee_cents, net_cents, currency, available_on, payout_ref,
  original_cents, original_currency, original_rate`
const GIVEN = COLUMNS.replace('available_on', 'available_on::date')

const insert = queryMany({
  name: 'settlements.insert-lines',
  parameters: { ...LINES.parameters, processor: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO settlement_lines (processor, imported_at, ${COLUMNS})
    SELECT :processor, :now, ${GIVEN} FROM ${LINES.from('l')} ORDER BY line_id
    ON CONFLICT (processor, line_id) DO NOTHING RETURNING line_id`,
  row: z.object({ lineId: z.string() }),
})

/** A line that an older version imported lacks what it was before its conversion; that is no other content. */
const listOthers = queryMany({
  name: 'settlements.list-other-lines',
  parameters: { ...LINES.parameters, processor: 'text' },
  text: `
    SELECT l.line_id FROM ${LINES.from('l')}
      JOIN settlement_lines AS s ON s.processor = :processor AND s.line_id = l.line_id
    WHERE (s.kind, s.processor_order_id, s.gross_cents, s.fee_cents, s.net_cents, s.currency, s.available_on, s.payout_ref)
      IS DISTINCT FROM (l.kind, l.processor_order_id, l.gross_cents, l.fee_cents, l.net_cents, l.currency,
        l.available_on::date, l.payout_ref)
      OR s.original_currency IS NOT NULL AND (s.original_cents, s.original_currency, s.original_rate)
        IS DISTINCT FROM (l.original_cents, l.original_currency, l.original_rate)`,
  row: z.object({ lineId: z.string() }),
})

/** Checks whether the books have payments of a processor. */
export const isKnownProcessor = queryOne({
  name: 'settlements.is-known-processor',
  parameters: { account: 'text' },
  text: 'SELECT EXISTS (SELECT FROM books.accounts WHERE name = :account) AS known',
  row: z.object({ known: z.boolean() }),
})

/**
 * Stores the day from which the reports of a processor are compared: the earliest of its first report, whose pages come one
 * after another where it is fetched, or the day that an import states.
 */
const saveBeginning = queryNone({
  name: 'settlements.save-beginning',
  parameters: { processor: 'text', beginsAt: 'timestamptz', stated: 'boolean', now: 'timestamptz' },
  text: `
    INSERT INTO settlement_sources AS s (processor, begins_on, stated, first_imported_at)
    VALUES (:processor, (:beginsAt AT TIME ZONE 'UTC')::date, :stated, :now)
    ON CONFLICT (processor) DO UPDATE SET
      begins_on = CASE WHEN excluded.stated THEN excluded.begins_on ELSE least(s.begins_on, excluded.begins_on) END,
      stated = excluded.stated,
      first_imported_at = CASE WHEN excluded.stated THEN s.first_imported_at ELSE excluded.first_imported_at END
    WHERE excluded.stated OR (NOT s.stated AND EXISTS (
      SELECT FROM settlement_reports AS r WHERE r.processor = s.processor AND r.read_at IS NULL))`,
})

type Import = Readonly<{ processor: string; lines: readonly SettlementLine[]; now: Date }>

type FirstDay = Readonly<{
  processor: string
  /** The earliest day of the report, where it has lines. */
  earliest: string | undefined
  /** The day from which the processor's reports are compared, where the import states it. */
  from?: string | undefined
  now: Date
}>

/** Stores the day from which the reports of a processor are compared, in the transaction of the lines of a report. */
export const saveFirstDay = async (
  tx: Queryable,
  { processor, earliest, from, now }: FirstDay,
): Promise<void> => {
  const beginsOn = from ?? earliest
  if (beginsOn !== undefined)
    await saveBeginning(tx, { processor, beginsAt: new Date(beginsOn), stated: from !== undefined, now })
}

/**
 * Stores the lines that are not known. Lines of one call have different ids.
 * @returns the ids of those that were stored, and of those that are known with other content
 */
export const storeLines = async (
  tx: Queryable,
  { processor, lines, now }: Import,
): Promise<Readonly<{ stored: ReadonlySet<string>; differing: ReadonlySet<string> }>> => {
  const values = LINES.values(lines)
  const idsOf = (rows: readonly { lineId: string }[]) => new Set(rows.map(({ lineId }) => lineId))
  const stored = idsOf(await insert(tx, { ...values, processor, now }))
  const differing = idsOf(await listOthers(tx, { ...values, processor }))
  return { stored, differing }
}

/** Writers of lines with one name follow one another. */
export const sourceNameOf = (processor: string): string => `processor:${processor}`

/** Stores a page of a report: its first day, and its lines as {@link storeLines} does. */
export const insertPage = async (tx: Queryable, page: Import) => {
  const { processor, lines, now } = page
  await lockSource(tx, { source: sourceNameOf(processor) })
  const [earliest] = lines.map(({ availableOn }) => availableOn).toSorted()
  await saveFirstDay(tx, { processor, earliest, now })
  return storeLines(tx, page)
}
