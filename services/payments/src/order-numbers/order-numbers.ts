import { NotDoneError } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { grantWhereShort, type NumberMarks, type NumbersContext } from './grant.ts'
import { STEP, type Numbered } from './segment.ts'
import { takeNumbers } from './store.ts'

/** Numbers that a replica reserves together. */
const BLOCK = 32
const MOST_TRIES = 5

type Block = Readonly<{ first: number; run: string }>
type Stock = { next: number; end: number; run: string; spare: Block | null; fetching: Promise<void> | null }

/** Numbers of orders, each handed out once. */
export type OrderNumbers = Readonly<{
  /** The number of a new order on a network. @throws NotDoneError when none is left, or none is granted */
  take: (network: Network) => Promise<number>
  /** Grants keys of card orders where none is left. */
  grantCardKeys: () => Promise<void>
}>

/**
 * A replica takes a block of granted numbers and hands out its members from memory, with a spare block fetched ahead, so
 * that an order costs no round trip for its number. The rest of a stopped replica's block is never used. Blocks of another
 * run of the server are thrown away.
 */
export const createOrderNumbers = (
  context: NumbersContext,
  marks: NumberMarks,
  lastOf: (network: Network) => number,
): OrderNumbers => {
  const stocks = new Map<Network, Stock>()
  const granting = new Map<Numbered, Promise<void>>()

  const grant = (name: Numbered): Promise<void> => {
    const running =
      granting.get(name) ?? grantWhereShort(context, marks, name).finally(() => granting.delete(name))
    granting.set(name, running)
    return running
  }

  const takeBlock = async (name: Network): Promise<Block> => {
    // What was granted a moment ago, others may have taken.
    for (let tried = 0; tried < MOST_TRIES; tried += 1) {
      const taken = await takeNumbers(context.db, { name, count: BLOCK })
      if (taken === null) {
        await grant(name)
        continue
      }
      if (taken.left < STEP / 2) grant(name).catch(() => undefined)
      return taken
    }
    throw new NotDoneError(`Numbers of ${name} are used faster than they are granted`)
  }
  const fetchSpare = (name: Network, stock: Stock): Promise<void> => {
    stock.fetching ??= takeBlock(name)
      .then((block) => {
        if (block.run !== stock.run) stock.end = stock.next
        stock.spare = block
      })
      .finally(() => {
        stock.fetching = null
      })
    return stock.fetching
  }
  return {
    grantCardKeys: () => grant('card'),
    async take(name) {
      const stock = stocks.get(name) ?? { next: 0, end: 0, run: '', spare: null, fetching: null }
      stocks.set(name, stock)
      while (stock.next >= stock.end) {
        if (stock.spare === null) {
          await fetchSpare(name, stock)
          continue
        }
        stock.next = stock.spare.first
        stock.end = stock.spare.first + BLOCK
        stock.run = stock.spare.run
        stock.spare = null
        // The error of this early fetch is ignored: the call that finds no number left fetches again and reports its
        // own.
        fetchSpare(name, stock).catch(() => undefined)
      }
      const number = stock.next
      if (number > lastOf(name)) throw new NotDoneError(`All numbers of ${name} are used`)
      stock.next += 1
      return number
    },
  }
}
