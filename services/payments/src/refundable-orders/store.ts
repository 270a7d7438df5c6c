import { queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { RefundableRow } from './domain.ts'

/** An order whose checkout is open, even if its relationship was revoked since. */
export const getRefundable = queryOne({
  name: 'fiat-orders.read-refundable',
  parameters: { partnerId: 'text', orderKey: 'bigint' },
  text: `
    SELECT f.id, f.order_key, f.partner_customer_id, f.kind, f.currency, f.total_cents, f.amount_cents,
      f.service_fee_payer, f.processor, f.processor_order_id, f.status AS order_status, r.status,
      coalesce(c.enabled, false) AS enabled, coalesce(c.available, false) AS available, c.reason
    FROM fiat_orders f
    JOIN relationships r ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'refunds')
      AS c (enabled boolean, available boolean, reason text) ON true
    WHERE f.partner_id = :partnerId AND f.order_key = :orderKey AND f.processor_order_id IS NOT NULL`,
  row: RefundableRow,
})

const LocatedOrder = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  partnerSees: z.boolean(),
  processor: z.string(),
  processorOrderId: z.string(),
})
export type LocatedOrder = Readonly<z.infer<typeof LocatedOrder>>

/**
 * The partner of an order by its key: for the reconciliation with the processor's list, which names no partners.
 */
export const locate = queryOne({
  name: 'fiat-orders.locate',
  parameters: { processor: 'text', orderKey: 'bigint' },
  text: `
    SELECT f.id, f.partner_id, f.partner_customer_id, r.status = 'active' AS partner_sees, f.processor,
      f.processor_order_id
    FROM fiat_orders f
    JOIN relationships r ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    WHERE f.processor = :processor AND f.order_key = :orderKey AND f.processor_order_id IS NOT NULL`,
  row: LocatedOrder,
})
