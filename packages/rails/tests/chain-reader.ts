import type { BlockHeader, BlockSource, Transfer } from '../src/chains.ts'

export type ReadBlock = Readonly<{ header: BlockHeader; transfers: readonly Transfer[] }>

/** Reads a source along parent hashes, as the scanner does, and keeps the blocks in memory. */
export type ChainReader = Readonly<{
  /** The blocks of the canonical chain above the first, as far as it has been read. */
  blocks: readonly ReadBlock[]
  /** Takes one block more, or gives one back. @returns false when there was nothing to do */
  step: () => Promise<boolean>
  /** Steps until there is nothing to do. */
  catchUp: () => Promise<void>
}>

/** @param first block that reading starts above; no reorganisation may reach it */
export const createChainReader = (source: BlockSource, first: BlockHeader): ChainReader => {
  const blocks: ReadBlock[] = []
  const tip = (): BlockHeader => blocks.at(-1)?.header ?? first
  const step = async (): Promise<boolean> => {
    const above = await source.next(tip().number)
    if (above !== null && above.parentHash === tip().hash) {
      blocks.push({ header: above, transfers: await source.transfers(above) })
      return true
    }
    // No block above, or another's child: the tip itself may have been replaced by one of the same number.
    const found = await source.next(tip().number - 1)
    if (found?.hash === tip().hash || blocks.length === 0) return false
    blocks.pop()
    return true
  }
  return {
    blocks,
    step,
    catchUp: async () => {
      while (await step());
    },
  }
}
