import { statement } from '@causeway/chassis'
import { RefundableRow } from '../domain/refundable-order.ts'

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
