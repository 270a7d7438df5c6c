import { EVENTS, type EventOf, type MerchantBody } from '@causeway/contracts'
import { presentOrder, type OrderLinks, type OrderRecord } from './order.ts'
import { priceOf } from '../price-plans/asset-fee.ts'

/** The events of a crypto order (spec: Events). */
export type OrderEventType =
  | 'payment.pending'
  | 'payment.confirmed'
  | 'payment.underpaid'
  | 'payment.reverted'
  | 'payment.expired'
  | 'payment.cancelled'
  | 'payment.refunded'

/** The input of an order's event. `order` is its state after the change. */
export type OrderChange = Readonly<{
  eventId: string
  type: OrderEventType
  order: OrderRecord
  /** The deposit that caused it, or null. */
  deposit: Readonly<{ txId: string; blockNumber: number | null }> | null
  /** False once the relationship is revoked: its partner receives no more events (decisions §3). */
  partnerSees: boolean
  now: Date
  links: OrderLinks
  /** Fields of the merchant's event in addition to `order`. */
  additional?: Readonly<{ reason: 'ramping_kyc_timeout'; rampingOrderId: string }>
}>

/** Fees in the merchant's `underpaid` event, all in the asset (decisions §31). */
const feesOf = (order: OrderRecord) => ({
  kind: 'crypto',
  currency: order.asset,
  invoiceAmount: priceOf(order),
  networkFee: order.networkFee,
  totalToSend: order.totalToSend,
  platformFeePercent: order.serviceFeePercent,
  platformFeeAmount: order.serviceFee,
})

const merchantOrder = (change: OrderChange) => {
  const { order, deposit, links } = change
  const shown = presentOrder(order, links)
  return {
    id: order.id,
    reference: order.reference,
    merchantId: order.merchantId,
    txId: deposit?.txId ?? null,
    blockNumber: deposit?.blockNumber ?? null,
    chain: order.network,
    asset: order.asset,
    amount: order.amount,
    address: order.address,
    depositAddress: order.address,
    paymentUri: shown.paymentUri,
    qrUrl: shown.qrUrl,
  }
}

const merchantBody = (change: OrderChange): MerchantBody<OrderEventType> => {
  const { type, order, now } = change
  const shown = merchantOrder(change)
  if (type === 'payment.underpaid') {
    const shortfall = { received: order.received, expected: order.amount, fees: feesOf(order) }
    return { event: 'underpaid', order: { ...shown, ...shortfall } }
  }
  if (type === 'payment.reverted')
    return { event: 'reverted', order: { ...shown, status: order.status, received: order.received } }
  return type === 'payment.refunded'
    ? { event: 'refunded', order: { ...shown, refundedAt: now.toISOString() } }
    : { event: EVENTS[type].merchant, order: shown, ...change.additional }
}

/** The event of a change, for both channels (spec: Events). It carries no personal data. */
export const orderEvent = (change: OrderChange): EventOf<OrderEventType> => {
  const { eventId, type, order, deposit } = change
  return {
    id: eventId,
    name: type,
    created_at: change.now.toISOString(),
    partners: change.partnerSees
      ? [
          {
            partner_id: order.partnerId,
            partner_customer_id: order.partnerCustomerId,
            type,
            data: {
              partner_customer_id: order.partnerCustomerId,
              rail: 'crypto',
              order_id: order.id,
              status: order.status,
              reference: order.reference,
              chain: order.network,
              asset: order.asset,
              amount: order.amount,
              currency: order.currency,
              tx_id: deposit?.txId ?? null,
              block_number: deposit?.blockNumber ?? null,
              received: order.received === '0' ? null : order.received,
            },
          },
        ]
      : [],
    merchant: {
      merchant_id: order.merchantId,
      integration_id: null,
      event: EVENTS[type].merchant,
      body: merchantBody(change),
    },
    fact: null,
  }
}
