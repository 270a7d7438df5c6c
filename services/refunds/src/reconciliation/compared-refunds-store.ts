import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { JudgedRefund } from '../refunds/refund.ts'

/** A refund as a comparison needs it. */
export const ComparedRefund = JudgedRefund.pick({
  id: true,
  partnerId: true,
  orderKey: true,
  state: true,
  amountCents: true,
  currency: true,
  processor: true,
  processorOrderId: true,
  processorRefundId: true,
  createdAt: true,
})
export type ComparedRefund = Readonly<z.infer<typeof ComparedRefund>>

const COLUMNS = `
  id, partner_id AS "partnerId", order_key::text AS "orderKey", state, amount_cents AS "amountCents", currency,
  processor, processor_order_id AS "processorOrderId", processor_refund_id AS "processorRefundId",
  created_at AS "createdAt"`

/** The records of refunds that a processor tells, whichever partners' they are. $1 processor, $2 ids, $3 its own ids */
export const match = statement({
  name: 'compared-refunds.match',
  text: `
    SELECT ${COLUMNS} FROM refunds
    WHERE processor = $1 AND state <> 'requested' AND (id = ANY ($2::text[]) OR processor_refund_id = ANY ($3::text[]))`,
  row: ComparedRefund,
})

/** Their processor has them. $1 processor, $2 ids, $3 now */
export const markFound = statement({
  name: 'compared-refunds.mark-found',
  text: 'UPDATE refunds SET found_at = $3 WHERE processor = $1 AND id = ANY ($2::text[]) AND found_at IS NULL',
})

/**
 * Refunds that were made before a run and that no list of their processor has told, but those that are known to
 * differ. $1 processor, $2 when the run began, $3 limit, $4 those that cannot be looked for now
 */
export const unfound = statement({
  name: 'compared-refunds.unfound',
  text: `
    SELECT ${COLUMNS} FROM refunds r
    WHERE processor = $1 AND found_at IS NULL AND state IN ('succeeded', 'reconciled') AND completed_at < $2
      AND processor_refund_id IS NOT NULL AND id <> ALL ($4::text[])
      AND NOT EXISTS (
        SELECT 1 FROM refund_differences d
        WHERE d.processor = r.processor AND d.processor_refund_id = r.processor_refund_id)
    ORDER BY completed_at LIMIT $3`,
  row: ComparedRefund,
})

/**
 * Records a refund that was made outside the API, once, whoever tells of it first. $1 id, $2 partner, $3 order key,
 * $4 amount, $5 relationship, $6 order, $7 currency, $8 processor, $9 its order, $10 its refund, $11 made, $12 now
 */
export const record = statement({
  name: 'compared-refunds.record',
  text: `
    INSERT INTO refunds (id, partner_id, order_key, state, source, amount_cents, partner_customer_id, order_id,
      currency, processor, processor_order_id, processor_refund_id, created_at, completed_at, found_at)
    VALUES ($1, $2, $3, 'reconciled', 'processor', $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)
    ON CONFLICT DO NOTHING RETURNING id`,
  row: z.object({ id: z.string() }),
})
