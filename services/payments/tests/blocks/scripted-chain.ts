import { RailError } from '@causeway/rails'
import type { BlockHeader, BlockSource, Transfer } from '@causeway/rails/chains'
import { toUnits } from '@causeway/rails/networks'
import { createHash } from 'node:crypto'

/** A change of a balance without a transfer: an amount sent by a contract, or one that leaves the address (negative), in wei. */
export type Silent = Readonly<{ address: string; wei: bigint }>
type Block = Readonly<{ header: BlockHeader; transfers: readonly Transfer[]; silent: readonly Silent[] }>

/**
 * A chain in memory that does what its script says: mines, is reorganised, lets transactions wait. Its transfers are known
 * by block hash for good, as a node knows blocks that have left its chain.
 */
export const createScriptedChain = (network: BlockSource['network'], name = 'main') => {
  let blocks: Block[] = []
  /** The chain that there is, without its newest block, while another one is shown from there on. */
  let hidden: Block[] = []
  let pending: readonly Transfer[] = []
  let mined = 0
  let failures = 0
  const byHash = new Map<string, Block>()

  const mine = (transfers: readonly Transfer[] = [], silent: readonly Silent[] = []): BlockHeader => {
    const parent = blocks.at(-1)?.header
    mined += 1
    const number = (parent?.number ?? -1) + 1
    const parentHash = parent?.hash ?? 'none'
    const hash = createHash('sha256').update(`${name}/${network}/${parentHash}/${mined}`).digest('hex')
    const header = { number, hash, parentHash, minedAt: new Date(1_700_000_000_000 + number * 150_000) }
    const block = { header, transfers, silent }
    blocks.push(block)
    byHash.set(hash, block)
    return header
  }
  const answer = <T>(value: T): Promise<T> => {
    if (failures > 0) {
      failures -= 1
      return Promise.reject(new RailError('timeout', 'The scripted chain does not answer'))
    }
    return Promise.resolve(value)
  }
  const balanceOf = (address: string, upTo: readonly Block[]): bigint => {
    const brought = upTo
      .flatMap(({ transfers }) => transfers)
      .filter((transfer) => transfer.address === address && transfer.asset === 'ETH')
      .map(({ amount }) => toUnits(amount, 18))
    const silent = upTo.flatMap((block) => block.silent).filter((each) => each.address === address)
    return [...brought, ...silent.map(({ wei }) => wei)].reduce((sum, each) => sum + each, 0n)
  }
  const genesis = mine()
  const source: BlockSource = {
    network,
    verify: () => Promise.resolve(),
    head: () => answer(blocks.at(-1)?.header ?? genesis),
    next: (number) => answer((hidden[number + 1] ?? blocks[number + 1])?.header ?? null),
    transfers: ({ hash }) => answer(byHash.get(hash)?.transfers ?? []),
    blockOf: (txId) => {
      const block = blocks.find(({ transfers }) => transfers.some((transfer) => transfer.txId === txId))
      return answer(block?.header.number ?? null)
    },
    pending: () => answer(pending),
    ...(network === 'ETH' && {
      balances: (addresses, { number }) =>
        answer(addresses.map((address) => balanceOf(address, blocks.slice(0, number + 1)))),
    }),
    close: () => Promise.resolve(),
  }
  return {
    source,
    mine,
    /** Takes the newest blocks away. @returns what was in them, the oldest first */
    rewind: (depth: number): Transfer[] => {
      const kept = Math.max(1, blocks.length - depth)
      const gone = blocks.slice(kept)
      blocks = blocks.slice(0, kept)
      return gone.flatMap(({ transfers }) => [...transfers])
    },
    /**
     * Replaces the newest blocks without showing it to followers of the chain: the newest block, and blocks mined on it, are
     * still shown. Only a read of a block below returns the replacement.
     */
    hideReorganisation: (depth: number) => {
      const shown = blocks
      blocks = shown.slice(0, shown.length - depth)
      for (let index = 1; index < depth; index += 1) mine()
      hidden = blocks
      blocks = shown
    },
    /** Shows the chain that there is. */
    reveal: () => {
      blocks = hidden
      hidden = []
    },
    /** A transaction is no longer named in its block. */
    forget: ({ txId }: Transfer) => {
      for (const [hash, { header, transfers, silent }] of byHash)
        byHash.set(hash, {
          header,
          silent,
          transfers: transfers.filter((transfer) => transfer.txId !== txId),
        })
    },
    /** Sets the pending transfers. */
    wait: (transfers: readonly Transfer[]) => {
      pending = transfers
    },
    /** The next questions stay without an answer. */
    fail: (count: number) => {
      failures = count
    },
    /** Lists the transfers to this address in blocks of at least this depth, in order. */
    received: (address: string, depth: number): Transfer[] =>
      blocks
        .slice(0, Math.max(0, blocks.length - depth + 1))
        .flatMap(({ transfers }) => transfers.filter((transfer) => transfer.address === address)),
  }
}
export type ScriptedChain = ReturnType<typeof createScriptedChain>
