import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { AwaitingOrder } from '../deposits/store.ts'
import { ORDER_COLUMNS } from './order-columns-store.ts'

/** An order for staff, with the refund that is on record, if one is. */
const RefundableOrder = AwaitingOrder.extend({
  refundAddress: z.string().nullable(),
  refundedAt: z.date().nullable(),
})
export type RefundableOrder = z.infer<typeof RefundableOrder>

const lock = statement({
  name: 'order-refunds.lock',
  text: `
    SELECT ${ORDER_COLUMNS}, o.refund_address AS "refundAddress", o.refunded_at AS "refundedAt",
      r.status = 'active' AS "partnerSees"
    FROM crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)
    WHERE o.id = $1 FOR UPDATE OF o`,
  row: RefundableOrder,
})

const record = statement({
  name: 'order-refunds.record',
  text: `
    UPDATE crypto_orders SET status = 'refunded', refund_address = $3, refunded_at = $4, updated_at = $4
    WHERE id = $1 AND partner_id = $2`,
})

/** Whoever's order it is, with its row locked to the end of the transaction; or null. */
export const lockForRefund = async (tx: Queryable, orderId: string): Promise<RefundableOrder | null> =>
  (await tx.query(lock, [orderId]))[0] ?? null

export const recordOrderRefund = (
  tx: Queryable,
  order: RefundableOrder,
  refund: Readonly<{ toAddress: string; now: Date }>,
): Promise<unknown> => tx.query(record, [order.id, order.partnerId, refund.toAddress, refund.now])
