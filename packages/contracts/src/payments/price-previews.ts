import { z } from 'zod'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { FiatOrderKind } from './fiat-orders.ts'
import { FeeCents, PriceRules } from './price-plans.ts'

/** Days of the past that a preview looks at. */
export const PREVIEW_DAYS = 30
/** The most paid orders in that time, and the most disputes, of which a preview can be had. */
export const MAX_PREVIEWED = 100_000
/** The most crypto orders: each is computed at its own rate. */
export const MAX_PREVIEWED_CRYPTO = 25_000

/** Service fees, in the minor unit of the currency, by who pays them. */
const Fees = z.object({ merchant_cents: z.number().int(), customer_cents: z.number().int() })

/** Service fees as decimals in the asset, by who pays them. */
const AssetFees = z.object({ merchant: z.string(), customer: z.string() })

/** A merchant's fees as they were charged, and as other terms would have charged them (decisions §52). */
export const PricePreview = z.object({
  since: Timestamp,
  until: Timestamp,
  service_fees: z.array(
    z.object({
      currency: z.string(),
      kind: FiatOrderKind,
      /** Card orders that were paid in this time. */
      orders: z.number().int(),
      charged: Fees,
      preview: Fees,
      /** Orders whose fee would be above their price: they would be refused, and have no fee in the preview. */
      refused_orders: z.number().int(),
    }),
  ),
  crypto_fees: z.array(
    z.object({
      /** `NETWORK/ASSET`. */
      unit: z.string(),
      /** Crypto orders that were created in this time and are paid. */
      orders: z.number().int(),
      charged: AssetFees,
      preview: AssetFees,
      /** As with card orders. */
      refused_orders: z.number().int(),
    }),
  ),
  dispute_fees: z.array(
    z.object({
      currency: z.string(),
      charged_cents: z.number().int(),
      preview_cents: z.number().int(),
    }),
  ),
})
export type PricePreview = z.infer<typeof PricePreview>

/** `payments.price-previews`: what other terms would have cost (decisions §52). */
export const pricePreviews = resource('payments.price-previews', {
  create: operation({
    operationId: 'previewPrices',
    http: post('/merchants/:customerId/price-preview'),
    role: 'viewer',
    tag: 'Payments',
    safe: true,
    summary: `Preview what terms would have cost a merchant over the last ${PREVIEW_DAYS} days`,
    description:
      'Use it before you create a price plan or assign one. It changes nothing. It covers card orders that were paid in this time, before refunds, and paid crypto orders that were created in it; the payer is the one that the terms name, also where a request named another.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant') }),
    body: z.strictObject({
      rules: PriceRules,
      dispute_fee_cents: FeeCents.nullable().optional(),
      use_kyb_choices: z.boolean().default(false),
    }),
    reply: z.object({ preview: PricePreview }),
    refusals: ['invalid_request', 'resource_not_found'],
  }),
})
