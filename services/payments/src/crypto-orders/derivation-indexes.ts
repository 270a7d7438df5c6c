import type { Queryable } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { takeIndexBlock } from './derivation-index-store.ts'

type Block = Readonly<{ first: number; end: number }>
type Stock = { next: number; end: number; spare: Block | null; fetching: Promise<void> | null }

/**
 * Derivation indexes, each issued once: a replica takes a block from the network's sequence and hands out its members
 * from memory, with a spare block fetched ahead, so that an order costs no round trip for its index. The rest of a
 * stopped replica's block is never used.
 */
export const createDerivationIndexes = (
  db: Queryable,
): Readonly<{ take: (network: Network) => Promise<number> }> => {
  const stocks = new Map<Network, Stock>()

  const fetchSpare = (network: Network, stock: Stock): Promise<void> => {
    stock.fetching ??= takeIndexBlock(db, network)
      .then((block) => {
        stock.spare = block
      })
      .finally(() => {
        stock.fetching = null
      })
    return stock.fetching
  }
  return {
    async take(network) {
      const stock = stocks.get(network) ?? { next: 0, end: 0, spare: null, fetching: null }
      stocks.set(network, stock)
      while (stock.next >= stock.end) {
        if (stock.spare === null) {
          await fetchSpare(network, stock)
          continue
        }
        stock.next = stock.spare.first
        stock.end = stock.spare.end
        stock.spare = null
        // The error of this early fetch is ignored: the call that finds no index left fetches again and reports its
        // own.
        fetchSpare(network, stock).catch(() => undefined)
      }
      const index = stock.next
      stock.next += 1
      return index
    },
  }
}
