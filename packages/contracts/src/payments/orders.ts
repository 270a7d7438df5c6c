import { z } from 'zod'
import { post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, text, Timestamp } from '../primitives.ts'
import { OrderKey } from './fiat-orders.ts'

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

/** Maximum orders in a search response. */
export const MAX_FOUND_ORDERS = 50

/** `payments.orders`: orders of both kinds, for staff. */
export const orders = resource('payments.orders', {
  search: operation({
    operationId: 'searchOrders',
    http: post('/orders/search'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Find orders of all partners by customer, reference, address, transaction or processor’s id',
    description: `Use it when you do not have the order’s id, or to see what a customer was paid. It returns the ${MAX_FOUND_ORDERS} newest.`,
    caller: 'operator',
    body: OrderSearch,
    reply: z.object({ orders: z.array(FoundOrder).max(MAX_FOUND_ORDERS) }),
  }),
})
