import { statement, type Db } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { z } from 'zod'

/** How many indices one call takes: INCREMENT BY of the sequences. */
const BLOCK = 32

const nextBlock = Object.fromEntries(
  (['BTC', 'LTC', 'ETH', 'SOL', 'XRP'] as const).map((network) => [
    network,
    statement({
      name: `indices.next-${network.toLowerCase()}`,
      text: `SELECT nextval('order_index_${network.toLowerCase()}') AS first`,
      row: z.object({ first: z.number() }),
    }),
  ]),
) as Readonly<Record<Network, ReturnType<typeof statement<{ first: number }>>>>

type Stock = { next: number; end: number; spare: number | null; filling: Promise<void> | null }

/**
 * Derivation indices, none ever given twice: a replica takes a block from the network's sequence and hands out its
 * members from memory, a spare block fetched ahead, so that an order costs no round trip for its index. What a
 * stopped replica had left is skipped.
 */
export const createIndices = (db: Pick<Db, 'query'>): { take: (network: Network) => Promise<number> } => {
  const stocks = new Map<Network, Stock>()

  const fetchSpare = async (network: Network, stock: Stock): Promise<void> => {
    const [row] = await db.query(nextBlock[network])
    if (!row) throw new Error(`The sequence of ${network} answered nothing`)
    stock.spare = row.first
  }
  const fill = (network: Network, stock: Stock): Promise<void> => {
    stock.filling ??= fetchSpare(network, stock).finally(() => {
      stock.filling = null
    })
    return stock.filling
  }
  return {
    async take(network) {
      const stock = stocks.get(network) ?? { next: 0, end: 0, spare: null, filling: null }
      stocks.set(network, stock)
      while (stock.next >= stock.end) {
        if (stock.spare === null) {
          await fill(network, stock)
          continue
        }
        stock.next = stock.spare
        stock.end = stock.spare + BLOCK
        stock.spare = null
        // A fault of this early fetch is met again, and then reported, by whoever finds the stock empty.
        fill(network, stock).catch(() => undefined)
      }
      const index = stock.next
      stock.next += 1
      return index
    },
  }
}
