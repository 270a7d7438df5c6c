import { batchOf, queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** The processors with lines to compare, or with amounts that may be overdue. */
export const listProcessors = queryMany({
  name: 'settlements.processors',
  text: `
    SELECT processor FROM (
      SELECT DISTINCT processor FROM settlement_lines WHERE status <> 'done'
      UNION SELECT DISTINCT processor FROM settlement_items WHERE status = 'open'
    ) AS each ORDER BY processor`,
  row: z.object({ processor: z.string() }),
})

/** When the facts of payments were last compared: the books have what payments knew then. */
export const getComparedAt = queryOne({
  name: 'settlements.compared-at',
  text: "SELECT compared_at FROM fact_comparisons WHERE service = 'payments' AND compared_at IS NOT NULL",
  row: z.object({ comparedAt: z.date() }),
})

const ofProcessor = { processor: 'text' } as const

/** When the reports of a processor begin. */
const BEGINNING = `
          SELECT begins_on::timestamp AT TIME ZONE 'UTC' FROM settlement_sources WHERE processor = :processor`

/** Payments whose orders are not looked up yet. */
export const listNewOrders = queryMany({
  name: 'settlements.new-orders',
  parameters: { ...ofProcessor, limit: 'integer' },
  text: `
    SELECT DISTINCT processor_order_id FROM settlement_lines
    WHERE processor = :processor AND status = 'new' AND processor_order_id IS NOT NULL
    ORDER BY processor_order_id LIMIT :limit`,
  row: z.object({ processorOrderId: z.string() }),
})

const FOUND = batchOf<Readonly<{ processorOrderId: string; orderKey: string | null }>>()('found', {
  processorOrderId: ['text', (found) => found.processorOrderId],
  orderKey: ['text?', (found) => found.orderKey],
})
export const foundValues = FOUND.values

/** Stores the orders of payments; null: the platform has no such payment. */
export const saveOrders = queryNone({
  name: 'settlements.save-orders',
  parameters: { ...ofProcessor, ...FOUND.parameters },
  text: `
    UPDATE settlement_lines AS l SET order_key = f.order_key, status = 'known' FROM ${FOUND.from('f')}
    WHERE l.processor = :processor AND l.status = 'new' AND l.processor_order_id = f.processor_order_id`,
})

/** Lines that name no payment need no order. */
export const knowOthers = queryNone({
  name: 'settlements.know-others',
  parameters: ofProcessor,
  text: `
    UPDATE settlement_lines SET status = 'known'
    WHERE processor = :processor AND status = 'new' AND processor_order_id IS NULL`,
})

/**
 * Orders with lines to compare, with amounts that are overdue, or with amounts that came after their lines. An amount is
 * overdue if it is older than a time, the processor has closed a period since, and its reports had begun.
 */
export const listOrders = queryMany({
  name: 'settlements.orders',
  parameters: { ...ofProcessor, overdue: 'timestamptz', after: 'text', limit: 'integer' },
  text: `
    SELECT order_key FROM (
      SELECT order_key FROM settlement_lines
      WHERE processor = :processor AND status = 'known' AND order_key > :after
      UNION
      SELECT i.order_key FROM settlement_items AS i
      WHERE i.processor = :processor AND i.status = 'open' AND i.effective_at <= :overdue AND i.order_key > :after
        AND i.effective_at < (
          SELECT (max(l.available_on) + 1)::timestamp AT TIME ZONE 'UTC' FROM settlement_lines AS l
          WHERE l.processor = :processor AND l.kind = 'payout')
        AND i.effective_at >= (${BEGINNING})
      UNION
      SELECT l.order_key FROM settlement_lines AS l
      JOIN settlement_items AS i ON i.processor = l.processor AND i.order_key = l.order_key AND i.status = 'open'
      WHERE l.processor = :processor AND l.status = 'unmatched' AND l.order_key > :after
    ) AS each
    ORDER BY order_key LIMIT :limit`,
  row: z.object({ orderKey: z.string() }),
})

const LineColumns = z.object({
  lineId: z.string(),
  kind: z.enum(['payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'payout']),
  processorOrderId: z.string().nullable(),
  grossCents: z.number(),
  feeCents: z.number(),
  netCents: z.number(),
  currency: z.string(),
  originalCents: z.number().nullable(),
  originalCurrency: z.string().nullable(),
  originalRate: z.string().nullable(),
  availableOn: z.string(),
  payoutRef: z.string().nullable(),
  orderKey: z.string().nullable(),
  status: z.enum(['new', 'known', 'unmatched', 'done']),
  importedAt: z.date(),
})
const LineRow = LineColumns.transform(
  ({ originalCents: cents, originalCurrency: currency, originalRate: rate, ...line }) => ({
    ...line,
    original: cents === null || currency === null ? null : { cents, currency, rate },
  }),
)
export type LineRow = Readonly<z.infer<typeof LineRow>>
const LINE = `l.line_id, l.kind, l.processor_order_id, l.gross_cents, l.fee_cents, l.net_cents, l.currency,
  l.original_cents, l.original_currency, l.original_rate::text, l.available_on::text, l.payout_ref, l.order_key, l.status, l.imported_at`

/** Lines of orders that have no counterpart yet. */
export const listLines = queryMany({
  name: 'settlements.lines',
  parameters: { ...ofProcessor, orderKeys: 'text[]' },
  text: `
    SELECT ${LINE} FROM settlement_lines AS l
    WHERE l.processor = :processor AND l.order_key = ANY (:orderKeys) AND l.status IN ('known', 'unmatched')`,
  row: LineRow,
})

/** Lines without an order that are to be compared, and payouts that were not the sum of their lines. */
export const listOtherLines = queryMany({
  name: 'settlements.other-lines',
  parameters: { ...ofProcessor, after: 'text', limit: 'integer' },
  text: `
    SELECT ${LINE} FROM settlement_lines AS l
    WHERE l.processor = :processor AND l.order_key IS NULL AND l.line_id > :after
      AND (l.status = 'known' OR (l.status = 'unmatched' AND l.kind = 'payout'))
    ORDER BY l.line_id LIMIT :limit`,
  row: LineRow,
})

const ItemRow = z.object({
  source: z.string(),
  kind: z.enum(['payment', 'refund', 'dispute', 'dispute_reversal', 'fee']),
  orderKey: z.string(),
  orderId: z.string().nullable(),
  ownerId: z.string(),
  currency: z.string(),
  amountCents: z.number(),
  bookedFeeCents: z.number().nullable(),
  estimated: z.boolean(),
  effectiveAt: z.date(),
  status: z.enum(['open', 'missing', 'done']),
})
export type ItemRow = Readonly<z.infer<typeof ItemRow>>

/** Amounts of orders that have no line yet. */
export const listItems = queryMany({
  name: 'settlements.items',
  parameters: { ...ofProcessor, orderKeys: 'text[]' },
  text: `
    SELECT source, kind, order_key, order_id, owner_id, currency, amount_cents, booked_fee_cents, estimated, effective_at,
      status
    FROM settlement_items WHERE processor = :processor AND order_key = ANY (:orderKeys) AND status <> 'done'`,
  row: ItemRow,
})

/** Sums of payouts' nets with those of all their lines, and how many these are. */
export const listPayoutSums = queryMany({
  name: 'settlements.payout-sums',
  parameters: { ...ofProcessor, payoutRefs: 'text[]' },
  text: `
    SELECT payout_ref, sum(net_cents)::text AS sum, count(*)::integer AS lines FROM settlement_lines
    WHERE processor = :processor AND payout_ref = ANY (:payoutRefs) GROUP BY payout_ref`,
  row: z.object({ payoutRef: z.string(), sum: z.string(), lines: z.number() }),
})

/** When the reports of a processor begin, and until when lines of its first report were imported; null before the first. */
export const getBeginning = queryOne({
  name: 'settlements.beginning',
  parameters: ofProcessor,
  text: `
    SELECT begins_on::timestamp AT TIME ZONE 'UTC' AS begins_at, first_imported_at FROM settlement_sources
    WHERE processor = :processor`,
  row: z.object({ beginsAt: z.date(), firstImportedAt: z.date() }),
})

/** Moves the beginning, unless an import has stated it, back to the day of an amount that the first report settles. */
export const moveBeginning = queryNone({
  name: 'settlements.move-beginning',
  parameters: { ...ofProcessor, settledAt: 'timestamptz' },
  text: `
    UPDATE settlement_sources SET begins_on = (:settledAt AT TIME ZONE 'UTC')::date
    WHERE processor = :processor AND NOT stated AND begins_on > (:settledAt AT TIME ZONE 'UTC')::date`,
})

/** The date of the processor's last payout; null before the first. */
export const getLastPayout = queryOne({
  name: 'settlements.last-payout',
  parameters: ofProcessor,
  text: `
    SELECT (max(available_on) + 1)::timestamp AT TIME ZONE 'UTC' AS ended_at FROM settlement_lines
    WHERE processor = :processor AND kind = 'payout'`,
  row: z.object({ endedAt: z.date().nullable() }),
})

export const setLineStatus = queryNone({
  name: 'settlements.set-line-status',
  parameters: { ...ofProcessor, lineIds: 'text[]', status: 'text' },
  text: `
    UPDATE settlement_lines SET status = :status WHERE processor = :processor AND line_id = ANY (:lineIds)`,
})

export const setItemStatus = queryNone({
  name: 'settlements.set-item-status',
  parameters: { sources: 'text[]', kinds: 'text[]', status: 'text' },
  text: `
    UPDATE settlement_items AS i SET status = :status FROM unnest(:sources, :kinds) AS n (source, kind)
    WHERE i.source = n.source AND i.kind = n.kind`,
})

/**
 * When the oldest open difference was found, and how many amounts are not settled that were due before a time. What happened
 * before the reports of its processor begin is not expected.
 */
export const getUncleared = queryOne({
  name: 'settlements.uncleared',
  parameters: { dueBefore: 'timestamptz', bound: 'integer' },
  text: `
    SELECT (SELECT min(found_at) FROM differences WHERE status = 'open') AS found_at, (
      SELECT count(*)::integer FROM (
        SELECT FROM settlement_items AS i LEFT JOIN settlement_sources AS s USING (processor)
        WHERE i.status = 'open' AND i.effective_at <= :dueBefore
          AND (s.begins_on IS NULL OR i.effective_at >= s.begins_on::timestamp AT TIME ZONE 'UTC')
        LIMIT :bound
      ) AS each) AS overdue`,
  row: z.object({ foundAt: z.date().nullable(), overdue: z.number() }),
})
