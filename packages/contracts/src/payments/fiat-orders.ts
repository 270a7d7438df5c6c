import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { customerParams } from '../onboarding/customers.ts'
import { EmailAddress } from '../internet-names.ts'
import { createdFilters, referenceFilter, SHORT_PAGES } from '../filters.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  text,
  Timestamp,
  MAX_AMOUNT_CENTS,
} from '../primitives.ts'

export const FiatOrderStatus = z.enum([
  'pending',
  'paid',
  'completed',
  'cancelled',
  'expired',
  'refunded',
  'chargeback',
])
export const FiatOrderKind = z.enum(['order', 'payment_link'])
export const ServiceFeePayer = z.enum(['customer', 'merchant'])
export type ServiceFeePayer = z.infer<typeof ServiceFeePayer>
export const IpAddress = z
  .string()
  .refine((value) => z.ipv4().safeParse(value).success || z.ipv6().safeParse(value).success, {
    params: { reason: 'invalid_value', expected: 'an IPv4 or IPv6 address' },
  })
/** Rendered as a string: a short consecutive integer from one shared sequence. */
export const OrderKey = z.string().regex(/^[1-9]\d{0,17}$/)

const MAX_SPLITS = 20
/** Money cannot be split off with a share of nothing; a receiver is listed once. */
const SplitsInput = z
  .array(
    z.strictObject({
      // A malformed id is answered like an unknown one, as in a path.
      partner_customer_id: text(255),
      amount_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS),
      reference: text(255).nullable().optional(),
    }),
  )
  .max(MAX_SPLITS)
  .superRefine((splits, context) => {
    const seen = new Set<string>()
    for (const [place, { partner_customer_id: receiver }] of splits.entries()) {
      if (seen.has(receiver))
        context.addIssue({
          code: 'custom',
          path: [place, 'partner_customer_id'],
          params: { reason: 'invalid_value', expected: 'each receiver once' },
        })
      seen.add(receiver)
    }
  })

/** A card order (spec: Fiat order; decisions §10). Amounts in the currency's minor unit. */
export const FiatOrder = z.object({
  order_key: OrderKey,
  order_id: idOf('fiatOrder'),
  partner_customer_id: idOf('relationship'),
  integration_id: idOf('integration'),
  kind: FiatOrderKind,
  status: FiatOrderStatus,
  total_cents: z.number().int(),
  amount_cents: z.number().int(),
  service_fee_cents: z.number().int(),
  service_fee_percent: z.number(),
  service_fee_payer: ServiceFeePayer,
  /** The partner's own fee and the shares of other customers; both only where the order has one of them (decisions §52). */
  partner_fee_cents: z.number().int().optional(),
  splits: z
    .array(
      z.object({
        partner_customer_id: idOf('relationship'),
        amount_cents: z.number().int(),
        reference: z.string().nullable(),
      }),
    )
    .optional(),
  refunded_cents: z.number().int(),
  chargeback_cents: z.number().int(),
  merchant_reference: z.string().nullable(),
  currency: z.string(),
  psp: z.string(),
  /** The processor's page. */
  order_url: z.string(),
  /** The platform's page of the order: before the payment, and then as the receipt. Absent from older replies. */
  pay_url: z.string().optional(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
})
export type FiatOrder = z.infer<typeof FiatOrder>

/** A card order with its owner, as staff see it. */
export const FiatOrderOfPartner = FiatOrder.extend({
  partner_id: idOf('partner'),
  customer_id: idOf('merchant'),
  /** The processor's id of the payment and its last status there. */
  processor_order_id: z.string(),
  processor_status: z.string().nullable(),
})
export type FiatOrderOfPartner = z.infer<typeof FiatOrderOfPartner>

/**
 * A card order as its buyer sees it without a credential (decisions §22): nothing in it names a person. Amounts in the
 * currency's minor unit.
 */
export const PayableFiatOrder = z.object({
  order_id: idOf('fiatOrder'),
  status: FiatOrderStatus,
  /** Names of the shop and of what is bought, as the processor's page shows them. */
  merchant_name: z.string(),
  description: z.string(),
  total_cents: z.number().int(),
  /** Part of the total that is the service fee; 0 where the merchant pays it. */
  service_fee_cents: z.number().int(),
  refunded_cents: z.number().int(),
  currency: z.string(),
  order_url: z.string(),
  /** Where the way back leads now: after a payment to `return_url` of the integration, else to its `failure_url` if it has one. */
  return_url: z.string().nullable(),
  completed_at: Timestamp.nullable(),
})
export type PayableFiatOrder = z.infer<typeof PayableFiatOrder>

export const FiatOrderList = z.object({ orders: z.array(FiatOrder), next_cursor: NextCursor })

/** `payments.fiat-orders` (decisions §10). */
export const fiatOrders = resource('payments.fiat-orders', {
  create: operation({
    operationId: 'createFiatOrder',
    http: post('/customers/:customerId/fiat-orders', { scopes: ['payments:create'], status: 201 }),
    tag: 'Card orders',
    summary: 'Create a card order with a hosted checkout',
    description:
      'Use it for a card payment: send the payer to `order_url`, then wait for `payment.confirmed`. After a lost response, retry with the same key.',
    params: customerParams,
    idempotent: true,
    body: z.strictObject({
      // A malformed id is answered like an unknown one, as in a path.
      integration_id: text(255),
      amount_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS),
      currency: Currency,
      merchant_reference: text(255).nullable().optional(),
      kind: FiatOrderKind.optional(),
      service_fee_payer: ServiceFeePayer.optional(),
      partner_fee_cents: z.number().int().min(0).max(MAX_AMOUNT_CENTS).optional(),
      splits: SplitsInput.optional(),
      payer_email: EmailAddress.nullable().optional(),
      payer_ip: IpAddress.nullable().optional(),
    }),
    reply: z.object({ order: FiatOrder }),
    refusals: [
      'invalid_request',
      'resource_not_found',
      'capability_not_enabled',
      'capability_unavailable',
      'checkout_blocked',
      'idempotency_key_reuse',
      'provider_error',
      'temporarily_unavailable',
    ],
  }),
  get: operation({
    operationId: 'getFiatOrder',
    http: get('/fiat-orders/:orderKey', { scopes: ['payments:read'] }),
    tag: 'Card orders',
    summary: 'Get a card order',
    description:
      'Use it after a payment event: `refunded_cents` and `chargeback_cents` are here, not in events.',
    params: z.object({ orderKey: OrderKey }),
    reply: z.object({ order: FiatOrder }),
  }),
  list: operation({
    operationId: 'listFiatOrders',
    http: get('/customers/:customerId/fiat-orders', { scopes: ['payments:read'] }),
    tag: 'Card orders',
    summary: 'List the card orders of a customer, newest first',
    description: 'Use it to compare your orders with the platform’s.',
    params: customerParams,
    query: z.object({ limit: limitParameter(25, 100), before: cursorParameter }),
    reply: FiatOrderList,
    refusals: ['invalid_cursor'],
  }),
  listOfPartner: operation({
    operationId: 'listAllFiatOrders',
    http: get('/fiat-orders', { scopes: ['payments:read'] }),
    tag: 'Card orders',
    summary: 'List the card orders of all your customers, newest first',
    description: `Use it to find an order by your \`merchant_reference\`, or the orders in a state. Orders of customers without an active relationship are left out. ${SHORT_PAGES}`,
    query: z.object({
      limit: limitParameter(25, 100),
      before: cursorParameter,
      status: FiatOrderStatus.optional(),
      ...referenceFilter,
      ...createdFilters,
    }),
    reply: FiatOrderList,
    refusals: ['invalid_cursor'],
  }),
  getByStaff: operation({
    operationId: 'getPartnerFiatOrder',
    http: get('/fiat-orders/:orderKey'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Read a card order of any partner',
    description: 'Use it to see the status of a card payment and its id at the processor.',
    caller: 'operator',
    params: z.object({ orderKey: OrderKey }),
    reply: z.object({ order: FiatOrderOfPartner }),
    refusals: ['resource_not_found'],
  }),
  getByBuyer: operation({
    summary: 'Get a card order as its payment page shows it; its id is the only credential',
    caller: 'public',
    params: z.object({ orderId: idOf('fiatOrder') }),
    reply: z.object({
      order: PayableFiatOrder,
      /** Whose brand the page shows; it does not name it. */
      branded_by: idOf('relationship'),
    }),
    refusals: ['resource_not_found'],
  }),
})
