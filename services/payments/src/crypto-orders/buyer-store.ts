import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { OrderRecord } from './order.ts'
import { ORDER_COLUMNS } from './store.ts'

/** SQL: deposits of an order `o` that do not count yet, or that counted, were reverted and are in no block. */
const UNCOUNTED = `
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(d.amount) FILTER (WHERE r.order_id IS NULL), 0) AS unconfirmed,
      coalesce(sum(d.amount) FILTER (WHERE r.order_id IS NOT NULL), 0) AS reverted
    FROM crypto_deposits d
    LEFT JOIN LATERAL (
      SELECT r.order_id FROM deposit_reversals r
      WHERE d.block_number IS NULL AND r.order_id = d.order_id AND r.network = d.network AND r.tx_id = d.tx_id
        AND r.output_index = d.output_index
      LIMIT 1
    ) r ON true
    WHERE d.order_id = o.id AND d.asset = o.asset AND d.counted_at IS NULL
  ) uncounted`
const UncountedRow = { unconfirmed: z.string(), reverted: z.string() }

/** An order as its buyer reads it: its id, which nobody can guess, is the credential. */
export const findOrderByBuyer = queryOne({
  name: 'orders.find-by-buyer',
  parameters: { orderId: 'text' },
  text: `SELECT ${ORDER_COLUMNS}, uncounted.* FROM crypto_orders o ${UNCOUNTED} WHERE o.id = :orderId`,
  row: OrderRecord.extend(UncountedRow),
})

/** Reads the parts of these orders that change while buyers view them. */
export const listOrderStates = queryMany({
  name: 'orders.list-states',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT o.id, o.status, o.received, o.expires_at, uncounted.*
    FROM crypto_orders o ${UNCOUNTED} WHERE o.id = ANY (:orderIds)`,
  row: OrderRecord.pick({ id: true, status: true, received: true, expiresAt: true }).extend(UncountedRow),
})
