import type { CryptoOrderTerms } from '@causeway/contracts'
import type { OrderRecord } from '../crypto-orders/order.ts'
import { fiatDueOf } from '../crypto-orders/service-fee.ts'

/** An order as the onramp service receives it. */
export const presentTerms = (order: OrderRecord): CryptoOrderTerms => ({
  order_id: order.id,
  partner_id: order.partnerId,
  partner_customer_id: order.partnerCustomerId,
  customer_id: order.merchantId,
  status: order.status,
  network: order.network,
  asset: order.asset,
  amount: order.amount,
  currency: order.currency,
  fiat_amount: fiatDueOf(order),
  address: order.address,
  expires_at: order.expiresAt.toISOString(),
})

export type CancelCause = 'onramp_failed' | 'ramping_kyc_timeout'

/**
 * The event of a cancellation: `payment.cancelled` for a failed purchase; past the hard cap `payment.expired`, with the
 * reason and the onramp order in addition to the order (spec: Onramp order; decisions §13).
 */
export const cancellationOf = (cause: CancelCause, onrampOrderId: string) =>
  cause === 'onramp_failed'
    ? ({ type: 'payment.cancelled' } as const)
    : ({ type: 'payment.expired', additional: { reason: cause, rampingOrderId: onrampOrderId } } as const)
