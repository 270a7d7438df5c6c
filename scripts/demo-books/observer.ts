import { setTimeout as delay } from 'node:timers/promises'
import type { Data } from '@causeway/client'
import { type BooksState, readBooks } from './books.ts'
import type { Buyers } from './buyers.ts'
import { SHOP_NAMES, type Shops } from './shops.ts'

type Wallet = Data<'listWallets'>['wallets'][number]

/** Figures of the books and of the merchants. */
export type Observed = Readonly<{
  /** Newest reading of the books; null before the first. */
  books: BooksState | null
  /** False while the databases do not answer: `books` is then the last that was read. */
  isReadable: boolean
  /** Readings so far, and those in which debits differed from credits in a unit. */
  readings: number
  unbalanced: number
  /** Longest queue of facts that were not posted yet. */
  mostWaiting: number
  /** Balances by shop, as the partner reads them; null: not read yet. */
  wallets: readonly Readonly<{ shop: string; wallets: readonly Wallet[] | null }>[]
  /** Payments that were made each second, over the last seconds. */
  perSecond: number
}>

const EVERY_MS = 500
/** The ledger may be down: the page then shows the balances that were read last. */
const WALLETS_TIMEOUT_MS = 2_000
/** Readings over which the rate is computed. */
const RATE_READINGS = 10

export type Observer = Readonly<{ observed: () => Observed; stop: () => Promise<void> }>

/** Reads the books twice a second, and balances through the API, until it is stopped. */
export const startObserver = (
  { partner, shops }: Shops,
  buyers: Buyers,
  env: NodeJS.ProcessEnv,
): Observer => {
  const stopping = new AbortController()
  const made: { atMs: number; count: number }[] = []
  let observed: Observed = {
    books: null,
    isReadable: true,
    readings: 0,
    unbalanced: 0,
    mostWaiting: 0,
    wallets: SHOP_NAMES.map((shop) => ({ shop, wallets: null })),
    perSecond: 0,
  }

  const readWallets = (): Promise<Observed['wallets']> =>
    Promise.all(
      shops.map(async ({ name, customerId }, index) => ({
        shop: name,
        wallets: await partner.listWallets({ customerId }, { timeoutMs: WALLETS_TIMEOUT_MS }).then(
          (reply) => reply.wallets,
          () => observed.wallets[index]?.wallets ?? null,
        ),
      })),
    )
  const rate = (): number => {
    made.push({ atMs: performance.now(), count: buyers.counts().made })
    if (made.length > RATE_READINGS) made.shift()
    const [first, last] = [made[0], made.at(-1)]
    if (first === undefined || last === undefined || last.atMs === first.atMs) return 0
    return ((last.count - first.count) * 1_000) / (last.atMs - first.atMs)
  }
  const observe = async (): Promise<void> => {
    const books = await readBooks(env).catch(() => null)
    const isOff = books?.units.some(({ debits, credits }) => debits !== credits) ?? false
    const waiting = books === null ? 0 : books.facts - books.posted
    observed = {
      books: books ?? observed.books,
      isReadable: books !== null,
      readings: observed.readings + (books === null ? 0 : 1),
      unbalanced: observed.unbalanced + (isOff ? 1 : 0),
      mostWaiting: Math.max(observed.mostWaiting, waiting),
      wallets: await readWallets(),
      perSecond: rate(),
    }
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await observe()
      await delay(EVERY_MS)
    }
  }
  const running = run()
  return {
    observed: () => observed,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
