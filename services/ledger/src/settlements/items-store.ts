import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Locks the matching until the transaction ends: one replica at a time. @returns the last posting that was read */
export const lockProgress = queryOne({
  name: 'settlements.lock-progress',
  text: `SELECT p.seq, h.seq AS head FROM (SELECT seq FROM settlement_progress FOR UPDATE) AS p, books.head AS h`,
  row: z.object({ seq: z.number(), head: z.number() }),
})

export const saveProgress = queryNone({
  name: 'settlements.save-progress',
  parameters: { seq: 'bigint' },
  text: 'UPDATE settlement_progress SET seq = :seq',
})

/**
 * Reads what processors must settle from the postings of a range. A dispute's fee in the currency of the dispute is part of
 * its amount; in another currency it is an item of the kind `fee`.
 */
export const readItems = queryNone({
  name: 'settlements.read-items',
  parameters: { after: 'bigint', through: 'bigint' },
  text: `
    WITH sides AS (
      SELECT j.source, j.order_key, j.order_id, j.estimated, j.effective_at, t.unit, e.kind, o.owner_id,
        substring(r.name FROM '^processor:(.*):receivable$') AS processor,
        CASE WHEN t.debit = r.id THEN t.amount ELSE -t.amount END AS amount
      FROM books.journal AS j
      JOIN books.transfers AS t ON t.seq = j.seq
      JOIN books.entries AS e ON e.seq = t.seq AND e.line = t.line
      JOIN books.accounts AS o ON o.id = e.account_id
      JOIN books.accounts AS r ON r.id IN (t.debit, t.credit) AND r.name LIKE 'processor:%:receivable'
      WHERE j.seq > :after AND j.seq <= :through AND j.rule = 'fact' AND j.order_key IS NOT NULL
        AND e.kind IN ('payment', 'refund', 'dispute', 'dispute_reversed', 'dispute_fee')
    ), amounts AS (
      SELECT * FROM sides WHERE kind <> 'dispute_fee'
    ), fees AS (
      SELECT * FROM sides WHERE kind = 'dispute_fee'
    )
    INSERT INTO settlement_items (source, kind, processor, order_key, order_id, owner_id, currency, amount_cents,
      booked_fee_cents, estimated, effective_at)
    SELECT a.source, CASE a.kind WHEN 'dispute_reversed' THEN 'dispute_reversal' ELSE a.kind END, a.processor, a.order_key,
      a.order_id, a.owner_id, a.unit, a.amount, -f.amount, a.estimated, a.effective_at
    FROM amounts AS a LEFT JOIN fees AS f ON f.source = a.source AND f.unit = a.unit
    UNION ALL
    SELECT f.source, 'fee', f.processor, f.order_key, f.order_id, f.owner_id, f.unit, 0, -f.amount, false, f.effective_at
    FROM fees AS f WHERE NOT EXISTS (SELECT FROM amounts AS a WHERE a.source = f.source AND a.unit = f.unit)
    ON CONFLICT (source, kind) DO NOTHING`,
})
