import type { RefundableOrder } from '@causeway/contracts'
import { z } from 'zod'
import { FiatOrderRecord } from '../fiat-orders/domain.ts'
import { Eligibility } from '../relationships/eligibility.ts'

/** An opened order with the state of the capability `refunds` of its relationship; `status` is the relationship's. */
export const RefundableRow = FiatOrderRecord.pick({
  id: true,
  orderKey: true,
  partnerCustomerId: true,
  kind: true,
  currency: true,
  totalCents: true,
  amountCents: true,
  serviceFeePayer: true,
  processor: true,
})
  .extend({ orderStatus: FiatOrderRecord.shape.status, processorOrderId: z.string() })
  .extend(Eligibility.shape)
export type RefundableRow = Readonly<z.infer<typeof RefundableRow>>

/** The order as the refunds service sees it. */
export const presentRefundable = (row: RefundableRow): RefundableOrder => ({
  order_id: row.id,
  order_key: String(row.orderKey),
  partner_customer_id: row.partnerCustomerId,
  kind: row.kind,
  status: row.orderStatus,
  currency: row.currency,
  total_cents: row.totalCents,
  amount_cents: row.amountCents,
  service_fee_payer: row.serviceFeePayer,
  processor: row.processor,
  processor_order_id: row.processorOrderId,
  capability: { enabled: row.enabled, available: row.available, reason: row.reason },
})
