import { statement } from '@causeway/chassis'
import { RefundDifferenceKind } from '@causeway/contracts'
import { z } from 'zod'
import { DifferenceRecord } from './difference.ts'

const COLUMNS = `
  id, kind, processor, processor_refund_id AS "processorRefundId", partner_id AS "partnerId",
  order_key::text AS "orderKey", processor_order_id AS "processorOrderId", refund_id AS "refundId", here,
  at_processor AS "atProcessor", found_at AS "foundAt", checked_at AS "checkedAt", closed_at AS "closedAt"`

/**
 * Writes down a difference, or that it is still there. One that staff have closed opens again when either side has
 * changed. $1 id if it is new, $2 kind, $3 processor, $4 its refund, $5 partner, $6 order key, $7 processor's order,
 * $8 refund, $9 here, $10 at the processor, $11 now
 */
export const keep = statement({
  name: 'refund-differences.keep',
  text: `
    INSERT INTO refund_differences AS known (id, kind, processor, processor_refund_id, partner_id, order_key,
      processor_order_id, refund_id, here, at_processor, found_at, checked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
    ON CONFLICT (processor, processor_refund_id) DO UPDATE SET kind = excluded.kind,
      partner_id = excluded.partner_id, order_key = excluded.order_key,
      processor_order_id = excluded.processor_order_id, refund_id = excluded.refund_id, here = excluded.here,
      at_processor = excluded.at_processor, checked_at = excluded.checked_at,
      closed_at = CASE WHEN (known.kind, known.here, known.at_processor)
        IS NOT DISTINCT FROM (excluded.kind, excluded.here, excluded.at_processor) THEN known.closed_at END
    RETURNING id = $1 AS "isNew"`,
  row: z.object({ isNew: z.boolean() }),
})

/** Forgets differences that are none any more. $1 processor, $2 its refunds */
export const resolve = statement({
  name: 'refund-differences.resolve',
  text: `
    DELETE FROM refund_differences WHERE processor = $1 AND processor_refund_id = ANY ($2::text[])
    RETURNING ${COLUMNS}`,
  row: DifferenceRecord,
})

/** Open ones that were not looked at since. $1 processor, $2 since, $3 limit */
export const unchecked = statement({
  name: 'refund-differences.unchecked',
  text: `
    SELECT ${COLUMNS} FROM refund_differences
    WHERE processor = $1 AND closed_at IS NULL AND checked_at < $2 ORDER BY checked_at, id LIMIT $3`,
  row: DifferenceRecord,
})

/** Open ones, oldest first. $1 and $2 where the page before ended, $3 limit */
export const page = statement({
  name: 'refund-differences.page',
  text: `
    SELECT ${COLUMNS} FROM refund_differences
    WHERE closed_at IS NULL AND (found_at, id) > ($1, $2) ORDER BY found_at, id LIMIT $3`,
  row: DifferenceRecord,
})

/** $1 id */
export const find = statement({
  name: 'refund-differences.find',
  text: `SELECT ${COLUMNS} FROM refund_differences WHERE id = $1`,
  row: DifferenceRecord,
})

/** Staff have looked into it. $1 id, $2 now */
export const close = statement({
  name: 'refund-differences.close',
  text: `
    UPDATE refund_differences SET closed_at = coalesce(closed_at, $2) WHERE id = $1 RETURNING ${COLUMNS}`,
  row: DifferenceRecord,
})

/** How many are open. */
export const count = statement({
  name: 'refund-differences.count',
  text: `
    SELECT processor, kind, count(*)::int AS count FROM refund_differences
    WHERE closed_at IS NULL GROUP BY processor, kind`,
  row: z.object({ processor: z.string(), kind: RefundDifferenceKind, count: z.number() }),
})
