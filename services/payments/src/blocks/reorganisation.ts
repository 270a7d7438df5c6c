import { metrics } from '@causeway/chassis'
import type { BlockSource } from '@causeway/rails/chains'
import { recheckBalances } from './balance-store.ts'
import { settleDeposits } from '../deposits/settle-deposits.ts'
import { movePosition } from './position-store.ts'
import { KEPT_BLOCKS, type BlockContext } from './process-blocks.ts'
import { deleteBlocksAbove, listBlocksBelow, listDepositsOfBlocks, type KnownBlock } from './store.ts'

const reorganisations = metrics.counter(
  'causeway_chain_reorganisations_total',
  'Reorganisations that removed blocks that had been read',
  ['network'],
)

/** Known blocks in one statement of the walk back. */
const PAGE = 32

/**
 * The newest block that was read below a number and is still on the chain; null where the source cannot say yet, because
 * its chain does not reach that far.
 * @throws Error when no block that is kept is on the chain
 */
const findAncestor = async (
  { db, network }: BlockContext,
  source: BlockSource,
  from: number,
  signal?: AbortSignal,
): Promise<KnownBlock | null> => {
  let below = from
  for (;;) {
    const known = await listBlocksBelow(db, { network, below, limit: PAGE })
    for (const block of known) {
      const current = await source.next(block.number - 1, signal)
      if (current === null) return null
      if (current.hash === block.hash) return block
      below = block.number
    }
    if (known.length === 0)
      throw new Error(
        `${network}: the endpoints' current chain contains no block of the last ${KEPT_BLOCKS} that were read`,
      )
  }
}

/**
 * Takes back the blocks that are not on the chain any more, down to the newest that is, in one transaction: their deposits
 * are in no block, and what counted of them is taken from its order (decisions §20).
 * @param tip the last block that was read
 * @param from blocks of this number and above are known to be gone; without it, none is
 * @returns whether the position moved
 */
export const takeBackBlocks = async (
  context: BlockContext,
  source: BlockSource,
  tip: KnownBlock,
  signal?: AbortSignal,
  from: number = tip.number + 1,
): Promise<boolean> => {
  const ancestor = await findAncestor(context, source, from, signal)
  if (ancestor === null || ancestor.hash === tip.hash) return false
  return context.db.transaction(async (tx) => {
    const { network, holder, log } = context
    const move = { network, holder, fromHash: tip.hash, toNumber: ancestor.number, toHash: ancestor.hash }
    if (!(await movePosition(tx, move))) return false
    const gone = await deleteBlocksAbove(tx, { network, above: ancestor.number })
    const deposits = await listDepositsOfBlocks(tx, {
      network,
      numbers: gone.map(({ number }) => number),
      hashes: gone.map(({ hash }) => hash),
    })
    await settleDeposits(
      tx,
      context,
      deposits.map((deposit) => ({ ...deposit, confirmations: 0, blockNumber: null, blockHash: null })),
    )
    // What a contract sent may come again in any block, whatever has become of its order since.
    if (source.balances !== undefined)
      await recheckBalances(tx, { network, addresses: deposits.map(({ address }) => address) })
    reorganisations.inc({ network })
    log.warn(
      { event: 'chain.reorganised', network, blocks: gone.length, deposits: deposits.length },
      'A reorganisation has replaced blocks that were read',
    )
    return true
  })
}
