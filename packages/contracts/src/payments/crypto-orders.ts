import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { customerParams } from '../onboarding/customers.ts'
import { EmailAddress } from '../internet-names.ts'
import { createdFilters, referenceFilter, SHORT_PAGES } from '../filters.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  CryptoRefund,
  REFUND_REFUSALS,
  RefundPlan,
  RefundPlanQuery,
  RefundRequest,
  SIGNER_WAIT_MS,
  TxBlock,
} from './crypto-refunds.ts'
import { ServiceFeePayer } from './fiat-orders.ts'
import { HttpsUrl } from '../web-address.ts'
import { Asset, ASSETS_OF_NETWORKS, Network, NETWORK_ASSETS } from './networks.ts'
import {
  cursorParameter,
  DecimalString,
  idOf,
  limitParameter,
  NextCursor,
  NoBody,
  text,
  Timestamp,
} from '../primitives.ts'

export const CryptoOrderStatus = z.enum(['pending', 'underpaid', 'paid', 'expired', 'cancelled', 'refunded'])
export type CryptoOrderStatus = z.infer<typeof CryptoOrderStatus>

/** The crypto order without list-only and single-only fields (spec: Crypto order). */
export const CryptoOrder = z.object({
  id: idOf('cryptoOrder'),
  reference: z.string(),
  network: Network,
  asset: Asset,
  amount: DecimalString,
  currency: z.string(),
  status: CryptoOrderStatus,
  address: z.string(),
  paymentUri: z.string(),
  qrUrl: z.string(),
  /** The payment page of the order, for its payer. Optional for a payments service that is older than it. */
  payUrl: z.string().optional(),
  /** Service fee of `amount`, in the asset; part of it where the customer pays it. Only of an order that has a fee. */
  serviceFee: DecimalString.optional(),
  serviceFeePercent: z.number().optional(),
  serviceFeePayer: ServiceFeePayer.optional(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type CryptoOrder = z.infer<typeof CryptoOrder>

/** A single order as read: with its QR image inline. */
export const CryptoOrderDetail = CryptoOrder.extend({
  qrImage: z.string().startsWith('data:image/png;base64,'),
})

/** A row of the list: with the amounts in fiat and in total. */
export const CryptoOrderRow = CryptoOrder.extend({
  totalToSend: DecimalString,
  networkFees: DecimalString.nullable(),
  fiatAmount: DecimalString,
})

/** Most deposits that a payment page shows. */
export const MAX_DEPOSITS_OF_BUYER = 20

/** A deposit as the buyer sees it. */
export const DepositOfBuyer = z.object({
  txId: z.string(),
  amount: DecimalString,
  /** At most `confirmationsNeeded`. */
  confirmations: z.number().int(),
  confirmationsNeeded: z.number().int(),
  /** Since when it counts; null: it does not yet. */
  countedAt: Timestamp.nullable(),
  /** The transaction in a block explorer, where the platform names one for the network. */
  explorerUrl: z.string().nullable(),
})
export type DepositOfBuyer = z.infer<typeof DepositOfBuyer>

/**
 * An order as its buyer sees it without a credential (decisions §22): nothing in it names a person, a merchant or a
 * partner, except what the partner has stated for the page. `paymentUri` and `qrImage` ask for what is still due.
 */
export const PayableOrder = z.object({
  id: idOf('cryptoOrder'),
  shopName: z.string().optional(),
  description: z.string().optional(),
  returnUrl: z.string().optional(),
  /**
   * Price of one unit of the asset in `currency`, locked until `expiresAt`. Null, and no deposits, of a payments service
   * that is older than these fields.
   */
  rate: DecimalString.nullable().default(null),
  /** The newest of them, oldest first. */
  deposits: z.array(DepositOfBuyer).max(MAX_DEPOSITS_OF_BUYER).default([]),
  network: Network,
  asset: Asset,
  amount: DecimalString,
  currency: z.string(),
  fiatAmount: DecimalString,
  status: CryptoOrderStatus,
  /** Amount that arrived and counts. */
  received: DecimalString,
  /** Amount on the chain that does not count yet. */
  unconfirmed: DecimalString,
  /** Amount that counted until a reorganisation or a replacement reverted it. */
  reverted: DecimalString,
  /** Remaining amount due; 0 once it is paid. */
  due: DecimalString,
  /** Amount that the buyer should send now: what is due and not on its way yet. */
  toSend: DecimalString,
  /** Amount that arrived beyond a paid order's amount. */
  excess: DecimalString,
  /** Part of `amount` that is the service fee, where the buyer pays it. */
  serviceFee: DecimalString.optional(),
  address: z.string(),
  paymentUri: z.string(),
  qrImage: z.string().startsWith('data:image/png;base64,'),
  /** Changes with everything else here except the confirmations of a deposit. */
  version: z.string().max(300),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type PayableOrder = z.infer<typeof PayableOrder>

/** Most deposits that an order shows to staff. */
export const MAX_SHOWN_DEPOSITS = 100

/** A crypto order as staff see it: with its owner and its deposits on the chain. */
export const CryptoOrderFile = CryptoOrderRow.extend({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  /** Amount that arrived and counts. */
  received: DecimalString,
  /** The first of them by transaction. */
  deposits: z
    .array(
      z.object({
        tx_id: z.string(),
        asset: Asset,
        amount: DecimalString,
        confirmations: z.number().int(),
        /** Null while it is in no block. */
        block_number: z.number().int().nullable(),
        /** Since when it counts; null: it does not. */
        counted_at: Timestamp.nullable(),
        /** True if it arrived after the end of the order. */
        late: z.boolean(),
        /** Service fee that it bears, in its asset; left out where it bears none. */
        service_fee: DecimalString.optional(),
        /** The part of it that was converted, and its value in the minor unit of the order's currency; left out where nothing was. */
        settled_amount: DecimalString.optional(),
        settled_cents: z.number().int().optional(),
      }),
    )
    .max(MAX_SHOWN_DEPOSITS),
})
export type CryptoOrderFile = z.infer<typeof CryptoOrderFile>

/** A refund of an order. Without a signer it is what staff have recorded, and there is no `refund`. */
export const OrderRefund = z.object({
  order: CryptoOrder,
  to_address: z.string(),
  /** When the refund was recorded, or confirmed by the chain; null until then. */
  refunded_at: Timestamp.nullable(),
  refund: CryptoRefund.optional(),
  /** The transaction of a refund that staff sent, where they named it. */
  tx_id: z.string().nullable().optional(),
  tx_block: TxBlock.optional(),
})
export type OrderRefund = z.infer<typeof OrderRefund>

/** Most orders in one call of `listVersions`. */
export const VERSIONS_MAX = 100

const orderParams = z.object({ orderId: idOf('cryptoOrder') })

/** Fiat amount: a JSON number or decimal string with at most 2 decimals, above zero (decisions §9). */
const FiatAmount = z.union([z.number(), z.string()]).transform((raw, context) => {
  const amount = String(raw)
  if (/^\d{1,12}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0) return amount
  context.issues.push({
    code: 'custom',
    input: raw,
    message: 'invalid amount',
    params: {
      reason: 'invalid_value',
      expected: 'more than 0, with at most 12 digits before the decimal point and 2 after it',
    },
  })
  return z.NEVER
})

export const CryptoOrderList = z.object({ orders: z.array(CryptoOrderRow), next_cursor: NextCursor })

/** `payments.crypto-orders` (spec: Crypto orders; decisions §9). */
export const cryptoOrders = resource('payments.crypto-orders', {
  create: operation({
    operationId: 'createCryptoOrder',
    http: post('/customers/:customerId/orders', { scopes: ['orders:create'], status: 201 }),
    tag: 'Crypto orders',
    summary: 'Create a crypto payment order at a locked rate',
    description:
      'Use it for a crypto payment: send the payer to `payUrl`, or show `address`, `paymentUri` or the image at `qrUrl`. The rate is locked until `expiresAt`. The same `reference` returns the first order (`replayed`), so retry after a lost response. `differs` names what your request has changed: then use another reference.',
    params: customerParams,
    body: z
      .strictObject({
        reference: text(255),
        network: Network,
        asset: Asset,
        amount: FiatAmount,
        currency: Currency,
        firstName: text(100).optional(),
        lastName: text(100).optional(),
        email: EmailAddress,
        phone: text(40).optional(),
        country: z
          .string()
          .regex(/^[A-Z]{2}$/)
          .optional(),
        shopName: text(100)
          .optional()
          .meta({ description: 'Name of the shop, as the payment page shows it' }),
        description: text(255)
          .optional()
          .meta({ description: 'What is bought, as the payment page shows it' }),
        returnUrl: HttpsUrl.optional().meta({
          description: 'Where the payment page leads back to: an https address without credentials',
        }),
      })
      .refine((order) => (NETWORK_ASSETS[order.network] as readonly Asset[]).includes(order.asset), {
        path: ['asset'],
        params: { reason: 'invalid_value', expected: `an asset of the network: ${ASSETS_OF_NETWORKS}` },
      }),
    reply: z.object({
      order: CryptoOrder,
      replayed: z.boolean(),
      differs: z
        .array(z.enum(['network', 'asset', 'amount', 'currency']))
        .optional()
        .meta({
          description:
            'Fields of your request that differ from the replayed order, which is unchanged; absent if there are none',
        }),
    }),
    refusals: [
      'invalid_request',
      'resource_not_found',
      'capability_not_enabled',
      'capability_unavailable',
      'temporarily_unavailable',
    ],
  }),
  list: operation({
    operationId: 'listCryptoOrders',
    http: get('/customers/:customerId/orders', { scopes: ['orders:read'] }),
    tag: 'Crypto orders',
    summary: 'List the orders of this relationship, newest first',
    description:
      'Use it to compare your orders with the platform’s. It needs the capability `payments.crypto`.',
    params: customerParams,
    query: z.object({ limit: limitParameter(25, 100), before: cursorParameter }),
    reply: CryptoOrderList,
    refusals: ['resource_not_found', 'invalid_cursor', 'capability_not_enabled'],
  }),
  listOfPartner: operation({
    operationId: 'listAllCryptoOrders',
    http: get('/orders', { scopes: ['orders:read'] }),
    tag: 'Crypto orders',
    summary: 'List the crypto orders of all your customers, newest first',
    description: `Use it to find an order by your \`reference\`, or the orders in a state. Orders of customers without an active relationship or without the capability \`payments.crypto\` are left out. ${SHORT_PAGES}`,
    query: z.object({
      limit: limitParameter(25, 100),
      before: cursorParameter,
      status: CryptoOrderStatus.optional(),
      ...referenceFilter,
      ...createdFilters,
    }),
    reply: z.object({
      orders: z.array(CryptoOrderRow.extend({ partnerCustomerId: idOf('relationship') })),
      next_cursor: NextCursor,
    }),
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getCryptoOrder',
    http: get('/orders/:orderId', { scopes: ['orders:read'] }),
    tag: 'Crypto orders',
    summary: 'Get a crypto order with its QR image',
    description: 'Use it after a payment event or while the payer waits. The QR image is inline.',
    params: orderParams,
    reply: z.object({ order: CryptoOrderDetail, partner_customer_id: idOf('relationship') }),
    refusals: ['resource_not_found'],
  }),
  cancel: operation({
    operationId: 'cancelCryptoOrder',
    http: post('/orders/:orderId/cancel', { scopes: ['orders:create'] }),
    tag: 'Crypto orders',
    summary: 'Cancel a pending order',
    description: 'Use it when the payer gives up, while the order is `pending`.',
    params: orderParams,
    body: NoBody,
    reply: z.object({ order: CryptoOrder }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  getByStaff: operation({
    operationId: 'getPartnerCryptoOrder',
    http: get('/orders/:orderId'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get a crypto order of any partner with its deposits',
    description: 'Use it to see which deposits arrived, and which count.',
    caller: 'operator',
    params: orderParams,
    reply: z.object({ order: CryptoOrderFile }),
    refusals: ['resource_not_found'],
  }),
  refund: operation({
    operationId: 'recordCryptoRefund',
    http: post('/orders/:orderId/refund', { approvesRefund: true }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    repeatable: true,
    summary: 'Refund the deposits of a cancelled order, or record that staff refunded them',
    description:
      'With a signer, the platform pays back, `refund` shows the progress, and the order becomes `refunded` when the chain confirms it. Without one, `sent_by_hand` records what staff sent, with its `tx_id`; where the network has nodes, the transaction must pay `to_address` the amount. Read the plan first and pass its values as `expected`; other values are refused.',
    caller: 'operator',
    waitsMs: SIGNER_WAIT_MS,
    params: orderParams,
    // A separate schema: generated clients name it after the operation.
    body: z.strictObject(RefundRequest.shape),
    reply: OrderRefund,
    refusals: REFUND_REFUSALS,
  }),
  getRefundPlan: operation({
    operationId: 'getCryptoRefundPlan',
    http: get('/orders/:orderId/refund-plan'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get the plan of a cancelled order’s refund: amount, source and network fee',
    description: 'Use it before the refund, whose `expected` binds it to this plan.',
    caller: 'operator',
    waitsMs: SIGNER_WAIT_MS,
    params: orderParams,
    query: RefundPlanQuery,
    reply: z.object({ plan: RefundPlan }),
    refusals: ['invalid_request', 'resource_not_found', 'invalid_state', 'nothing_to_refund'],
  }),
  getRefund: operation({
    operationId: 'getCryptoRefund',
    http: get('/orders/:orderId/refund'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get the progress of a crypto order’s refund',
    description:
      'Use it after requesting a refund from the signer, until `refund.status` is `confirmed` or `failed`.',
    caller: 'operator',
    params: orderParams,
    reply: OrderRefund,
    refusals: ['resource_not_found'],
  }),
  getQrImage: operation({
    operationId: 'getOrderQrImage',
    summary: 'Get the QR image of a crypto order',
    description: 'Embed it in your checkout. It needs no credential, never changes and can be cached.',
    caller: 'public',
    params: orderParams,
    reply: z.object({ content_type: z.literal('image/png'), content_base64: z.string() }),
    refusals: ['resource_not_found'],
  }),
  getByBuyer: operation({
    summary: 'Get an order as the payment page shows it; its id is the only credential',
    caller: 'public',
    params: orderParams,
    reply: z.object({
      order: PayableOrder,
      /** Whose brand the page shows; it does not name it. Absent from an older payments service. */
      branded_by: idOf('relationship').optional(),
    }),
    refusals: ['resource_not_found'],
  }),
  listVersions: operation({
    summary: 'List the orders that changed since a payment page was rendered, without unknown ones',
    caller: 'public',
    body: z.strictObject({ order_ids: z.array(idOf('cryptoOrder')).min(1).max(VERSIONS_MAX) }),
    reply: z.object({
      orders: z.array(PayableOrder.pick({ id: true, version: true })).max(VERSIONS_MAX),
    }),
    refusals: ['invalid_request'],
  }),
})
