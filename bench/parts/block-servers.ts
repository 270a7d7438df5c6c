import { startChild, type Child } from './child.ts'

/** A chain of Bitcoin's form, and the orders that are paid on it. */
export type ServedChain = Readonly<{
  blocks: number
  /** Addresses of orders that payments go to in turn. */
  paid: readonly string[]
  /** Blocks from one payment to the next. */
  payEvery: number
}>

/** Source of a reader, and the handling of its blocks. */
export type ReaderArgument = Readonly<{
  nodeUrl: string
  /** Database of payments in which orders are settled; without one the blocks are only read. */
  databaseUrl?: string
}>

/** Blocks from the first one on, for this time or up to the head; again from the first one where `forMs` is not over. */
export type ReadFor = Readonly<{ forMs: number } | { toHead: true }>
export type BlocksRead = Readonly<{ blocks: number; seconds: number }>

/** A process that serves a chain's blocks as a node does. */
export const startBlockServer = async (chain: ServedChain): Promise<{ child: Child; url: string }> => {
  const child = await startChild(new URL('./block-server-process.ts', import.meta.url), chain)
  return { child, url: String(child.ready) }
}

export type BlockReader = Readonly<{ child: Child; read: (what: ReadFor) => Promise<BlocksRead> }>

/** A process that reads blocks, as one replica of payments does or alone. */
export const startBlockReading = async (argument: ReaderArgument): Promise<BlockReader> => {
  const child = await startChild(new URL('./block-reader-process.ts', import.meta.url), argument)
  return { child, read: async (what) => (await child.ask(what)) as BlocksRead }
}
