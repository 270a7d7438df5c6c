import {
  LEASE_MS,
  metrics,
  RENEW_EVERY_MS,
  startLoop,
  whileRenewing,
  type Loop,
  type ServiceContext,
} from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import type { BlockHeader, BlockSource } from '@causeway/rails/chains'
import { randomUUID } from 'node:crypto'
import type { SettlementContext } from '../../deposits/settle-deposits.ts'
import { findReadableNetwork } from '../../order-numbers/store.ts'
import { processBalances } from '../balances.ts'
import { claimPosition, releasePositions, renewPosition, type Position } from '../position-store.ts'
import { processBlocks, type BlockContext } from '../process-blocks.ts'
import { readFollowing } from '../read-ahead.ts'
import { recheckBeforeCounting, recheckBeforeFinality } from '../recheck.ts'
import { takeBackBlocks } from '../reorganisation.ts'
import { processSightings } from '../sightings.ts'

/** Blocks that are read together while the reader is behind. */
const MOST_BLOCKS = 32
/** Blocks below the head at which the first read begins, in addition to the confirmation depth. */
const BLOCKS_BEFORE_START = 10

const minedAt = metrics.gauge(
  'causeway_chain_block_mined_at_seconds',
  'Unix time at which the last block read was mined',
  ['network'],
)
const blockNumber = metrics.gauge(
  'causeway_chain_block_number',
  'Number of the last block read: height, slot or ledger index',
  ['network'],
)
const lookedAt = metrics.gauge(
  'causeway_chain_looked_at_seconds',
  'Unix time of the last successful check for new blocks; before the first success, the start of the reader',
  ['network'],
)

const exportPosition = (network: Network, { number, minedAt: time }: BlockHeader): void => {
  blockNumber.set({ network }, number)
  minedAt.set({ network }, time.getTime() / 1_000)
}

type Options = Readonly<{
  source: BlockSource
  /** Pause between two looks for the next block. */
  everyMs: number
}>

/** Where the first reading of a network begins: orders that its payers could know of are younger. */
const startOf = async (source: BlockSource, depth: number, signal: AbortSignal) => {
  const head = await source.head(signal)
  return { number: Math.max(-1, head.number - depth - BLOCKS_BEFORE_START), hash: null }
}

/**
 * Creates one run over a network, under the lease of `holder`: processes the next blocks, or reverts blocks that the chain
 * replaced; at the head it reads pending transactions. The position moves in the transaction that stores the deposits, so
 * that no deposit is skipped or counted twice after a crash.
 * @returns true if more blocks may be available
 */
export const createBlockReading = (context: BlockContext, source: BlockSource) => {
  const { db, clock, network, holder, confirmations } = context
  let most = 1
  let isVerified = false
  const follow = async (position: Position, signal: AbortSignal): Promise<boolean> => {
    const after =
      position.number === null
        ? await startOf(source, confirmations[network], signal)
        : { number: position.number, hash: position.hash }
    const { blocks, isForked, head } = await readFollowing(source, after, most, signal)
    const { number, hash } = position
    const tip = number === null || hash === null ? null : { number, hash }
    // Endpoints that name the last block and no child of it contradict themselves: reading waits, rechecking does not.
    if (isForked && tip !== null)
      return (
        (await takeBackBlocks(context, source, tip, signal)) ||
        recheckBeforeFinality(context, source, tip, signal)
      )
    const last = blocks.at(-1)
    if (last === undefined) {
      most = 1
      await processSightings(context, source, signal)
      if (head !== null) {
        exportPosition(network, head)
        await processBalances(context, source, head, signal)
      }
      return tip !== null && recheckBeforeFinality(context, source, tip, signal)
    }
    if (tip !== null && !(await recheckBeforeCounting(context, source, tip, last.header.number, signal)))
      return false
    most = blocks.length === most ? Math.min(most * 2, MOST_BLOCKS) : 1
    const hasMoved = await processBlocks(context, position, blocks)
    if (hasMoved) exportPosition(network, last.header)
    return hasMoved
  }
  return async (signal: AbortSignal): Promise<boolean> => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const position = await claimPosition(db, { network, holder, now, leaseUntil })
    if (position === null) return false
    // Nodes that were away at the start may turn out to be on another chain.
    if (!isVerified) await source.verify(signal)
    isVerified = true
    const isMore = await follow(position, signal)
    lookedAt.set({ network }, clock.now().getTime() / 1_000)
    return isMore
  }
}

/**
 * Reads the blocks of one network, one replica at a time. Its lease is renewed while it reads and between two looks;
 * replicas without it try to claim it as often, so that a killed one is replaced within seconds.
 */
export const startBlockReader = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  settlement: Omit<SettlementContext, 'clock' | 'log'>,
  { source, everyMs }: Options,
): Loop => {
  const holder = randomUUID()
  const { network } = source
  lookedAt.set({ network }, clock.now().getTime() / 1_000)
  const look = createBlockReading({ ...settlement, db, clock, log, network, holder }, source)
  const renew = () => renewPosition(db, { network, holder, leaseUntil: new Date(clock.nowMs() + LEASE_MS) })
  let nextLookMs = 0
  const loop = startLoop({
    name: `block-reader of ${network}`,
    everyMs: Math.min(everyMs, RENEW_EVERY_MS),
    restMs: 0,
    log,
    run: async (signal) => {
      if (performance.now() < nextLookMs && (await renew()) !== null) return false
      nextLookMs = everyMs > RENEW_EVERY_MS ? performance.now() + everyMs - RENEW_EVERY_MS : 0
      // A block that is read before the addresses of lost orders are known would not tell of their money.
      if ((await findReadableNetwork(db, { network })) === null) return false
      const isMore = await whileRenewing(renew, log, () => look(signal))
      if (isMore) nextLookMs = 0
      return isMore
    },
  })
  return {
    wake() {
      nextLookMs = 0
      loop.wake()
    },
    async stop() {
      await loop.stop()
      await releasePositions(db, { holder }).catch((error: unknown) =>
        log.warn(
          { event: 'chain.lease_not_released', error },
          'Lease of the chain not released; it expires on its own',
        ),
      )
    },
  }
}
