import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/**
 * Orders whose addresses the chain does not watch yet. Each order is looked up separately (LATERAL, LIMIT 1): a join
 * would read all orders ever created.
 */
export const listUnwatchedOrders = queryMany({
  name: 'unwatched.take',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT o.id AS order_id, o.network, o.asset, o.watch_address AS address, o.amount AS due
    FROM (SELECT order_id FROM unwatched_orders WHERE due_at <= :now ORDER BY order_id LIMIT :limit) u
    CROSS JOIN LATERAL (SELECT * FROM crypto_orders WHERE id = u.order_id LIMIT 1) o
    ORDER BY o.id`,
  row: z.object({
    orderId: z.string(),
    network: Network,
    asset: Asset,
    address: z.string(),
    due: z.string(),
  }),
})

export const deleteUnwatchedOrders = queryNone({
  name: 'unwatched.forget',
  parameters: { orderIds: 'text[]' },
  text: 'DELETE FROM unwatched_orders WHERE order_id = ANY (:orderIds)',
})

/** Postpones an order that the chain refused, so that it does not delay the others. */
export const postponeUnwatchedOrder = queryNone({
  name: 'unwatched.postpone',
  parameters: { orderId: 'text', until: 'timestamptz' },
  text: 'UPDATE unwatched_orders SET due_at = :until WHERE order_id = :orderId',
})

/** Orders in one statement of `unwatchAllOrders`. */
const ORDERS_PER_STATEMENT = 5_000

/** Scans all orders by id, a bounded number at a time, and lists every one that may still be paid as unwatched. */
const unwatchOrdersAfter = queryOne({
  name: 'unwatched.watch-again',
  parameters: { afterId: 'text', limit: 'integer', now: 'timestamptz' },
  text: `
    WITH next AS (SELECT id, status FROM crypto_orders WHERE id > :afterId ORDER BY id LIMIT :limit),
    unwatched AS (
      INSERT INTO unwatched_orders (order_id, due_at)
      SELECT id, :now FROM next WHERE status IN ('pending', 'underpaid', 'expired')
      ON CONFLICT DO NOTHING
    )
    SELECT max(id) AS last_id FROM next`,
  row: z.object({ lastId: z.string().nullable() }),
})

/** After the chain's side lost its watches: every order that may still be paid is registered again. */
export const unwatchAllOrders = async (db: Queryable, now: Date): Promise<void> => {
  let afterId: string | null = ''
  while (afterId !== null) {
    const step: { lastId: string | null } | null = await unwatchOrdersAfter(db, {
      afterId,
      limit: ORDERS_PER_STATEMENT,
      now,
    })
    afterId = step?.lastId ?? null
  }
}
