import { Asset, CryptoOrderStatus, Network, type EventOf, type LatePayment } from '@causeway/contracts'
import { z } from 'zod'

/** Late money of a deposit (decisions §52), with its order's present state. */
export const LatePaymentRow = z.object({
  id: z.string(),
  /** Its row of unattributed money. */
  moneyId: z.string(),
  orderId: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  reference: z.string(),
  onrampOrderId: z.string().nullable(),
  orderStatus: CryptoOrderStatus,
  network: Network,
  asset: Asset,
  amount: z.string(),
  address: z.string(),
  txId: z.string(),
  blockNumber: z.number().nullable(),
  receivedAt: z.date(),
})
export type LatePaymentRow = Readonly<z.infer<typeof LatePaymentRow>>

/** The record as staff see it. */
export const presentLatePayment = (row: LatePaymentRow): LatePayment => ({
  late_payment_id: row.id,
  order_id: row.orderId,
  partner_id: row.partnerId,
  partner_customer_id: row.partnerCustomerId,
  customer_id: row.merchantId,
  reference: row.reference,
  onramp_order_id: row.onrampOrderId,
  order_status: row.orderStatus,
  network: row.network,
  asset: row.asset,
  amount: row.amount,
  address: row.address,
  tx_id: row.txId,
  block_number: row.blockNumber,
  received_at: row.receivedAt.toISOString(),
})

/**
 * `payment.late`: a fact on the stream for staff's own consumers. Neither partners nor merchants receive it: the order
 * has ended, and their lists of event types are closed.
 */
export const latePaymentEvent = (
  eventId: string,
  row: LatePaymentRow,
  now: Date,
): EventOf<'payment.late'> => ({
  id: eventId,
  name: 'payment.late',
  created_at: now.toISOString(),
  partners: [],
  merchant: null,
  fact: { kind: 'late_payment', late_payment: presentLatePayment(row) },
})
