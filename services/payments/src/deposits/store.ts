import { queryMany, queryNone, type Queryable } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import type { Deposit } from '@causeway/rails'
import { z } from 'zod'
import type { OrderRecord } from '../crypto-orders/order.ts'
import { LOCKED_ORDER_COLUMNS, LockedOrder, ORDERS_FROM } from '../crypto-orders/store.ts'

/** A stored deposit: the first report's values stay, its block and confirmations follow the chain. */
export const StoredDeposit = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  orderId: z.string(),
  asset: Asset,
  amount: z.string(),
  blockNumber: z.number().nullable(),
  isCounted: z.boolean(),
})
export type StoredDeposit = Readonly<z.infer<typeof StoredDeposit>>

/** Locks the orders that these deposits arrived for, in the order of their ids. */
export const lockOrdersByAddress = queryMany({
  name: 'deposits.lock-orders',
  parameters: { networks: 'text[]', addresses: 'text[]' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE (o.network, o.watch_address) IN (SELECT * FROM unnest(:networks, :addresses))
    ORDER BY o.id FOR UPDATE OF o`,
  row: LockedOrder,
})

const upsert = queryMany({
  name: 'deposits.keep',
  parameters: {
    networks: 'text[]',
    txIds: 'text[]',
    outputIndexes: 'integer[]',
    orderIds: 'text[]',
    assets: 'text[]',
    amounts: 'numeric[]',
    blockNumbers: 'bigint?[]',
    confirmations: 'integer[]',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO crypto_deposits AS stored
      (network, tx_id, output_index, order_id, asset, amount, block_number, confirmations, seen_at)
    SELECT d.*, :now FROM unnest(:networks, :txIds, :outputIndexes, :orderIds, :assets, :amounts, :blockNumbers,
      :confirmations) AS d
    ON CONFLICT (network, tx_id, output_index) DO UPDATE
      SET block_number = excluded.block_number, confirmations = excluded.confirmations
    RETURNING network, tx_id, output_index, order_id, asset, amount, block_number, counted_at IS NOT NULL AS is_counted`,
  row: StoredDeposit,
})

/** Stores each deposit once, by network, transaction and output; the list must not contain one twice. */
export const upsertDeposits = (
  tx: Queryable,
  deposits: readonly (Deposit & { orderId: string })[],
  now: Date,
): Promise<StoredDeposit[]> =>
  upsert(tx, {
    networks: deposits.map((deposit) => deposit.network),
    txIds: deposits.map((deposit) => deposit.txId),
    outputIndexes: deposits.map((deposit) => deposit.outputIndex),
    orderIds: deposits.map((deposit) => deposit.orderId),
    assets: deposits.map((deposit) => deposit.asset),
    amounts: deposits.map((deposit) => deposit.amount),
    blockNumbers: deposits.map((deposit) => deposit.blockNumber),
    confirmations: deposits.map((deposit) => deposit.confirmations),
    now,
  })

const markCounted = queryNone({
  name: 'deposits.mark-counted',
  parameters: { networks: 'text[]', txIds: 'text[]', outputIndexes: 'integer[]', now: 'timestamptz' },
  text: `
    UPDATE crypto_deposits SET counted_at = :now
    WHERE (network, tx_id, output_index) IN (SELECT * FROM unnest(:networks, :txIds, :outputIndexes))`,
})

export const markDepositsCounted = (
  tx: Queryable,
  deposits: readonly StoredDeposit[],
  now: Date,
): Promise<void> =>
  markCounted(tx, {
    networks: deposits.map((deposit) => deposit.network),
    txIds: deposits.map((deposit) => deposit.txId),
    outputIndexes: deposits.map((deposit) => deposit.outputIndex),
    now,
  })

const updateOrders = queryNone({
  name: 'deposits.save-orders',
  parameters: {
    ids: 'text[]',
    partnerIds: 'text[]',
    statuses: 'text[]',
    received: 'numeric[]',
    now: 'timestamptz',
  },
  text: `
    UPDATE crypto_orders o SET status = s.status, received = s.received, updated_at = :now
    FROM unnest(:ids, :partnerIds, :statuses, :received) AS s (id, partner_id, status, received)
    WHERE o.id = s.id AND o.partner_id = s.partner_id`,
})

/** Writes back what deposits changed of their orders: status and amount received. */
export const updateSettledOrders = (
  tx: Queryable,
  orders: readonly OrderRecord[],
  now: Date,
): Promise<void> =>
  updateOrders(tx, {
    ids: orders.map((order) => order.id),
    partnerIds: orders.map((order) => order.partnerId),
    statuses: orders.map((order) => order.status),
    received: orders.map((order) => order.received),
    now,
  })
