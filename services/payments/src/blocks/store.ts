import { queryMany, queryNone } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/** A block that was read. */
const KnownBlock = z.object({ number: z.number(), hash: z.string() })
export type KnownBlock = Readonly<z.infer<typeof KnownBlock>>

export const insertBlocks = queryNone({
  name: 'chain-blocks.insert',
  parameters: { network: 'text', numbers: 'bigint[]', hashes: 'text[]' },
  text: `
    INSERT INTO chain_blocks (network, number, hash)
    SELECT :network, b.* FROM unnest(:numbers, :hashes) AS b`,
})

/** Deletes the blocks that no reorganisation is followed back to any more. */
export const deleteOldBlocks = queryNone({
  name: 'chain-blocks.delete-old',
  parameters: { network: 'text', below: 'bigint' },
  text: 'DELETE FROM chain_blocks WHERE network = :network AND number < :below',
})

/** The blocks that were read below a number, the newest first. */
export const listBlocksBelow = queryMany({
  name: 'chain-blocks.list-below',
  parameters: { network: 'text', below: 'bigint', limit: 'integer' },
  text: `
    SELECT number, hash FROM chain_blocks WHERE network = :network AND number < :below
    ORDER BY number DESC LIMIT :limit`,
  row: KnownBlock,
})

/** Deletes the blocks above a number. @returns them */
export const deleteBlocksAbove = queryMany({
  name: 'chain-blocks.delete-above',
  parameters: { network: 'text', above: 'bigint' },
  text: 'DELETE FROM chain_blocks WHERE network = :network AND number > :above RETURNING number, hash',
  row: KnownBlock,
})

/** Those of these addresses that are an order's. */
export const listWatchedAddresses = queryMany({
  name: 'chain-blocks.watched',
  parameters: { network: 'text', addresses: 'text[]' },
  text: `
    SELECT watch_address AS address FROM crypto_orders
    WHERE (watch_address, network) IN (SELECT a, :network FROM unnest(:addresses) AS a)`,
  row: z.object({ address: z.string() }),
})

/** Those of these addresses that are an order's, or were one's that a restore has lost (ADR 0072). */
export const listOwnAddresses = queryMany({
  name: 'chain-blocks.own',
  parameters: { network: 'text', addresses: 'text[]' },
  text: `
    SELECT watch_address AS address FROM crypto_orders
    WHERE (watch_address, network) IN (SELECT a, :network FROM unnest(:addresses) AS a)
    UNION ALL
    SELECT watch_address FROM skipped_addresses
    WHERE (watch_address, network) IN (SELECT a, :network FROM unnest(:addresses) AS a)`,
  row: z.object({ address: z.string() }),
})

const PlacedDeposit = z.object({
  network: Network,
  asset: Asset,
  address: z.string(),
  txId: z.string(),
  outputIndex: z.number(),
  amount: z.string(),
  blockNumber: z.number(),
  blockHash: z.string(),
})
export type PlacedDeposit = Readonly<z.infer<typeof PlacedDeposit>>

/** Where deposits `d` arrived: those that named no order have their own address, others their order's. */
const PLACE = 'coalesce(d.address, o.watch_address) AS address'
const PLACES = 'LEFT JOIN crypto_orders o ON o.id = d.order_id'

const DEPOSITS = `
  SELECT d.network, d.asset, ${PLACE}, d.tx_id, d.output_index, d.amount, d.block_number, d.block_hash
  FROM crypto_deposits d ${PLACES}`

/**
 * Deposits in a block that do not count yet, the oldest first: whatever the depth was at which they should have, they
 * count when they are deep enough now. `isKept`: their block is among those that are kept; others are older.
 */
export const listWaitingDeposits = queryMany({
  name: 'chain-blocks.waiting-deposits',
  parameters: { network: 'text', limit: 'integer' },
  text: `
    SELECT d.network, d.asset, ${PLACE}, d.tx_id, d.output_index, d.amount, d.block_number, d.block_hash, d.is_kept
    FROM (
      SELECT d.*, b.hash IS NOT NULL AS is_kept
      FROM crypto_deposits d LEFT JOIN chain_blocks b ON b.network = d.network AND b.number = d.block_number
      WHERE d.network = :network AND d.block_number IS NOT NULL AND d.counted_at IS NULL
        AND CASE WHEN b.hash IS NULL THEN d.block_hash IS NOT NULL
          AND d.block_number < (SELECT number FROM chain_blocks WHERE network = :network ORDER BY number LIMIT 1)
          ELSE b.hash = d.block_hash END
      ORDER BY d.block_number LIMIT :limit
    ) d ${PLACES}
    ORDER BY d.block_number, d.tx_id, d.output_index`,
  row: PlacedDeposit.extend({ isKept: z.boolean() }),
})

/** Most deposits that gain confirmations with a block; the oldest do, and further ones follow with the next. */
export const MOST_WAITING = 1_000

/**
 * The next blocks that were read, up to a number, that hold counted deposits and were not asked for a last time; the
 * oldest first.
 */
export const listSettledBlocks = queryMany({
  name: 'chain-blocks.settled',
  parameters: { network: 'text', upTo: 'bigint', limit: 'integer' },
  text: `
    SELECT b.number, b.hash FROM chain_blocks b
    WHERE b.network = :network AND b.number <= :upTo
      AND b.number > (SELECT coalesce(final_number, -1) FROM chain_positions WHERE network = :network)
      AND EXISTS (SELECT FROM crypto_deposits d
        WHERE (d.network, d.block_number, d.block_hash) = (b.network, b.number, b.hash) AND d.counted_at IS NOT NULL)
    ORDER BY b.number LIMIT :limit`,
  row: KnownBlock,
})

/** Deposits in these blocks, whether they count or not. */
export const listDepositsOfBlocks = queryMany({
  name: 'chain-blocks.deposits-of',
  parameters: { network: 'text', numbers: 'bigint[]', hashes: 'text[]' },
  text: `
    ${DEPOSITS} WHERE (d.network, d.block_number, d.block_hash) IN
      (SELECT :network, b.* FROM unnest(:numbers, :hashes) AS b)
    ORDER BY d.block_number DESC, d.tx_id, d.output_index`,
  row: PlacedDeposit,
})

/** Those of these outputs that are a deposit, with the address that it arrived at. */
export const listSpentDeposits = queryMany({
  name: 'chain-blocks.spent-deposits',
  parameters: { network: 'text', txIds: 'text[]', outputIndexes: 'integer[]' },
  text: `
    SELECT d.tx_id, d.output_index, ${PLACE}
    FROM crypto_deposits d ${PLACES}
    WHERE (d.network, d.tx_id, d.output_index) IN
      (SELECT :network, s.* FROM unnest(:txIds, :outputIndexes) AS s)`,
  row: z.object({ txId: z.string(), outputIndex: z.number(), address: z.string() }),
})

/** Those of these transactions' outputs that are known already, mined or seen. */
export const listKnownOutputs = queryMany({
  name: 'sightings.known',
  parameters: { network: 'text', txIds: 'text[]', outputIndexes: 'integer[]' },
  text: `
    SELECT tx_id, output_index FROM crypto_deposits
    WHERE (network, tx_id, output_index) IN
      (SELECT :network, s.* FROM unnest(:txIds, :outputIndexes) AS s)`,
  row: z.object({ txId: z.string(), outputIndex: z.number() }),
})

/**
 * Deletes what was seen and waits to be mined no more, replaced or dropped. A deposit that was unattributed money stays, for
 * staff may have acted on it.
 */
export const deleteVanishedSightings = queryNone({
  name: 'sightings.delete-vanished',
  parameters: { network: 'text', txIds: 'text[]' },
  text: `
    DELETE FROM crypto_deposits d
    WHERE d.network = :network AND d.block_number IS NULL AND d.counted_at IS NULL AND d.tx_id <> ALL (:txIds)
      AND NOT EXISTS (SELECT FROM unattributed_money u
        WHERE (u.network, u.tx_id, u.output_index) = (d.network, d.tx_id, d.output_index))`,
})
