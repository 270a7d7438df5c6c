import { RailError } from '@causeway/rails'
import type { BlockHeader, BlockSource } from '@causeway/rails/chains'
import { FINALITY_DEPTHS } from '@causeway/rails/networks'
import { settleDeposits } from '../deposits/settle-deposits.ts'
import { lockPosition, markFinal } from './position-store.ts'
import type { BlockContext } from './process-blocks.ts'
import { takeBackBlocks } from './reorganisation.ts'
import {
  listDepositsOfBlocks,
  listSettledBlocks,
  listWaitingDeposits,
  MOST_WAITING,
  type KnownBlock,
  type PlacedDeposit,
} from './store.ts'

/* Blocks with deposits are asked for again, whatever the blocks that followed them said: the links between blocks show a
 * reorganisation only where the endpoints that were asked have followed it themselves. */

/** Blocks that are asked for a last time after each look at the head. */
const MOST_RECHECKS = 10

/**
 * The block that the endpoints have now at this block's height.
 * @throws RailError while they have none
 */
const currentAt = async (
  source: BlockSource,
  { number }: KnownBlock,
  signal?: AbortSignal,
): Promise<BlockHeader> => {
  const current = await source.next(number - 1, signal)
  if (current !== null) return current
  throw new RailError(
    'unavailable',
    `${source.network}: the endpoints no longer have block ${number}, which was read and contains deposits`,
  )
}

const logHidden = ({ log, network }: BlockContext, { number, hash }: KnownBlock) =>
  log.error(
    { event: 'chain.hidden_reorganisation', network, blockNumber: number, blockHash: hash },
    'A block with a deposit is not on the chain, although later blocks confirmed it',
  )

const outOfBlock = (deposits: readonly PlacedDeposit[]) =>
  deposits.map((deposit) => ({
    ...deposit,
    confirmations: 0,
    blockNumber: null,
    blockHash: null,
  }))

/** Deposits whose block is not on the chain are in none. */
const takeOut = (context: BlockContext, deposits: readonly PlacedDeposit[]): Promise<void> =>
  context.db.transaction(async (tx) => {
    const { network, holder } = context
    if ((await lockPosition(tx, { network, holder })) === null) return
    await settleDeposits(tx, context, outOfBlock(deposits))
  })

/**
 * Asks again for the blocks of deposits that are about to count; what is gone is taken back before it counts.
 * @param tip the last block that was read
 * @param next number of the last block that is to be processed now
 * @returns whether all are on the chain; blocks were taken back where they are not
 */
export const recheckBeforeCounting = async (
  context: BlockContext,
  source: BlockSource,
  tip: KnownBlock,
  next: number,
  signal?: AbortSignal,
): Promise<boolean> => {
  const { db, network, confirmations } = context
  const depth = confirmations[network]
  const waiting = await listWaitingDeposits(db, { network, limit: MOST_WAITING })
  const due = waiting.filter(({ blockNumber }) => blockNumber <= next - depth + 1)
  const blocks = new Map(due.map((deposit) => [`${deposit.blockNumber}/${deposit.blockHash}`, deposit]))
  for (const { blockNumber: number, blockHash: hash, isKept } of blocks.values()) {
    const current = await currentAt(source, { number, hash }, signal)
    if (current.hash === hash) continue
    logHidden(context, { number, hash })
    // Blocks that are no longer kept cannot be walked back: what was in this one is in none.
    if (isKept) await takeBackBlocks(context, source, tip, signal, number)
    else
      await takeOut(
        context,
        due.filter(({ blockNumber, blockHash }) => blockNumber === number && blockHash === hash),
      )
    return false
  }
  return true
}

/** Checks whether a deposit was found by a balance: it has no transaction, and its block's hash is used instead. */
const isOfBalance = ({ txId, blockHash }: PlacedDeposit): boolean => txId === blockHash

/** Those of a block's deposits that the endpoints do not name any more. */
const missingOf = async (
  source: BlockSource,
  block: BlockHeader,
  deposits: readonly PlacedDeposit[],
  signal?: AbortSignal,
): Promise<PlacedDeposit[]> => {
  const transfers = await source.transfers(block, signal)
  return deposits.filter(
    (deposit) =>
      !isOfBalance(deposit) &&
      !transfers.some(
        ({ txId, outputIndex, address, asset, amount }) =>
          txId === deposit.txId &&
          outputIndex === deposit.outputIndex &&
          address === deposit.address &&
          asset === deposit.asset &&
          amount === deposit.amount,
      ),
  )
}

/** Ends the looks at a block: what it does not hold any more is in no block, and what counted of it is taken back. */
const finish = (
  context: BlockContext,
  block: KnownBlock,
  missing: readonly PlacedDeposit[],
): Promise<void> => {
  const { db, network, holder, log } = context
  return db.transaction(async (tx) => {
    if ((await lockPosition(tx, { network, holder })) === null) return
    await settleDeposits(tx, context, outOfBlock(missing))
    for (const { txId } of missing)
      log.error(
        { event: 'deposit.not_in_block', network, txId, blockNumber: block.number, blockHash: block.hash },
        'Endpoints no longer list a counted deposit in its block',
      )
    await markFinal(tx, { network, number: block.number })
  })
}

/** Depth of the last look: finality, and later than the count in any case. */
const lastLookAt = ({ network, confirmations }: BlockContext): number =>
  Math.max(FINALITY_DEPTHS[network], 2 * confirmations[network])

/**
 * Asks a last time for the blocks whose counted deposits become final: for the block at their height, and for what is in
 * theirs (decisions §20). What is gone is taken back.
 * @param tip the last block that was read
 * @returns whether the position moved
 */
export const recheckBeforeFinality = async (
  context: BlockContext,
  source: BlockSource,
  tip: KnownBlock,
  signal?: AbortSignal,
): Promise<boolean> => {
  const { db, network } = context
  const upTo = tip.number - lastLookAt(context) + 1
  for (const block of await listSettledBlocks(db, { network, upTo, limit: MOST_RECHECKS })) {
    const current = await currentAt(source, block, signal)
    if (current.hash !== block.hash) {
      logHidden(context, block)
      return takeBackBlocks(context, source, tip, signal, block.number)
    }
    const deposits = await listDepositsOfBlocks(db, {
      network,
      numbers: [block.number],
      hashes: [block.hash],
    })
    await finish(context, block, await missingOf(source, current, deposits, signal))
  }
  return false
}
