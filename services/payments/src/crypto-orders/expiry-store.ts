import { statement, type Queryable } from '@causeway/chassis'
import { AwaitingOrder } from '../deposits/store.ts'
import { ORDER_COLUMNS } from './order-columns-store.ts'

const lockDue = statement({
  name: 'orders.lock-due',
  text: `
    SELECT ${ORDER_COLUMNS}, r.status = 'active' AS "partnerSees"
    FROM crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)
    WHERE o.status = 'pending' AND o.onramp_order_id IS NULL AND o.expires_at <= $1
    ORDER BY o.expires_at LIMIT $2 FOR UPDATE OF o SKIP LOCKED`,
  row: AwaitingOrder,
})

const expire = statement({
  name: 'orders.expire',
  text: `
    UPDATE crypto_orders o SET status = 'expired', updated_at = $3
    FROM unnest($1::text[], $2::text[]) AS d (id, partner_id)
    WHERE o.id = d.id AND o.partner_id = d.partner_id`,
})

/** Locks pending orders that are due to expire and that no onramp order holds; those another replica has in hand are passed over. */
export const lockDueOrders = (tx: Queryable, now: Date, limit: number): Promise<AwaitingOrder[]> =>
  tx.query(lockDue, [now, limit])

export const expireOrders = (tx: Queryable, orders: readonly AwaitingOrder[], now: Date): Promise<unknown> =>
  tx.query(expire, [orders.map((o) => o.id), orders.map((o) => o.partnerId), now])
