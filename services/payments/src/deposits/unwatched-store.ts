import { statement, type Queryable } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/** Each order is looked up by itself (LATERAL, LIMIT 1): a join would go through all orders ever made. */
const take = statement({
  name: 'unwatched.take',
  text: `
    SELECT o.id AS "orderId", o.network, o.asset, o.watch_address AS address, o.amount AS due
    FROM (SELECT order_id FROM unwatched_orders WHERE due_at <= $1 ORDER BY order_id LIMIT $2) u
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

const forget = statement({
  name: 'unwatched.forget',
  text: 'DELETE FROM unwatched_orders WHERE order_id = ANY ($1)',
})

const postpone = statement({
  name: 'unwatched.postpone',
  text: 'UPDATE unwatched_orders SET due_at = $2 WHERE order_id = $1',
})

/** Goes through all orders by id, a bounded number at a time, and asks for every live one to be watched again. */
const watchAgain = statement({
  name: 'unwatched.watch-again',
  text: `
    WITH next AS (SELECT id, status FROM crypto_orders WHERE id > $1 ORDER BY id LIMIT $2),
    again AS (
      INSERT INTO unwatched_orders (order_id, due_at)
      SELECT id, $3 FROM next WHERE status IN ('pending', 'underpaid', 'expired')
      ON CONFLICT DO NOTHING
    )
    SELECT max(id) AS last FROM next`,
  row: z.object({ last: z.string().nullable() }),
})

const SWEEP = 5_000

/** Orders whose addresses the chain does not watch yet, as the chain is told of them. */
export const takeUnwatched = (db: Queryable, now: Date, limit: number) => db.query(take, [now, limit])

export const forgetUnwatched = (db: Queryable, orderIds: readonly string[]): Promise<unknown> =>
  db.query(forget, [orderIds])

/** Puts off an order that the chain refused, so that it does not hold up the rest. */
export const postponeUnwatched = (db: Queryable, orderId: string, until: Date): Promise<unknown> =>
  db.query(postpone, [orderId, until])

/** After the chain's side lost its watches: every order that may still be paid is to be watched again. */
export const watchAllAgain = async (db: Queryable, now: Date): Promise<void> => {
  let last: string | null = ''
  while (last !== null) last = (await db.query(watchAgain, [last, SWEEP, now]))[0]?.last ?? null
}
