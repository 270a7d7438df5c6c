import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { CryptoOrderStatus } from './crypto-orders.ts'
import { Asset, Network } from './networks.ts'
import { DecimalString, idOf, Timestamp } from '../primitives.ts'

/** A crypto order for the onramp service: amount due, destination and expiry; no personal data. */
export const CryptoOrderTerms = z.object({
  order_id: idOf('cryptoOrder'),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  status: CryptoOrderStatus,
  network: Network,
  asset: Asset,
  /** Amount due, in the asset. */
  amount: DecimalString,
  currency: z.string(),
  fiat_amount: DecimalString,
  /** Destination of the crypto. */
  address: z.string(),
  expires_at: Timestamp,
})
export type CryptoOrderTerms = z.infer<typeof CryptoOrderTerms>

const order = { partner_id: idOf('partner'), order_id: idOf('cryptoOrder') }
const hold = { ...order, onramp_order_id: idOf('onrampOrder') }
const reply = z.object({ order: CryptoOrderTerms })

/**
 * `payments.onramp-holds`: while an onramp order is open, its crypto order is held and does not expire. Every operation
 * is idempotent.
 */
export const onrampHolds = resource('payments.onramp-holds', {
  getOrder: operation({
    summary: 'Get a crypto order that its partner can see',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject(order),
    reply,
    refusals: ['resource_not_found'],
  }),
  getOrderByBuyer: operation({
    summary: 'Get a crypto order for its buyer, who knows only its id',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ order_id: idOf('cryptoOrder') }),
    reply,
    refusals: ['resource_not_found'],
  }),
  create: operation({
    summary: 'Keep a pending order from expiring while an onramp order is open',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject(hold),
    reply,
    // temporarily_unavailable: another onramp order holds it, which is being given up.
    refusals: ['resource_not_found', 'invalid_state', 'temporarily_unavailable'],
  }),
  extend: operation({
    summary: 'Set when a held pending order expires',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ ...hold, expires_at: Timestamp }),
    reply,
    refusals: ['resource_not_found'],
  }),
  release: operation({
    summary: 'Release the hold: the order expires between keep_until and expires_at',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ ...hold, keep_until: Timestamp.optional(), expires_at: Timestamp.optional() }),
    reply,
    refusals: ['resource_not_found'],
  }),
  cancelOrder: operation({
    summary: 'Cancel a pending order whose onramp order failed or timed out',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ ...hold, cause: z.enum(['onramp_failed', 'ramping_kyc_timeout']) }),
    reply,
    refusals: ['resource_not_found'],
  }),
})
