import type { Tables } from '@causeway/chassis'

/** Every column of this service's tables. The provider, not this platform, learns who buys. */
export const TABLES: Tables = {
  onramp_orders: {
    personal: { address: { keptBecause: 'An address on a public chain, of the order that is paid' } },
    plain:
      'id partner_id partner_customer_id merchant_id order_id provider provider_order_id status changed_at outcome fiat ' +
      'fiat_amount crypto crypto_amount blockchain return_url checkout_url order_status_url order_type ' +
      'transaction_hash invoice_expires_at created_at updated_at extend_at cap_at extended_at todo due_at poll_at ' +
      'abandoned_at started_by',
  },
}
