import { statement, type Queryable } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import type { Deposit } from '@causeway/rails'
import { z } from 'zod'
import { OrderRecord } from '../crypto-orders/order.ts'
import { ORDER_COLUMNS } from '../crypto-orders/order-columns-store.ts'

/** An order that a deposit may be for, locked, and whether its partner still sees it. */
export const AwaitingOrder = OrderRecord.extend({ partnerSees: z.boolean() })
export type AwaitingOrder = z.infer<typeof AwaitingOrder>

/** A deposit as it is kept: what was told of it first stays, its standing on the chain follows. */
export const KeptDeposit = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  orderId: z.string(),
  asset: Asset,
  amount: z.string(),
  blockNumber: z.number().nullable(),
  isCounted: z.boolean(),
})
export type KeptDeposit = z.infer<typeof KeptDeposit>

const lockOrders = statement({
  name: 'deposits.lock-orders',
  text: `
    SELECT ${ORDER_COLUMNS}, r.status = 'active' AS "partnerSees"
    FROM crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)
    WHERE (o.network, o.watch_address) IN (SELECT * FROM unnest($1::text[], $2::text[]))
    ORDER BY o.id FOR UPDATE OF o`,
  row: AwaitingOrder,
})

const keep = statement({
  name: 'deposits.keep',
  text: `
    INSERT INTO crypto_deposits AS kept
      (network, tx_id, output_index, order_id, asset, amount, block_number, confirmations, seen_at)
    SELECT d.*, $9 FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::numeric[], $7::bigint[],
      $8::integer[]) AS d
    ON CONFLICT (network, tx_id, output_index) DO UPDATE
      SET block_number = excluded.block_number, confirmations = excluded.confirmations
    RETURNING network, tx_id AS "txId", output_index AS "outputIndex", order_id AS "orderId", asset, amount,
      block_number AS "blockNumber", counted_at IS NOT NULL AS "isCounted"`,
  row: KeptDeposit,
})

const markCounted = statement({
  name: 'deposits.mark-counted',
  text: `
    UPDATE crypto_deposits SET counted_at = $4
    WHERE (network, tx_id, output_index) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]))`,
})

const saveOrders = statement({
  name: 'deposits.save-orders',
  text: `
    UPDATE crypto_orders o SET status = s.status, received = s.received, updated_at = $5
    FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[]) AS s (id, partner_id, status, received)
    WHERE o.id = s.id AND o.partner_id = s.partner_id`,
})

/** Locks the orders that these deposits arrived for, in the order of their ids. */
export const lockOrdersOf = (
  tx: Queryable,
  deposits: readonly Pick<Deposit, 'network' | 'address'>[],
): Promise<AwaitingOrder[]> =>
  tx.query(lockOrders, [deposits.map((d) => d.network), deposits.map((d) => d.address)])

/** Keeps each deposit once, by network, transaction and output; the list must not name one twice. */
export const keepDeposits = (
  tx: Queryable,
  deposits: readonly (Deposit & { orderId: string })[],
  now: Date,
): Promise<KeptDeposit[]> =>
  tx.query(keep, [
    deposits.map((d) => d.network),
    deposits.map((d) => d.txId),
    deposits.map((d) => d.outputIndex),
    deposits.map((d) => d.orderId),
    deposits.map((d) => d.asset),
    deposits.map((d) => d.amount),
    deposits.map((d) => d.blockNumber),
    deposits.map((d) => d.confirmations),
    now,
  ])

export const markDepositsCounted = (
  tx: Queryable,
  deposits: readonly KeptDeposit[],
  now: Date,
): Promise<unknown> =>
  tx.query(markCounted, [
    deposits.map((d) => d.network),
    deposits.map((d) => d.txId),
    deposits.map((d) => d.outputIndex),
    now,
  ])

/** Writes back what deposits made of their orders. */
export const saveSettledOrders = (
  tx: Queryable,
  orders: readonly OrderRecord[],
  now: Date,
): Promise<unknown> =>
  tx.query(saveOrders, [
    orders.map((o) => o.id),
    orders.map((o) => o.partnerId),
    orders.map((o) => o.status),
    orders.map((o) => o.received),
    now,
  ])
