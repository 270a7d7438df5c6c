import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { Eligibility } from '../relationships/eligibility.ts'
import { OrderRecord } from './order.ts'

/** Columns of `OrderRecord`; `o` is the alias of `crypto_orders`. */
export const ORDER_COLUMNS = `
  o.id, o.partner_id, o.partner_customer_id, o.merchant_id, o.reference, o.network, o.asset, o.amount, o.network_fee,
  o.total_to_send, o.currency, o.fiat_amount, o.address, o.watch_address, o.status, o.received, o.created_at,
  o.expires_at`

/** Orders with the relationship that each belongs to, as `r`. */
export const ORDERS_FROM = 'crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)'

/** A locked order, and whether its partner still sees it: after a revocation it receives no events. */
export const LockedOrder = OrderRecord.extend({ partnerSees: z.boolean() })
export type LockedOrder = Readonly<z.infer<typeof LockedOrder>>
export const LOCKED_ORDER_COLUMNS = `${ORDER_COLUMNS}, r.status = 'active' AS partner_sees`

/** The order that holds a reference, or null. */
export const findOrderByReference = queryOne({
  name: 'orders.find-by-reference',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', reference: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM crypto_orders o
    WHERE o.partner_id = :partnerId AND o.partner_customer_id = :partnerCustomerId AND o.reference = :reference`,
  row: OrderRecord,
})

/** An order of this partner whose relationship is active, or null. */
export const findVisibleOrder = queryOne({
  name: 'orders.find-visible',
  parameters: { orderId: 'text', partnerId: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id = :orderId AND o.partner_id = :partnerId AND r.status = 'active'`,
  row: OrderRecord,
})

/** Any order: for its QR image and its buyer, who have the order's unguessable id. */
export const findPublicOrder = queryOne({
  name: 'orders.find-by-id',
  parameters: { orderId: 'text' },
  text: `SELECT ${ORDER_COLUMNS} FROM crypto_orders o WHERE o.id = :orderId`,
  row: OrderRecord,
})

/** As `findVisibleOrder`, with the row locked to the end of the transaction. */
export const lockVisibleOrder = queryOne({
  name: 'orders.lock-visible',
  parameters: { orderId: 'text', partnerId: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id = :orderId AND o.partner_id = :partnerId AND r.status = 'active' FOR UPDATE OF o`,
  row: OrderRecord,
})

export const updateOrderStatus = queryNone({
  name: 'orders.set-status',
  parameters: { orderId: 'text', partnerId: 'text', status: 'text', now: 'timestamptz' },
  text: `
    UPDATE crypto_orders SET status = :status, updated_at = :now
    WHERE id = :orderId AND partner_id = :partnerId`,
})

const RELATIONSHIP = {
  relationshipStatus: Eligibility.shape.status,
  ...Eligibility.omit({ status: true }).shape,
}

/** The relationship's eligibility in every row, with an order unless the page is empty or refused. */
const listRows = queryMany({
  name: 'orders.page',
  parameters: {
    partnerCustomerId: 'text',
    partnerId: 'text',
    beforeAt: 'timestamptz',
    beforeId: 'text',
    limit: 'integer',
  },
  text: `
    SELECT r.status AS relationship_status, c.enabled, c.available, c.reason, o.*
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.crypto')
      AS c (enabled boolean, available boolean, reason text) ON true
    LEFT JOIN LATERAL (
      SELECT ${ORDER_COLUMNS} FROM crypto_orders o
      WHERE r.status = 'active' AND c.enabled AND o.partner_customer_id = r.partner_customer_id
        AND o.partner_id = r.partner_id AND (o.created_at, o.id) < (:beforeAt, :beforeId)
      ORDER BY o.created_at DESC, o.id DESC LIMIT :limit
    ) o ON true
    WHERE r.partner_customer_id = :partnerCustomerId AND r.partner_id = :partnerId`,
  row: z.union([OrderRecord.extend(RELATIONSHIP), z.object({ id: z.null(), ...RELATIONSHIP })]),
})

/** A page of a list: the relationship's eligibility (null: unknown) and its orders, newest first. */
export type OrderPage = Readonly<{ eligibility: Eligibility | null; orders: readonly OrderRecord[] }>

/** The orders of a relationship older than a position; none unless it is active and granted `payments.crypto`. */
export const listOrders = async (db: Queryable, page: Parameters<typeof listRows>[1]): Promise<OrderPage> => {
  const rows = await listRows(db, page)
  const [first] = rows
  if (!first) return { eligibility: null, orders: [] }
  const { relationshipStatus: status, enabled, available, reason } = first
  return {
    eligibility: { status, enabled, available, reason },
    orders: rows.filter((row) => row.id !== null),
  }
}

/** Locks pending orders that are due to expire and that no onramp order holds; skips those that a replica has locked. */
export const lockDueOrders = queryMany({
  name: 'orders.lock-due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.status = 'pending' AND o.onramp_order_id IS NULL AND o.expires_at <= :now
    ORDER BY o.expires_at LIMIT :limit FOR UPDATE OF o SKIP LOCKED`,
  row: LockedOrder,
})

export const expireOrders = queryNone({
  name: 'orders.expire',
  parameters: { orderIds: 'text[]', partnerIds: 'text[]', now: 'timestamptz' },
  text: `
    UPDATE crypto_orders o SET status = 'expired', updated_at = :now
    FROM unnest(:orderIds, :partnerIds) AS d (id, partner_id)
    WHERE o.id = d.id AND o.partner_id = d.partner_id`,
})

/** An order for its refund, with the number of its address and the refund that is on record. */
export const RefundableOrder = LockedOrder.extend({
  derivationIndex: z.number(),
  refundAddress: z.string().nullable(),
  refundedAt: z.date().nullable(),
})
export type RefundableOrder = Readonly<z.infer<typeof RefundableOrder>>
export const REFUNDABLE_ORDER_COLUMNS = `${LOCKED_ORDER_COLUMNS}, o.derivation_index, o.refund_address, o.refunded_at`

/** Any order for staff, its row locked; or null. */
export const lockOrderForRefund = queryOne({
  name: 'order-refunds.lock',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${REFUNDABLE_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id = :orderId FOR UPDATE OF o`,
  row: RefundableOrder,
})

export const recordOrderRefund = queryNone({
  name: 'order-refunds.record',
  parameters: { orderId: 'text', partnerId: 'text', toAddress: 'text', now: 'timestamptz' },
  text: `
    UPDATE crypto_orders SET status = 'refunded', refund_address = :toAddress, refunded_at = :now, updated_at = :now
    WHERE id = :orderId AND partner_id = :partnerId`,
})
