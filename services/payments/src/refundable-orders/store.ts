import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { RefundableRow } from './domain.ts'

/** An order whose checkout is open, whatever became of its relationship since. $1 partner, $2 order key */
export const readRefundable = statement({
  name: 'fiat-orders.read-refundable',
  text: `
    SELECT f.id, f.order_key AS "orderKey", f.partner_customer_id AS "partnerCustomerId", f.kind, f.currency,
      f.total_cents AS "totalCents", f.amount_cents AS "amountCents", f.service_fee_payer AS "serviceFeePayer",
      f.processor, f.processor_order_id AS "processorOrderId", f.status AS "orderStatus", r.status,
      coalesce(c.enabled, false) AS enabled, coalesce(c.available, false) AS available, c.reason
    FROM fiat_orders f
    JOIN relationships r ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'refunds')
      AS c (enabled boolean, available boolean, reason text) ON true
    WHERE f.partner_id = $1 AND f.order_key = $2 AND f.processor_order_id IS NOT NULL`,
  row: RefundableRow,
})

const LocatedOrder = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  partnerSees: z.boolean(),
  processor: z.string(),
  processorOrderId: z.string(),
  isCounted: z.boolean(),
})
export type LocatedOrder = Readonly<z.infer<typeof LocatedOrder>>

/**
 * Whose an order is that a processor names by its key, and whether a refund is counted in it: for the comparison with
 * the processor's list, which knows no partners. $1 processor, $2 order key, $3 the processor's refund
 */
export const locate = statement({
  name: 'fiat-orders.locate',
  text: `
    SELECT f.id, f.partner_id AS "partnerId", f.partner_customer_id AS "partnerCustomerId",
      r.status = 'active' AS "partnerSees", f.processor, f.processor_order_id AS "processorOrderId",
      EXISTS (
        SELECT 1 FROM fiat_refunds_seen s
        WHERE s.processor = f.processor AND s.processor_refund_id = $3 AND s.order_id = f.id) AS "isCounted"
    FROM fiat_orders f
    JOIN relationships r ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    WHERE f.processor = $1 AND f.order_key = $2 AND f.processor_order_id IS NOT NULL`,
  row: LocatedOrder,
})
