import { queryMany, queryNone, type Queryable } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'
import type { OrderRecord } from '../crypto-orders/order.ts'
import { LOCKED_ORDER_COLUMNS, LockedOrder, ORDERS_FROM } from '../crypto-orders/store.ts'

/** A deposit as it is kept: where the chain has it now, and since when it counts. */
export const KeptDeposit = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  orderId: z.string(),
  asset: Asset,
  amount: z.string(),
  confirmations: z.number(),
  blockNumber: z.number().nullable(),
  blockHash: z.string().nullable(),
  countedAt: z.date().nullable(),
  /** Whether it is recorded as a late payment. */
  isLate: z.boolean(),
})
export type KeptDeposit = Readonly<z.infer<typeof KeptDeposit>>

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

/** Every deposit that was seen for these orders. */
export const listDepositsOfOrders = queryMany({
  name: 'deposits.list-of-orders',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT d.network, d.tx_id, d.output_index, d.order_id, d.asset, d.amount, d.confirmations, d.block_number,
      d.block_hash, d.counted_at, l.id IS NOT NULL AS is_late
    FROM crypto_deposits d LEFT JOIN late_payments l
      ON (l.network, l.tx_id, l.output_index) = (d.network, d.tx_id, d.output_index) AND l.reverted_at IS NULL
    WHERE d.order_id = ANY (:orderIds)`,
  row: KeptDeposit,
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
    now: 'timestamptz',
  },
  text: `
    INSERT INTO crypto_deposits AS stored (network, tx_id, output_index, order_id, asset, amount, block_number, block_hash,
      confirmations, counted_at, seen_at)
    SELECT d.*, :now FROM unnest(:networks, :txIds, :outputIndexes, :orderIds, :assets, :amounts, :blockNumbers,
      :blockHashes, :confirmations, :countedAts) AS d
    ON CONFLICT (network, tx_id, output_index) DO UPDATE SET asset = excluded.asset, amount = excluded.amount,
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      confirmations = excluded.confirmations, counted_at = excluded.counted_at`,
})

/** Writes each deposit as it is now, by network, transaction and output; the list must not contain one twice. */
export const keepDeposits = (tx: Queryable, deposits: readonly KeptDeposit[], now: Date): Promise<void> =>
  keep(tx, {
    ...placesOf(deposits),
    confirmations: deposits.map((deposit) => deposit.confirmations),
    countedAts: deposits.map((deposit) => deposit.countedAt),
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
