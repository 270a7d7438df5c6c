import { batchOf, queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import type { ImportedLine } from './statement.ts'

const LINES = batchOf<ImportedLine>()('line', {
  lineId: ['text', (line) => line.lineId],
  bookedAt: ['time', (line) => Date.parse(line.bookedAt)],
  amount: ['decimal', (line) => String(line.amountMinor)],
  currency: ['text', (line) => line.currency],
  reference: ['text?', (line) => line.reference],
  returnReason: ['text?', (line) => line.returnReason ?? null],
  payoutId: ['text?', (line) => line.payoutId],
})

const IdRow = z.object({ lineId: z.string() })

/** Stores the lines that are not known. @returns the ids of those */
export const insertLines = queryMany({
  name: 'bank-statements.insert-lines',
  parameters: { ...LINES.parameters, now: 'timestamptz' },
  text: `
    INSERT INTO bank_lines (imported_at, ${LINES.names}) SELECT :now, ${LINES.names} FROM ${LINES.from('l')} ORDER BY line_id
    ON CONFLICT (line_id) DO NOTHING RETURNING line_id`,
  row: IdRow,
})

/** Known lines whose content is another. The reason of a return is left out: a CSV file does not have it. */
export const listOthers = queryMany({
  name: 'bank-statements.list-other-lines',
  parameters: LINES.parameters,
  text: `
    SELECT l.line_id FROM ${LINES.from('l')} JOIN bank_lines AS b ON b.line_id = l.line_id
    WHERE (b.booked_at, b.amount, b.currency, b.reference) IS DISTINCT FROM (l.booked_at, l.amount, l.currency, l.reference)`,
  row: IdRow,
})

/** The values of lines, for the two statements. */
export const valuesOf = LINES.values

/**
 * Lines that bring a payout a step further, the earliest first: the debit of a payout that was sent, and the credit for one
 * that a line has settled. Both have its amount and its currency. `isTaken`: staff have returned the payout before.
 */
export const listSteps = queryMany({
  name: 'bank-statements.list-steps',
  parameters: { limit: 'integer' },
  text: `
    SELECT l.line_id, l.payout_id, l.return_reason, CASE WHEN l.amount < 0 THEN 'settled' ELSE 'returned' END AS step,
      p.status = 'returned' AS is_taken
    FROM bank_lines AS l JOIN payouts AS p ON p.payout_id = l.payout_id
    WHERE l.payout_id IS NOT NULL AND l.step IS NULL AND l.status <> 'done' AND p.currency = l.currency AND (
      (l.amount = -p.amount_cents AND p.status = 'sent')
      OR (l.amount = p.amount_cents AND p.status IN ('settled', 'returned')
        AND EXISTS (SELECT FROM bank_lines AS s WHERE s.payout_id = l.payout_id AND s.step = 'settled')
        AND NOT EXISTS (SELECT FROM bank_lines AS r WHERE r.payout_id = l.payout_id AND r.step = 'returned')))
    ORDER BY l.booked_at, l.line_id LIMIT :limit`,
  row: z.object({
    lineId: z.string(),
    payoutId: z.string(),
    returnReason: z.string().nullable(),
    step: z.enum(['settled', 'returned']),
    isTaken: z.boolean(),
  }),
})

/**
 * Payouts of processors that matching has posted, with the bank's line that has their reference, their amount and their
 * currency; the earliest line first.
 */
export const listProcessorPayouts = queryMany({
  name: 'bank-statements.list-processor-payouts',
  parameters: { limit: 'integer' },
  text: `
    SELECT s.processor, s.line_id, b.line_id AS bank_line_id, b.amount::text, b.currency, b.booked_at
    FROM settlement_lines AS s
    JOIN bank_lines AS b ON b.reference = s.payout_ref AND b.currency = s.currency AND b.amount = -s.gross_cents
    WHERE s.kind = 'payout' AND s.bank_line_id IS NULL AND s.bank_status <> 'done' AND s.status IN ('unmatched', 'done')
      AND b.payout_id IS NULL AND b.status <> 'done'
    ORDER BY b.booked_at, b.line_id LIMIT :limit`,
  row: z.object({
    processor: z.string(),
    lineId: z.string(),
    bankLineId: z.string(),
    amount: z.string(),
    currency: z.string(),
    bookedAt: z.date(),
  }),
})

/**
 * Gives a processor's payout its line of the bank.
 * @param status `missing` if an open difference says that the line has not come
 * @returns null for another status, or where the payout has a line
 */
export const setBankLine = queryOne({
  name: 'bank-statements.set-bank-line',
  parameters: { processor: 'text', lineId: 'text', bankLineId: 'text', status: 'text' },
  text: `
    UPDATE settlement_lines SET bank_line_id = :bankLineId, bank_status = 'done'
    WHERE processor = :processor AND line_id = :lineId AND bank_line_id IS NULL AND bank_status = :status
    RETURNING line_id`,
  row: IdRow,
})

/**
 * Takes lines that have no counterpart: those that no step of a payout and no payout of a processor explains, and whose
 * amount and reference no payout has that still waits for its other lines. Lines that another replica works on are left out.
 */
export const takeUnmatched = queryMany({
  name: 'bank-statements.take-unmatched',
  parameters: { limit: 'integer' },
  text: `
    WITH found AS (
      SELECT b.line_id FROM bank_lines AS b
      WHERE b.status = 'new' AND b.step IS NULL
        AND NOT EXISTS (SELECT FROM settlement_lines AS s WHERE s.bank_line_id = b.line_id)
        AND NOT EXISTS (
          SELECT FROM settlement_lines AS s
          WHERE s.payout_ref = b.reference AND s.kind = 'payout' AND s.bank_line_id IS NULL AND s.bank_status <> 'done'
            AND s.currency = b.currency AND s.gross_cents = -b.amount AND b.payout_id IS NULL)
      ORDER BY b.line_id LIMIT :limit FOR UPDATE OF b SKIP LOCKED
    )
    UPDATE bank_lines AS b SET status = 'unmatched' FROM found WHERE b.line_id = found.line_id
    RETURNING b.line_id, b.amount::text, b.currency`,
  row: z.object({ lineId: z.string(), amount: z.string(), currency: z.string() }),
})

/**
 * Takes payouts of processors whose day is at or before a date, and that no line of the bank has. Payouts before the first
 * statement are not expected in one. `amount`: as the bank would state it.
 */
export const takeOverdue = queryMany({
  name: 'bank-statements.take-overdue',
  parameters: { dueBefore: 'timestamptz', limit: 'integer' },
  text: `
    WITH found AS (
      SELECT processor, line_id FROM settlement_lines
      WHERE kind = 'payout' AND bank_line_id IS NULL AND bank_status = 'open' AND status IN ('unmatched', 'done')
        AND gross_cents <> 0 AND available_on <= (:dueBefore AT TIME ZONE 'UTC')::date
        AND available_on >= (SELECT (min(booked_at) AT TIME ZONE 'UTC')::date FROM bank_lines)
      ORDER BY processor, line_id LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    UPDATE settlement_lines AS s SET bank_status = 'missing' FROM found
    WHERE s.processor = found.processor AND s.line_id = found.line_id
    RETURNING s.processor, s.line_id, (-s.gross_cents)::text AS amount, s.currency`,
  row: z.object({ processor: z.string(), lineId: z.string(), amount: z.string(), currency: z.string() }),
})

/** The day of the oldest processor's payout that no line of the bank has, since the first statement. */
export const getInTransit = queryOne({
  name: 'bank-statements.in-transit',
  text: `
    SELECT min(available_on)::timestamp AT TIME ZONE 'UTC' AS since FROM settlement_lines
    WHERE kind = 'payout' AND bank_line_id IS NULL AND bank_status <> 'done' AND gross_cents <> 0
      AND available_on >= (SELECT (min(booked_at) AT TIME ZONE 'UTC')::date FROM bank_lines)`,
  row: z.object({ since: z.date().nullable() }),
})

/**
 * Locks a line that has no counterpart yet, until the transaction ends.
 * @returns null for one that was matched, or whose difference was closed
 */
export const lockLine = queryOne({
  name: 'bank-statements.lock-line',
  parameters: { lineId: 'text' },
  text: `SELECT status FROM bank_lines WHERE line_id = :lineId AND step IS NULL AND status <> 'done' FOR UPDATE`,
  row: z.object({ status: z.enum(['new', 'unmatched']) }),
})

/** Records that a locked line belongs to a processor's payout. */
export const setDone = queryNone({
  name: 'bank-statements.set-done',
  parameters: { lineId: 'text' },
  text: "UPDATE bank_lines SET status = 'done' WHERE line_id = :lineId",
})

/** Records the step that a locked line has brought about. @returns null if another line has done so */
export const setStep = queryOne({
  name: 'bank-statements.set-step',
  parameters: { lineId: 'text', step: 'text', now: 'timestamptz' },
  text: `
    UPDATE bank_lines AS l SET step = :step, matched_at = :now, status = 'done'
    WHERE l.line_id = :lineId AND l.step IS NULL
      AND NOT EXISTS (SELECT FROM bank_lines AS o WHERE o.payout_id = l.payout_id AND o.step = :step)
    RETURNING l.line_id`,
  row: IdRow,
})
