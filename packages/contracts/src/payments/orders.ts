import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  DecimalString,
  idOf,
  limitParameter,
  NextCursor,
  text,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'
import { CryptoOrderStatus } from './crypto-orders.ts'
import { FiatOrderStatus, OrderKey } from './fiat-orders.ts'
import { Asset } from './networks.ts'

/** Search criteria for orders. */
export const OrderSearch = z
  .strictObject({
    reference: text(255).optional(),
    address: text(128).optional(),
    tx_id: text(128).optional(),
    processor_order_id: text(255).optional(),
    partner_customer_id: text(255).optional(),
  })
  .refine((search) => Object.values(search).filter((value) => value !== undefined).length === 1, {
    path: ['reference'],
    params: { reason: 'invalid_value', expected: 'exactly one of the fields' },
  })
export type OrderSearch = z.infer<typeof OrderSearch>

/** An order of any partner, as far as a list shows it. */
export const FoundOrder = z.object({
  kind: z.enum(['crypto', 'card']),
  order_id: z.string(),
  /** Card orders only. */
  order_key: OrderKey.nullable(),
  reference: z.string().nullable(),
  status: z.string(),
  /** Crypto orders: decimals of the currency. Card orders: its minor unit. */
  amount: z.string(),
  currency: z.string(),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  created_at: Timestamp,
})
export type FoundOrder = z.infer<typeof FoundOrder>

/** An order in the list of all partners' orders. */
export const ListedOrder = FoundOrder.extend({
  network: z.string().nullable().meta({ description: 'Null for card orders' }),
  asset: z.string().nullable().meta({ description: 'Null for card orders' }),
})
export type ListedOrder = z.infer<typeof ListedOrder>

/** States of orders of either kind. */
export const OrderStatus = z.enum([
  ...CryptoOrderStatus.options,
  ...FiatOrderStatus.exclude(CryptoOrderStatus.options.filter((status) => status !== 'underpaid')).options,
])
export type OrderStatus = z.infer<typeof OrderStatus>

const amount = (description: string) => DecimalString.max(24).optional().meta({ description })

const states = {
  kind: FoundOrder.shape.kind.optional().meta({ description: 'Left out: both kinds' }),
  status: OrderStatus.optional().meta({ description: 'Left out: any status' }),
}
const prices = {
  currency: Currency.optional().meta({ description: 'Only orders with a price in this currency' }),
  asset: Asset.optional().meta({ description: 'Only crypto orders in this asset' }),
  amount_from: amount('Smallest price, in the order’s currency: `12.50`'),
  amount_to: amount('Largest price, in the order’s currency: `12.50`'),
  since: TimestampInput.optional().meta({ description: 'Earliest `created_at`, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest `created_at`, exclusive' }),
}

/** Filters of the list of all partners' orders. */
const orderFilters = {
  ...states,
  partner_id: idOf('partner').optional().meta({ description: 'Only orders of this partner' }),
  customer_id: idOf('merchant').optional().meta({ description: 'Only orders of this merchant' }),
  partner_customer_id: idOf('relationship').optional().meta({ description: 'Only orders of this customer' }),
  ...prices,
}

/** Filters of the list of one partner's or one merchant's orders. */
const ownFilters = {
  ...states,
  search: text(255).optional().meta({ description: 'Only orders with this reference, id or order key' }),
  ...prices,
}

/** An order in the list of a merchant's orders. */
export const MerchantOrder = z.object({
  kind: FoundOrder.shape.kind,
  orderId: z.string(),
  orderKey: OrderKey.nullable().meta({ description: 'Null for crypto orders' }),
  reference: z.string().nullable(),
  status: z.string(),
  amount: z.string().meta({
    description: 'Crypto orders: decimals of the currency. Card orders: its minor unit',
  }),
  currency: z.string(),
  network: ListedOrder.shape.network,
  asset: ListedOrder.shape.asset,
  partnerCustomerId: idOf('relationship'),
  createdAt: Timestamp,
})
export type MerchantOrder = z.infer<typeof MerchantOrder>

/** Maximum orders in a search response. */
export const MAX_FOUND_ORDERS = 50

const shortPages = (cursor: string): string =>
  `With a filter, a page before the last can be short or empty: follow \`${cursor}\`.`

/** `payments.orders`: orders of both kinds, for staff, partners' people and merchants. */
export const orders = resource('payments.orders', {
  list: operation({
    operationId: 'listOrders',
    http: get('/orders'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the crypto and card orders of all partners, newest first',
    description: `Use it to see what was paid, or which payments of a partner are in a state. ${shortPages('next_cursor')}`,
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter, ...orderFilters }),
    reply: z.object({ orders: z.array(ListedOrder), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  listOfPartner: operation({
    operationId: 'listPartnerOrders',
    http: get('/partners/:partnerId/orders', { ofPartner: true, portal: true }),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the crypto and card orders of all customers of a partner, newest first',
    description: `Use it to find an order by its reference, or to see which orders are in a state. ${shortPages('next_cursor')}`,
    caller: 'operator',
    params: z.object({ partnerId: idOf('partner') }),
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter, ...ownFilters }),
    reply: z.object({ orders: z.array(ListedOrder), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  listByMerchant: operation({
    operationId: 'listMerchantOrders',
    http: get('/orders'),
    tag: 'Merchant balances',
    summary: 'List the merchant’s crypto and card orders, newest first',
    description: `Use it to find an order by its reference, or to see which orders are in a state. It has the orders of all relationships. ${shortPages('nextCursor')}`,
    caller: 'merchant',
    query: z.object({ limit: limitParameter(50, 100), before: cursorParameter, ...ownFilters }),
    reply: z.object({ orders: z.array(MerchantOrder), nextCursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  search: operation({
    operationId: 'searchOrders',
    http: post('/orders/search'),
    role: 'viewer',
    tag: 'Payments',
    safe: true,
    summary: 'Find orders of all partners by customer, reference, address, transaction or processor’s id',
    description: `Use it when you do not have the order’s id, or to see what a customer was paid. It returns the ${MAX_FOUND_ORDERS} newest.`,
    caller: 'operator',
    body: OrderSearch,
    reply: z.object({ orders: z.array(FoundOrder).max(MAX_FOUND_ORDERS) }),
  }),
})
