import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import type { OrderRecord } from '../crypto-orders/order.ts'
import { LOCKED_ORDER_COLUMNS, LockedOrder, ORDERS_FROM } from '../crypto-orders/store.ts'
import type { KeptDeposit } from '../crypto-orders/deposits-store.ts'
import { writePart } from '../crypto-orders/split.ts'

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

/** Locks orders by their ids. */
export const lockOrders = queryMany({
  name: 'deposits.lock-orders-by-id',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM} WHERE o.id = ANY (:orderIds) ORDER BY o.id FOR UPDATE OF o`,
  row: LockedOrder,
})

/**
 * Locks underpaid orders whose rate ended before a time and that no onramp order holds; skips those that a replica has
 * locked.
 */
export const lockUnderpaidOrders = queryMany({
  name: 'deposits.lock-underpaid-orders',
  parameters: { before: 'timestamptz', limit: 'integer' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.status = 'underpaid' AND o.onramp_order_id IS NULL AND o.expires_at <= :before
    ORDER BY o.expires_at LIMIT :limit FOR UPDATE OF o SKIP LOCKED`,
  row: LockedOrder,
})

/** Locks orders with deposits that an older version has counted and not split. */
export const lockUnsplitOrders = queryMany({
  name: 'deposits.lock-unsplit-orders',
  parameters: { limit: 'integer' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id IN (
      SELECT order_id FROM crypto_deposits
      WHERE counted_at IS NOT NULL AND open_amount IS NULL AND order_id IS NOT NULL
      ORDER BY order_id LIMIT :limit)
    ORDER BY o.id FOR UPDATE OF o SKIP LOCKED`,
  row: LockedOrder,
})

/** Locks an order of any owner. */
export const lockOrder = queryOne({
  name: 'deposits.lock-order',
  parameters: { orderId: 'text' },
  text: `SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM} WHERE o.id = :orderId FOR UPDATE OF o`,
  row: LockedOrder,
})

/** Where deposits are, an array a column. */
const PLACES = {
  networks: 'text[]',
  txIds: 'text[]',
  outputIndexes: 'integer[]',
  orderIds: 'text[]',
  assets: 'text[]',
  amounts: 'numeric[]',
  blockNumbers: 'bigint?[]',
  blockHashes: 'text?[]',
} as const
const placesOf = (deposits: readonly KeptDeposit[]) => ({
  networks: deposits.map((deposit) => deposit.network),
  txIds: deposits.map((deposit) => deposit.txId),
  outputIndexes: deposits.map((deposit) => deposit.outputIndex),
  orderIds: deposits.map((deposit) => deposit.orderId),
  assets: deposits.map((deposit) => deposit.asset),
  amounts: deposits.map((deposit) => deposit.amount),
  blockNumbers: deposits.map((deposit) => deposit.blockNumber),
  blockHashes: deposits.map((deposit) => deposit.blockHash),
})

const keep = queryNone({
  name: 'deposits.keep',
  parameters: {
    ...PLACES,
    confirmations: 'integer[]',
    countedAts: 'timestamptz?[]',
    open: 'numeric?[]',
    applied: 'numeric?[]',
    excess: 'numeric?[]',
    late: 'numeric?[]',
    foreign: 'numeric?[]',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO crypto_deposits AS stored (network, tx_id, output_index, order_id, asset, amount, block_number, block_hash,
      confirmations, counted_at, open_amount, applied_amount, excess_amount, late_amount, foreign_amount, seen_at)
    SELECT d.*, :now FROM unnest(:networks, :txIds, :outputIndexes, :orderIds, :assets, :amounts, :blockNumbers,
      :blockHashes, :confirmations, :countedAts, :open, :applied, :excess, :late, :foreign) AS d
    ON CONFLICT (network, tx_id, output_index) DO UPDATE SET asset = excluded.asset, amount = excluded.amount,
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      confirmations = excluded.confirmations, counted_at = excluded.counted_at, open_amount = excluded.open_amount,
      applied_amount = excluded.applied_amount, excess_amount = excluded.excess_amount,
      late_amount = excluded.late_amount, foreign_amount = excluded.foreign_amount`,
})

/** Writes each deposit as it is now, by network, transaction and output; the list must not contain one twice. */
export const keepDeposits = (tx: Queryable, deposits: readonly KeptDeposit[], now: Date): Promise<void> =>
  keep(tx, {
    ...placesOf(deposits),
    confirmations: deposits.map((deposit) => deposit.confirmations),
    countedAts: deposits.map((deposit) => deposit.countedAt),
    open: deposits.map((deposit) => writePart(deposit, 'open')),
    applied: deposits.map((deposit) => writePart(deposit, 'applied')),
    excess: deposits.map((deposit) => writePart(deposit, 'excess')),
    late: deposits.map((deposit) => writePart(deposit, 'late')),
    foreign: deposits.map((deposit) => writePart(deposit, 'foreign')),
    now,
  })

const insertReversals = queryNone({
  name: 'deposit-reversals.insert',
  parameters: {
    ...PLACES,
    now: 'timestamptz',
  },
  text: `
    INSERT INTO deposit_reversals (network, tx_id, output_index, order_id, asset, amount, block_number, block_hash,
      reverted_at)
    SELECT d.*, :now FROM unnest(:networks, :txIds, :outputIndexes, :orderIds, :assets, :amounts, :blockNumbers,
      :blockHashes) AS d`,
})

/** Records deposits that counted until now, as they were in the block that is gone. */
export const recordReversals = (tx: Queryable, reversals: readonly KeptDeposit[], now: Date): Promise<void> =>
  insertReversals(tx, {
    ...placesOf(reversals),
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
