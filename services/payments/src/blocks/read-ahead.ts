import type { BlockHeader, BlockSource, Transfer } from '@causeway/rails/chains'

/** A block and its transfers, to any recipient. */
export type Block = Readonly<{ header: BlockHeader; transfers: readonly Transfer[] }>

/** The blocks after one that was read. */
export type Following = Readonly<{
  blocks: readonly Block[]
  /** True if the source's current chain does not contain it. */
  isForked: boolean
  /** The block itself, where nothing follows it. */
  head: BlockHeader | null
}>

/** The headers that form one chain with the block before them; what comes behind a gap or a fork is left out. */
const linked = (headers: readonly BlockHeader[], parentHash: string | null): BlockHeader[] => {
  const chain: BlockHeader[] = []
  let expected = parentHash
  for (const header of headers) {
    if (expected !== null && header.parentHash !== expected) break
    chain.push(header)
    expected = header.hash
  }
  return chain
}

/** The next headers above a number, in order, each once: where numbers are skipped, two questions have one answer. */
const headersAbove = async (source: BlockSource, number: number, most: number, signal?: AbortSignal) => {
  const first = await source.next(number, signal)
  if (first === null || most === 1) return first === null ? [] : [first]
  const others = await Promise.all(
    Array.from({ length: most - 1 }, (_, index) => source.next(first.number + index, signal)),
  )
  const found = [first, ...others.filter((header) => header !== null)]
  return [...new Map(found.map((header) => [header.number, header])).values()].sort(
    (a, b) => a.number - b.number,
  )
}

/**
 * Reads the blocks that follow another one, several together while the reader is behind.
 * @param after the last block that was read; without a hash, any block above its number is accepted
 * @param most maximum number of blocks
 * @throws RailError when a block cannot be read completely: then no part of it counts
 */
export const readFollowing = async (
  source: BlockSource,
  after: Readonly<{ number: number; hash: string | null }>,
  most: number,
  signal?: AbortSignal,
): Promise<Following> => {
  const headers = await headersAbove(source, after.number, most, signal)
  const chain = linked(headers, after.hash)
  if (chain.length === 0 && headers.length > 0) return { blocks: [], isForked: true, head: null }
  if (headers.length === 0 && after.hash !== null) {
    // The chain may have been replaced up to a head of the same number: nothing follows that would show it.
    const current = await source.next(after.number - 1, signal)
    const isForked = current !== null && current.hash !== after.hash
    return { blocks: [], isForked, head: isForked ? null : current }
  }
  const blocks = await Promise.all(
    chain.map(async (header) => ({ header, transfers: await source.transfers(header, signal) })),
  )
  return { blocks, isForked: false, head: null }
}
