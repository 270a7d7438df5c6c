import { batchOf, queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/* Strays: deposits that named no order when they arrived (decisions §52). */

const Stray = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  /** The order that staff have applied it to. */
  orderId: z.string().nullable(),
  asset: Asset,
  amount: z.string(),
  /** Where it arrived, as the chain's reader writes it, and the address that holds it. */
  address: z.string(),
  heldAt: z.string(),
  sender: z.string().nullable(),
  confirmations: z.number(),
  blockNumber: z.number().nullable(),
  blockHash: z.string().nullable(),
  countedAt: z.date().nullable(),
  /** It waits for staff, or they have ended it: it is not listed a second time. */
  hasMoney: z.boolean(),
})
export type Stray = Readonly<z.infer<typeof Stray>>

const KEYS = { networks: 'text[]', txIds: 'text[]', outputIndexes: 'integer[]' } as const
type Key = Readonly<Pick<Stray, 'network' | 'txId' | 'outputIndex'>>

const keysOf = (keys: readonly Key[]) => ({
  networks: keys.map(({ network }) => network),
  txIds: keys.map(({ txId }) => txId),
  outputIndexes: keys.map(({ outputIndex }) => outputIndex),
})

const lock = queryMany({
  name: 'strays.lock',
  parameters: KEYS,
  text: `
    SELECT d.network, d.tx_id, d.output_index, d.order_id, d.asset, d.amount, d.address, d.held_at, d.sender,
      d.confirmations, d.block_number, d.block_hash, d.counted_at, (
        SELECT count(*) FROM unattributed_money u
        WHERE u.network = d.network AND u.tx_id = d.tx_id AND u.output_index = d.output_index
          AND (u.ended_by IS NULL OR u.ended_by NOT IN ('counted', 'reverted'))) > 0 AS has_money
    FROM crypto_deposits d
    WHERE (d.network, d.tx_id, d.output_index) IN (SELECT * FROM unnest(:networks, :txIds, :outputIndexes))
      AND d.address IS NOT NULL
    ORDER BY d.network, d.tx_id, d.output_index FOR UPDATE OF d`,
  row: Stray,
})

/** Those of these deposits that are strays, locked before any order. */
export const lockStrays = (tx: Queryable, keys: readonly Key[]): Promise<Stray[]> => lock(tx, keysOf(keys))

/** Those of these addresses that were an order's that a restore has lost (ADR 0072). */
export const listSkippedAddresses = queryMany({
  name: 'strays.skipped-addresses',
  parameters: { networks: 'text[]', addresses: 'text[]' },
  text: `
    SELECT network, watch_address AS address FROM skipped_addresses
    WHERE (watch_address, network) IN (SELECT a.address, a.network FROM unnest(:networks, :addresses) AS a (network, address))`,
  row: z.object({ network: Network, address: z.string() }),
})

const STRAYS = batchOf<Stray>()('stray', {
  network: ['text', ({ network }) => network],
  txId: ['text', ({ txId }) => txId],
  outputIndex: ['integer', ({ outputIndex }) => outputIndex],
  asset: ['text', ({ asset }) => asset],
  amount: ['decimal', ({ amount }) => amount],
  address: ['text', ({ address }) => address],
  heldAt: ['text', ({ heldAt }) => heldAt],
  sender: ['text?', ({ sender }) => sender],
  confirmations: ['integer', ({ confirmations }) => confirmations],
  blockNumber: ['bigint?', ({ blockNumber }) => blockNumber],
  blockHash: ['text?', ({ blockHash }) => blockHash],
  countedAt: ['time?', ({ countedAt }) => countedAt?.getTime() ?? null],
})

const keep = queryNone({
  name: 'strays.keep',
  parameters: { ...STRAYS.parameters, now: 'timestamptz' },
  text: `
    INSERT INTO crypto_deposits (${STRAYS.names}, seen_at) SELECT d.*, :now FROM ${STRAYS.from('d')}
    ON CONFLICT (network, tx_id, output_index) DO UPDATE SET asset = excluded.asset, amount = excluded.amount,
      confirmations = excluded.confirmations, block_number = excluded.block_number, block_hash = excluded.block_hash,
      counted_at = excluded.counted_at`,
})

/** Writes strays that have no order; those that exist are locked. */
export const keepStrays = (tx: Queryable, strays: readonly Stray[], now: Date): Promise<void> =>
  keep(tx, { ...STRAYS.values(strays), now })

const revert = queryNone({
  name: 'strays.revert-money',
  parameters: { ...KEYS, now: 'timestamptz' },
  text: `
    UPDATE unattributed_money SET status = 'ended', ended_by = 'reverted', ended_at = :now
    WHERE (network, tx_id, output_index) IN (SELECT * FROM unnest(:networks, :txIds, :outputIndexes))
      AND network IS NOT NULL AND status = 'open' AND kind = 'unknown'`,
})

/** The chain has taken these back: what waits of them for staff has ended. */
export const revertMoney = (tx: Queryable, keys: readonly Key[], now: Date): Promise<void> =>
  revert(tx, { ...keysOf(keys), now })

/** Gives a counted stray to an order; null where it has an order already or does not count. */
export const attachStray = queryOne({
  name: 'strays.attach',
  parameters: { network: 'text', txId: 'text', outputIndex: 'integer', orderId: 'text' },
  text: `
    UPDATE crypto_deposits SET order_id = :orderId
    WHERE network = :network AND tx_id = :txId AND output_index = :outputIndex AND order_id IS NULL
      AND counted_at IS NOT NULL
    RETURNING order_id`,
  row: z.object({ orderId: z.string() }),
})
