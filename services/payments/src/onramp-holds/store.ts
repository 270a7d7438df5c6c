import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { LOCKED_ORDER_COLUMNS, LockedOrder, ORDERS_FROM } from '../crypto-orders/store.ts'

/** An order with the onramp order that holds it. */
const HeldOrder = LockedOrder.extend({ onrampOrderId: z.string().nullable() })
export type HeldOrder = Readonly<z.infer<typeof HeldOrder>>

/**
 * An order of this partner, even if its relationship is revoked, with its row locked to the end of the transaction; or
 * null.
 */
export const lockOrderForHold = queryOne({
  name: 'invoices.lock',
  parameters: { orderId: 'text', partnerId: 'text' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS}, o.onramp_order_id FROM ${ORDERS_FROM}
    WHERE o.id = :orderId AND o.partner_id = :partnerId FOR UPDATE OF o`,
  row: HeldOrder,
})

export const updateHold = queryNone({
  name: 'invoices.save',
  parameters: {
    id: 'text',
    partnerId: 'text',
    status: 'text',
    expiresAt: 'timestamptz',
    onrampOrderId: 'text?',
    now: 'timestamptz',
  },
  text: `
    UPDATE crypto_orders
    SET status = :status, expires_at = :expiresAt, onramp_order_id = :onrampOrderId, updated_at = :now
    WHERE id = :id AND partner_id = :partnerId`,
})
