import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { AwaitingOrder } from '../deposits/store.ts'
import { ORDER_COLUMNS } from '../crypto-orders/order-columns-store.ts'

/** An order with the onramp order that holds it, and whether its partner still sees it. */
const HeldOrder = AwaitingOrder.extend({ onrampOrderId: z.string().nullable() })
export type HeldOrder = z.infer<typeof HeldOrder>

const lock = statement({
  name: 'invoices.lock',
  text: `
    SELECT ${ORDER_COLUMNS}, o.onramp_order_id AS "onrampOrderId", r.status = 'active' AS "partnerSees"
    FROM crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)
    WHERE o.id = $1 AND o.partner_id = $2 FOR UPDATE OF o`,
  row: HeldOrder,
})

const save = statement({
  name: 'invoices.save',
  text: `
    UPDATE crypto_orders SET status = $3, expires_at = $4, onramp_order_id = $5, updated_at = $6
    WHERE id = $1 AND partner_id = $2`,
})

/** The order with its row locked to the end of the transaction, whoever sees it; or null. */
export const lockForHold = async (
  tx: Queryable,
  partnerId: string,
  orderId: string,
): Promise<HeldOrder | null> => (await tx.query(lock, [orderId, partnerId]))[0] ?? null

export const updateHold = (tx: Queryable, order: HeldOrder, now: Date): Promise<unknown> =>
  tx.query(save, [order.id, order.partnerId, order.status, order.expiresAt, order.onrampOrderId, now])
