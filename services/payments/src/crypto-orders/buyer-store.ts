import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { OrderRecord } from './order.ts'
import { ORDER_COLUMNS } from './store.ts'

/** What was seen on the chain for an order `o` and does not count yet. */
const UNCONFIRMED = `(
  SELECT coalesce(sum(d.amount), 0) FROM crypto_deposits d WHERE d.order_id = o.id AND d.counted_at IS NULL
) AS unconfirmed`

/** An order as its buyer reads it: its id, which nobody can guess, is the credential. */
export const findOrderByBuyer = queryOne({
  name: 'orders.find-by-buyer',
  parameters: { orderId: 'text' },
  text: `SELECT ${ORDER_COLUMNS}, ${UNCONFIRMED} FROM crypto_orders o WHERE o.id = :orderId`,
  row: OrderRecord.extend({ unconfirmed: z.string() }),
})

/** What changes of these orders while buyers look at them. */
export const listOrderStates = queryMany({
  name: 'orders.list-states',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT o.id, o.status, o.received, o.expires_at, ${UNCONFIRMED}
    FROM crypto_orders o WHERE o.id = ANY (:orderIds)`,
  row: OrderRecord.pick({ id: true, status: true, received: true, expiresAt: true }).extend({
    unconfirmed: z.string(),
  }),
})
