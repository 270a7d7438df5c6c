import type { CountedRefund } from '@causeway/contracts'
import type { CardRefund } from '@causeway/rails'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'

/** What the refunds service is told of a refund that an order has counted. */
export const countedRefund = (
  order: OpenFiatOrder,
  refund: CardRefund,
  partnerSees: boolean,
): CountedRefund => ({
  partner_id: order.partnerId,
  partner_customer_id: order.partnerCustomerId,
  partner_sees: partnerSees,
  order_id: order.id,
  order_key: String(order.orderKey),
  processor: order.processor,
  processor_order_id: order.processorOrderId,
  processor_refund_id: refund.processorRefundId,
  refund_id: refund.refundId,
  amount_cents: refund.amountCents,
  currency: refund.currency,
  made_at: refund.createdAt.toISOString(),
})
