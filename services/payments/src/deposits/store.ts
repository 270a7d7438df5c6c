import { batchOf, queryMany, queryNone, queryOne, type BatchColumns, type Queryable } from '@causeway/chassis'
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

/** Where deposits are. */
const PLACE = {
  network: ['text', ({ network }) => network],
  txId: ['text', ({ txId }) => txId],
  outputIndex: ['integer', ({ outputIndex }) => outputIndex],
  orderId: ['text', ({ orderId }) => orderId],
  asset: ['text', ({ asset }) => asset],
  amount: ['decimal', ({ amount }) => amount],
  blockNumber: ['bigint?', ({ blockNumber }) => blockNumber],
  blockHash: ['text?', ({ blockHash }) => blockHash],
} satisfies BatchColumns<KeptDeposit>

const DEPOSITS = batchOf<KeptDeposit>()('deposit', {
  ...PLACE,
  confirmations: ['integer', ({ confirmations }) => confirmations],
  countedAt: ['time?', ({ countedAt }) => countedAt?.getTime() ?? null],
  openAmount: ['decimal?', (deposit) => writePart(deposit, 'open')],
  appliedAmount: ['decimal?', (deposit) => writePart(deposit, 'applied')],
  excessAmount: ['decimal?', (deposit) => writePart(deposit, 'excess')],
  lateAmount: ['decimal?', (deposit) => writePart(deposit, 'late')],
  foreignAmount: ['decimal?', (deposit) => writePart(deposit, 'foreign')],
  serviceFee: ['decimal', ({ serviceFee }) => serviceFee],
  settledAmount: ['decimal', ({ settledAmount }) => settledAmount],
  settledCents: ['bigint', ({ settledCents }) => settledCents],
})

const keep = queryNone({
  name: 'deposits.keep',
  parameters: { ...DEPOSITS.parameters, now: 'timestamptz' },
  text: `
    INSERT INTO crypto_deposits AS stored (${DEPOSITS.names}, seen_at)
    SELECT d.*, :now FROM ${DEPOSITS.from('d')}
    ON CONFLICT (network, tx_id, output_index) DO UPDATE SET asset = excluded.asset, amount = excluded.amount,
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      confirmations = excluded.confirmations, counted_at = excluded.counted_at, open_amount = excluded.open_amount,
      applied_amount = excluded.applied_amount, excess_amount = excluded.excess_amount,
      late_amount = excluded.late_amount, foreign_amount = excluded.foreign_amount,
      service_fee = excluded.service_fee, settled_amount = excluded.settled_amount,
      settled_cents = excluded.settled_cents`,
})

/** Writes each deposit as it is now, by network, transaction and output; the list must not contain one twice. */
export const keepDeposits = (tx: Queryable, deposits: readonly KeptDeposit[], now: Date): Promise<void> =>
  keep(tx, { ...DEPOSITS.values(deposits), now })

const REVERSALS = batchOf<KeptDeposit>()('reversal', PLACE)

const insertReversals = queryNone({
  name: 'deposit-reversals.insert',
  parameters: { ...REVERSALS.parameters, now: 'timestamptz' },
  text: `
    INSERT INTO deposit_reversals (${REVERSALS.names}, reverted_at) SELECT d.*, :now FROM ${REVERSALS.from('d')}`,
})

/** Records deposits that counted until now, as they were in the block that is gone. */
export const recordReversals = (tx: Queryable, reversals: readonly KeptDeposit[], now: Date): Promise<void> =>
  insertReversals(tx, { ...REVERSALS.values(reversals), now })

const SETTLED = batchOf<OrderRecord>()('order', {
  id: ['text', ({ id }) => id],
  partnerId: ['text', ({ partnerId }) => partnerId],
  status: ['text', ({ status }) => status],
  received: ['decimal', ({ received }) => received],
})

const updateOrders = queryNone({
  name: 'deposits.save-orders',
  parameters: { ...SETTLED.parameters, now: 'timestamptz' },
  text: `
    UPDATE crypto_orders o SET status = s.status, received = s.received, updated_at = :now
    FROM ${SETTLED.from('s')}
    WHERE o.id = s.id AND o.partner_id = s.partner_id`,
})

/** Writes back what deposits changed of their orders: status and amount received. */
export const updateSettledOrders = (
  tx: Queryable,
  orders: readonly OrderRecord[],
  now: Date,
): Promise<void> => updateOrders(tx, { ...SETTLED.values(orders), now })
