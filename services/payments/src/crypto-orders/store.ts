import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { Standing } from '../relationships/eligibility.ts'
import { OrderRecord } from './order.ts'
import { ORDER_COLUMNS } from './order-columns-store.ts'

const findByReference = statement({
  name: 'orders.find-by-reference',
  text: `
    SELECT ${ORDER_COLUMNS} FROM crypto_orders o
    WHERE o.partner_id = $1 AND o.partner_customer_id = $2 AND o.reference = $3`,
  row: OrderRecord,
})

const findVisible = statement({
  name: 'orders.find-visible',
  text: `
    SELECT ${ORDER_COLUMNS} FROM crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)
    WHERE o.id = $1 AND o.partner_id = $2 AND r.status = 'active'`,
  row: OrderRecord,
})

const findById = statement({
  name: 'orders.find-by-id',
  text: `SELECT ${ORDER_COLUMNS} FROM crypto_orders o WHERE o.id = $1`,
  row: OrderRecord,
})

const lockVisible = statement({
  name: 'orders.lock-visible',
  text: `
    SELECT ${ORDER_COLUMNS} FROM crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)
    WHERE o.id = $1 AND o.partner_id = $2 AND r.status = 'active' FOR UPDATE OF o`,
  row: OrderRecord,
})

/** The relationship's standing in every row, and an order beside it unless the page is empty or refused. */
const page = statement({
  name: 'orders.page',
  text: `
    SELECT r.status AS standing, c.enabled, c.available, c.reason, o.*
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.crypto')
      AS c (enabled boolean, available boolean, reason text) ON true
    LEFT JOIN LATERAL (
      SELECT ${ORDER_COLUMNS} FROM crypto_orders o
      WHERE r.status = 'active' AND c.enabled AND o.partner_customer_id = r.partner_customer_id
        AND o.partner_id = r.partner_id AND (o.created_at, o.id) < ($3, $4)
      ORDER BY o.created_at DESC, o.id DESC LIMIT $5
    ) o ON true
    WHERE r.partner_customer_id = $1 AND r.partner_id = $2`,
  row: z.union([
    OrderRecord.extend({ standing: Standing.shape.status, ...Standing.omit({ status: true }).shape }),
    z.object({
      id: z.null(),
      standing: Standing.shape.status,
      ...Standing.omit({ status: true }).shape,
    }),
  ]),
})

const setStatus = statement({
  name: 'orders.set-status',
  text: 'UPDATE crypto_orders SET status = $3, updated_at = $4 WHERE id = $1 AND partner_id = $2',
})

/** The order that holds a reference, or null. */
export const findOrderByReference = async (
  db: Queryable,
  order: Pick<OrderRecord, 'partnerId' | 'partnerCustomerId' | 'reference'>,
): Promise<OrderRecord | null> =>
  (await db.query(findByReference, [order.partnerId, order.partnerCustomerId, order.reference]))[0] ?? null

/** An order of this partner whose relationship is active, or null. */
export const findVisibleOrder = async (
  db: Queryable,
  partnerId: string,
  orderId: string,
): Promise<OrderRecord | null> => (await db.query(findVisible, [orderId, partnerId]))[0] ?? null

/** Any order: for its public QR image alone, whose address is the order's unguessable id. */
export const findPublicOrder = async (db: Queryable, orderId: string): Promise<OrderRecord | null> =>
  (await db.query(findById, [orderId]))[0] ?? null

/** As `findVisibleOrder`, with the row locked to the end of the transaction. */
export const lockVisibleOrder = async (
  tx: Queryable,
  partnerId: string,
  orderId: string,
): Promise<OrderRecord | null> => (await tx.query(lockVisible, [orderId, partnerId]))[0] ?? null

export const setOrderStatus = (tx: Queryable, order: OrderRecord, now: Date): Promise<unknown> =>
  tx.query(setStatus, [order.id, order.partnerId, order.status, now])

/** A page of a list: the relationship's standing (null: unknown) and its orders, newest first. */
export type OrderPage = Readonly<{ standing: Standing | null; orders: readonly OrderRecord[] }>

const FROM_NEWEST = { createdAt: new Date('9999-12-31T00:00:00.000Z'), id: '' }

/** The orders of a relationship older than `before`; none unless it is active and granted `payments.crypto`. */
export const pageOfOrders = async (
  db: Queryable,
  list: Readonly<{
    partnerId: string
    partnerCustomerId: string
    before: Readonly<{ createdAt: Date; id: string }> | null
    limit: number
  }>,
): Promise<OrderPage> => {
  const from = list.before ?? FROM_NEWEST
  const rows = await db.query(page, [
    list.partnerCustomerId,
    list.partnerId,
    from.createdAt,
    from.id,
    list.limit,
  ])
  const [first] = rows
  if (!first) return { standing: null, orders: [] }
  const { standing: status, enabled, available, reason } = first
  return {
    standing: { status, enabled, available, reason },
    orders: rows.filter((row) => row.id !== null),
  }
}
