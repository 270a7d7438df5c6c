import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { Asset, Network } from '../payments/networks.ts'
import { DecimalString, idOf, NoBody, Timestamp } from '../primitives.ts'
import { HttpsUrl } from '../web-address.ts'

/** Every status of an onramp provider, in the words of the specification (spec: Onramp order). */
export const ONRAMP_STATUSES = [
  'pendingPayment',
  'waitingPayment',
  'paymentReceived',
  'extraVerification',
  'inProgress',
  'coinTransferred',
  'cryptoTransferred',
  'complete',
  'completed',
  'cancelled',
  'declined',
  'expired',
  'refunded',
] as const
export const OnrampStatus = z.enum(ONRAMP_STATUSES)
export type OnrampStatus = z.infer<typeof OnrampStatus>

/** An onramp order: a provider sells a payer the crypto that an order is due (decisions §13). */
export const OnrampOrder = z.object({
  id: idOf('onrampOrder'),
  orderId: idOf('cryptoOrder'),
  providerOrderId: z.string(),
  status: OnrampStatus,
  checkoutUrl: z.string(),
  fiat: z.string(),
  fiatAmount: DecimalString.nullable(),
  crypto: Asset,
  cryptoAmount: DecimalString,
  blockchain: Network,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type OnrampOrder = z.infer<typeof OnrampOrder>

const orderParams = z.object({ orderId: idOf('cryptoOrder') })

/** A JSON number or a decimal string with at most 2 decimals, above zero. */
const FiatAmount = z
  .union([z.number(), z.string()])
  .refine((raw) => /^\d{1,12}(\.\d{1,2})?$/.test(String(raw)) && Number(raw) > 0, {
    params: {
      reason: 'invalid_value',
      expected: 'more than 0, with at most 12 digits before the decimal point and 2 after it',
    },
  })
  .transform(String)

/** `onramp.orders` (spec: Onramp order; decisions §13). */
export const onrampOrders = resource('onramp.orders', {
  create: operation({
    operationId: 'createOnrampOrder',
    http: post('/orders/:orderId/onramp', {
      scopes: ['orders:create'],
      status: { created: 201, existing: 200 },
    }),
    tag: 'Crypto orders',
    summary: 'Open a purchase of the crypto of a pending order; an order has at most one open purchase',
    description:
      'Use it when the payer has no crypto: send the payer to `checkoutUrl`. There a provider sells the amount and sends it to the order’s address. A second call returns the open purchase (200).',
    params: orderParams,
    body: z.strictObject({
      fiat: Currency,
      fiat_amount: FiatAmount.optional(),
      return_url: HttpsUrl.optional(),
    }),
    reply: z.object({ onramp: OnrampOrder }),
    refusals: [
      'resource_not_found',
      'invalid_state',
      'provider_error',
      'temporarily_unavailable',
      'internal_error',
    ],
  }),
  get: operation({
    operationId: 'getOnrampOrder',
    http: get('/orders/:orderId/onramp', { scopes: ['orders:read'] }),
    tag: 'Crypto orders',
    summary: 'Get the latest purchase of a crypto order',
    description: 'Use it to show the progress while the payer is at the provider.',
    params: orderParams,
    reply: z.object({ onramp: OnrampOrder }),
    refusals: ['resource_not_found'],
  }),
  getByBuyer: operation({
    summary: 'Get whether the buyer of an order can buy the crypto from a provider, and the newest purchase',
    caller: 'public',
    params: orderParams,
    reply: z.object({
      available: z.boolean(),
      purchase: OnrampOrder.pick({ checkoutUrl: true, status: true }).nullable(),
    }),
    refusals: ['resource_not_found'],
  }),
  createByBuyer: operation({
    summary: 'Open a purchase for the buyer of an order, in the currency of its price',
    caller: 'public',
    params: orderParams,
    body: NoBody,
    reply: z.object({ purchase: OnrampOrder.pick({ checkoutUrl: true, status: true }) }),
    refusals: [
      'resource_not_found',
      'invalid_state',
      'provider_error',
      'temporarily_unavailable',
      'internal_error',
    ],
  }),
})
