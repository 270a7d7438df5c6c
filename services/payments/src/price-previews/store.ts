import { queryMany, queryOne } from '@causeway/chassis'
import { Asset, FeeHandling, FiatOrderKind, Network, ServiceFeePayer } from '@causeway/contracts'
import { z } from 'zod'

/** A merchant that has a relationship, active or not. */
export const findMerchant = queryOne({
  name: 'price-previews.find-merchant',
  parameters: { merchantId: 'text' },
  text: 'SELECT merchant_id FROM relationships WHERE merchant_id = :merchantId LIMIT 1',
  row: z.object({ merchantId: z.string() }),
})

/** Card orders that a merchant was paid at one price, with the fees that were charged. */
export const PaidOrders = z.object({
  processor: z.string(),
  kind: FiatOrderKind,
  currency: z.string(),
  payer: ServiceFeePayer,
  priceCents: z.number(),
  feeHandling: FeeHandling.nullable(),
  orders: z.number(),
  feeCents: z.number(),
})
export type PaidOrders = Readonly<z.infer<typeof PaidOrders>>

/** Counts card orders that were paid from `since` on, at most `limit` of them. */
export const countPaidOrders = queryMany({
  name: 'price-previews.count-paid-orders',
  parameters: { merchantId: 'text', since: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT f.processor, f.kind, f.currency, f.service_fee_payer AS payer,
      CASE f.service_fee_payer WHEN 'customer' THEN f.amount_cents ELSE f.total_cents END AS price_cents,
      r.kyb_choices ->> 'fee_handling' AS fee_handling, count(*) AS orders, sum(f.service_fee_cents)::bigint AS fee_cents
    FROM (
      SELECT * FROM fiat_orders WHERE merchant_id = :merchantId AND completed_at >= :since LIMIT :limit) AS f
    JOIN relationships r ON r.partner_customer_id = f.partner_customer_id
    GROUP BY 1, 2, 3, 4, 5, 6`,
  row: PaidOrders,
})

/** A paid crypto order; amounts and the rate are decimals. */
export const PaidCryptoOrder = z.object({
  network: Network,
  asset: Asset,
  amount: z.string(),
  currency: z.string(),
  rate: z.string(),
  serviceFee: z.string(),
  serviceFeePayer: ServiceFeePayer,
  feeHandling: FeeHandling.nullable(),
})
export type PaidCryptoOrder = Readonly<z.infer<typeof PaidCryptoOrder>>

/** Lists crypto orders that were created from `since` on and are paid, at most `limit` of them. */
export const listPaidCryptoOrders = queryMany({
  name: 'price-previews.list-paid-crypto-orders',
  parameters: { merchantId: 'text', since: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT o.network, o.asset, o.amount, o.currency, o.rate, o.service_fee, o.service_fee_payer,
      r.kyb_choices ->> 'fee_handling' AS fee_handling
    FROM relationships r
    CROSS JOIN LATERAL (
      SELECT * FROM crypto_orders c
      WHERE c.partner_customer_id = r.partner_customer_id AND c.created_at >= :since AND c.status = 'paid'
      LIMIT :limit) AS o
    WHERE r.merchant_id = :merchantId LIMIT :limit`,
  row: PaidCryptoOrder,
})

/** Disputes with one fee of the processor and one of the plan; a null is a fee that was not stated. */
export const Disputes = z.object({
  currency: z.string(),
  planCents: z.number().nullable(),
  processorCents: z.number().nullable(),
  processorCurrency: z.string().nullable(),
  disputes: z.number(),
})
export type Disputes = Readonly<z.infer<typeof Disputes>>

/** Counts the disputes that were recorded from `since` on, at most `limit` of them. */
export const countDisputes = queryMany({
  name: 'price-previews.count-disputes',
  parameters: { merchantId: 'text', since: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT c.currency, f.dispute_fee_cents AS plan_cents, c.fee_cents AS processor_cents,
      c.fee_currency AS processor_currency, count(*) AS disputes
    FROM (SELECT * FROM chargebacks WHERE merchant_id = :merchantId AND created_at >= :since LIMIT :limit) AS c
    JOIN fiat_orders f ON f.id = c.order_id
    GROUP BY 1, 2, 3, 4`,
  row: Disputes,
})
