import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { OrderRecord } from './order.ts'
import { ORDER_COLUMNS } from './store.ts'

/** Whether a deposit `d` had counted, was taken back, and is in no block again. */
const IS_TAKEN_BACK = `(
  d.block_number IS NULL AND EXISTS (
    SELECT 1 FROM deposit_reversals r WHERE r.order_id = d.order_id AND r.network = d.network
      AND r.tx_id = d.tx_id AND r.output_index = d.output_index)
)`

const sumOf = (condition: string) =>
  `(SELECT coalesce(sum(d.amount), 0) FROM crypto_deposits d
    WHERE d.order_id = o.id AND d.counted_at IS NULL AND ${condition})`

/** What was seen on the chain for an order `o` and does not count yet, and what was taken back. */
const UNCOUNTED = `${sumOf(`NOT ${IS_TAKEN_BACK}`)} AS unconfirmed, ${sumOf(IS_TAKEN_BACK)} AS reverted`
const UncountedRow = { unconfirmed: z.string(), reverted: z.string() }

/** An order as its buyer reads it: its id, which nobody can guess, is the credential. */
export const findOrderByBuyer = queryOne({
  name: 'orders.find-by-buyer',
  parameters: { orderId: 'text' },
  text: `SELECT ${ORDER_COLUMNS}, ${UNCOUNTED} FROM crypto_orders o WHERE o.id = :orderId`,
  row: OrderRecord.extend(UncountedRow),
})

/** What changes of these orders while buyers look at them. */
export const listOrderStates = queryMany({
  name: 'orders.list-states',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT o.id, o.status, o.received, o.expires_at, ${UNCOUNTED}
    FROM crypto_orders o WHERE o.id = ANY (:orderIds)`,
  row: OrderRecord.pick({ id: true, status: true, received: true, expiresAt: true }).extend(UncountedRow),
})
