import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Asset, CryptoOrderStatus, Network } from './crypto-orders.ts'
import { DecimalString, idOf, Timestamp } from '../primitives.ts'

/** A crypto order as the onramp service needs it: no personal data. */
export const Invoice = z.object({
  order_id: idOf('cryptoOrder'),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  status: CryptoOrderStatus,
  network: Network,
  asset: Asset,
  /** What is due, in the asset. */
  amount: DecimalString,
  currency: z.string(),
  fiat_amount: DecimalString,
  /** Where the crypto goes. */
  address: z.string(),
  expires_at: Timestamp,
})
export type Invoice = z.infer<typeof Invoice>

const invoice = { partner_id: idOf('partner'), order_id: idOf('cryptoOrder') }
const held = { ...invoice, onramp_order_id: idOf('onrampOrder') }
const reply = z.object({ invoice: Invoice })

/**
 * `payments.invoices`: what the onramp service asks of crypto orders. An onramp order holds its invoice: while it
 * does, the invoice does not expire by itself. Every operation may be repeated without another effect.
 */
export const invoices = resource('payments.invoices', {
  resolve: operation({
    summary: 'Read an order that its partner sees',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject(invoice),
    reply,
    refusals: ['resource_not_found'],
  }),
  hold: operation({
    summary: 'Keep a pending order from expiring while an onramp order is open',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject(held),
    reply,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  extend: operation({
    summary: 'Give a pending order that is held another end',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ ...held, expires_at: Timestamp }),
    reply,
    refusals: ['resource_not_found'],
  }),
  release: operation({
    summary: 'Let an order that was held expire by itself again, not before keep_until',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ ...held, keep_until: Timestamp.optional() }),
    reply,
    refusals: ['resource_not_found'],
  }),
  cancel: operation({
    summary: 'Cancel a pending order whose onramp order has failed or has run out of time',
    caller: 'service',
    services: ['onramp'],
    body: z.strictObject({ ...held, cause: z.enum(['onramp_failed', 'ramping_kyc_timeout']) }),
    reply,
    refusals: ['resource_not_found'],
  }),
})
