import { batchOf, queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const DifferenceRow = z.object({
  differenceId: z.string(),
  kind: z.enum(['missing_here', 'missing_there', 'other_amount', 'other_currency', 'other_fee', 'sum']),
  source: z.string(),
  lineId: z.string().nullable(),
  itemSource: z.string().nullable(),
  itemKind: z.string().nullable(),
  orderKey: z.string().nullable(),
  ownerId: z.string().nullable(),
  unit: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
  foundUnit: z.string(),
  foundAt: z.date(),
  status: z.enum(['open', 'closed', 'matched']),
  endedAt: z.date().nullable(),
  reason: z.string().nullable(),
  adjustmentId: z.string().nullable(),
})
export type DifferenceRow = Readonly<z.infer<typeof DifferenceRow>>
const COLUMNS = `difference_id, kind, source, line_id, item_source, item_kind, order_key, owner_id, unit, expected::text,
  found::text, found_unit, found_at, status, ended_at, reason, adjustment_id`

export const insertDifference = queryNone({
  name: 'book-differences.insert',
  parameters: {
    differenceId: 'text',
    kind: 'text',
    source: 'text',
    lineId: 'text?',
    itemSource: 'text?',
    itemKind: 'text?',
    orderKey: 'text?',
    ownerId: 'text?',
    unit: 'text',
    expected: 'numeric?',
    found: 'numeric?',
    foundUnit: 'text',
    foundAt: 'timestamptz',
  },
  text: `
    INSERT INTO differences (difference_id, kind, source, line_id, item_source, item_kind, order_key, owner_id, unit,
      expected, found, found_unit, found_at, status)
    VALUES (:differenceId, :kind, :source, :lineId, :itemSource, :itemKind, :orderKey, :ownerId, :unit, :expected, :found,
      :foundUnit, :foundAt, 'open')`,
})

const FOUND = batchOf<
  Readonly<{
    differenceId: string
    kind: 'missing_here' | 'missing_there'
    lineId: string
    itemSource: string | null
    unit: string
    amount: string
  }>
>()('found', {
  differenceId: ['text', (found) => found.differenceId],
  kind: ['text', (found) => found.kind],
  lineId: ['text', (found) => found.lineId],
  itemSource: ['text?', (found) => found.itemSource],
  unit: ['text', (found) => found.unit],
  amount: ['decimal', (found) => found.amount],
})
export const missingValues = FOUND.values

/** Inserts differences of amounts that only one side has: the source (`missing_here`), or the books (`missing_there`). */
export const insertMissing = queryNone({
  name: 'book-differences.insert-missing',
  parameters: { ...FOUND.parameters, source: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO differences (difference_id, kind, source, line_id, item_source, item_kind, unit, expected, found,
      found_unit, found_at, status)
    SELECT f.difference_id, f.kind, :source, f.line_id, f.item_source, CASE WHEN f.item_source IS NOT NULL THEN 'payout' END,
      f.unit, CASE f.kind WHEN 'missing_there' THEN f.amount END, CASE f.kind WHEN 'missing_here' THEN f.amount END, f.unit,
      :now, 'open'
    FROM ${FOUND.from('f')}`,
})

/** The open differences of lines of a source. */
export const listOfLines = queryMany({
  name: 'book-differences.of-lines',
  parameters: { source: 'text', lineIds: 'text[]' },
  text: `
    SELECT ${COLUMNS} FROM differences WHERE status = 'open' AND source = :source AND line_id = ANY (:lineIds)`,
  row: DifferenceRow,
})

/** The open differences of amounts of the journal. */
export const listOfItems = queryMany({
  name: 'book-differences.of-items',
  parameters: { sources: 'text[]' },
  text: `SELECT ${COLUMNS} FROM differences WHERE status = 'open' AND item_source = ANY (:sources)`,
  row: DifferenceRow,
})

/** Locks the open differences of a line and of an amount that may be its counterpart, until the transaction ends. */
export const lockOpen = queryMany({
  name: 'book-differences.lock-open',
  parameters: { source: 'text', lineId: 'text', itemSource: 'text?' },
  text: `
    SELECT difference_id, kind FROM differences
    WHERE status = 'open' AND source = :source
      AND ((line_id = :lineId AND kind = 'missing_here') OR (item_source = :itemSource AND item_kind = 'payout'))
    ORDER BY difference_id FOR UPDATE`,
  row: z.object({ differenceId: z.string(), kind: z.string() }),
})

/** Ends a difference whose counterpart has come. @returns null for one that has ended */
export const endDifference = queryOne({
  name: 'book-differences.end',
  parameters: { differenceId: 'text', now: 'timestamptz' },
  text: `
    UPDATE differences SET status = 'matched', ended_at = :now
    WHERE difference_id = :differenceId AND status = 'open' RETURNING difference_id`,
  row: z.object({ differenceId: z.string() }),
})

export const getDifference = queryOne({
  name: 'book-differences.get',
  parameters: { differenceId: 'text' },
  text: `SELECT ${COLUMNS} FROM differences WHERE difference_id = :differenceId`,
  row: DifferenceRow,
})

/** Locks a difference until the transaction ends. */
export const lockDifference = queryOne({
  name: 'book-differences.lock',
  parameters: { differenceId: 'text' },
  text: `SELECT ${COLUMNS} FROM differences WHERE difference_id = :differenceId FOR UPDATE`,
  row: DifferenceRow,
})

/** Differences of a status after a position, oldest first. */
export const listByStatus = queryMany({
  name: 'book-differences.list',
  parameters: { status: 'text', at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM differences
    WHERE status = :status AND (found_at, difference_id) > (:at, :id)
    ORDER BY found_at, difference_id LIMIT :limit`,
  row: DifferenceRow,
})

/** Closes a locked difference. Its line and its amount of the journal are compared no more. */
export const closeDifference = queryOne({
  name: 'book-differences.close',
  parameters: { differenceId: 'text', reason: 'text', adjustmentId: 'text?', now: 'timestamptz' },
  text: `
    WITH closed AS (
      UPDATE differences SET status = 'closed', ended_at = :now, reason = :reason, adjustment_id = :adjustmentId
      WHERE difference_id = :differenceId AND status = 'open' RETURNING *
    ), lines AS (
      UPDATE settlement_lines AS l SET status = 'done' FROM closed AS c
      WHERE c.source = 'processor:' || l.processor AND l.line_id = c.line_id
    ), bank_lines AS (
      UPDATE bank_lines AS b SET status = 'done' FROM closed AS c
      WHERE c.source = 'bank:main' AND c.kind = 'missing_here' AND b.line_id = c.line_id
    ), in_transit AS (
      UPDATE settlement_lines AS l SET bank_status = 'done' FROM closed AS c
      WHERE c.source = 'bank:main' AND c.kind = 'missing_there' AND l.processor = split_part(c.line_id, ':', 1)
        AND l.line_id = substr(c.line_id, strpos(c.line_id, ':') + 1)
    ), items AS (
      UPDATE settlement_items AS i SET status = 'done' FROM closed AS c
      WHERE i.source = c.item_source AND i.kind = c.item_kind
    )
    SELECT ${COLUMNS} FROM closed`,
  row: DifferenceRow,
})
