import type { DomainEvent, MerchantEvent, PartnerEventType } from '@causeway/contracts'
import { presentOrder, type OrderRecord } from './order.ts'

/** The partner's types of a crypto order and their twins on the merchant channel (spec: Events). */
const TWINS = {
  'payment.pending': 'pending',
  'payment.confirmed': 'paid',
  'payment.underpaid': 'underpaid',
  'payment.expired': 'expired',
  'payment.cancelled': 'cancelled',
  'payment.refunded': 'refunded',
} as const satisfies Partial<Record<PartnerEventType, MerchantEvent>>

export type OrderEventType = keyof typeof TWINS

/** What an order's event is made of. `order` is its state after the change. */
export type OrderChange = Readonly<{
  eventId: string
  type: OrderEventType
  order: OrderRecord
  /** The deposit that caused it; null where none did. */
  deposit: Readonly<{ txId: string; blockNumber: number | null }> | null
  /** False once the relationship is revoked: its partner receives no more events (decisions §3). */
  partnerSees: boolean
  now: Date
  publicBaseUrl: string
  /** Further fields of the merchant's event, beside `order`. */
  beside?: Readonly<Record<string, unknown>>
}>

/**
 * Fees in the merchant's `underpaid` event, all in the asset. The platform takes no fee of its own on crypto orders.
 */
const feesOf = (order: OrderRecord) => ({
  kind: 'crypto',
  currency: order.asset,
  invoiceAmount: order.amount,
  networkFee: order.networkFee,
  totalToSend: order.totalToSend,
  platformFeePercent: 0,
  platformFeeAmount: '0',
})

const merchantOrder = (change: OrderChange) => {
  const { type, order, deposit, publicBaseUrl } = change
  const shown = presentOrder(order, publicBaseUrl)
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
    ...(type === 'payment.underpaid' && {
      received: order.received,
      expected: order.amount,
      fees: feesOf(order),
    }),
    ...(type === 'payment.refunded' && { refundedAt: change.now.toISOString() }),
  }
}

/** The event of a change, for both channels (spec: Events). It carries no personal data. */
export const orderEvent = (change: OrderChange): DomainEvent => {
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
      event: TWINS[type],
      body: { event: TWINS[type], order: merchantOrder(change), ...change.beside },
    },
    fact: null,
  }
}
