import { setTimeout as delay } from 'node:timers/promises'
import { createRawClient } from '@causeway/dev-env/platform/raw-client'
import type { Platform } from '@causeway/dev-env/platform/platform'
import { compareRebuiltBooks } from './books.ts'
import { startBuyers } from './buyers.ts'
import { disturbancesOf } from './disturbances.ts'
import { type Observed, startObserver } from './observer.ts'
import { booksPage } from './page.ts'
import { startBooksServer } from './server.ts'
import { openShops } from './shops.ts'

const BLOCK_EVERY_MS = 1_000
const STORY_LINES = 12
/** How long the books may take to be complete after the last payment; decisions §47 say 60 s. */
const COMPLETE_WITHIN_MS = 120_000
/** The books are complete when so many readings a second apart found no new fact and none that waits. */
const SETTLED_READINGS = 3

/** Settings with which the demo's platform runs: payments count after two blocks, so that three can be taken back. */
export const BOOKS_DEMO_SETTINGS = {
  ETH_CONFIRMATIONS: '2',
  LEDGER_COMPARE_INTERVAL: '5s',
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
}

type Options = Readonly<{
  /** Payments that are begun each second. */
  perSecond: number
  /** Port of the page; 0 for a free one. */
  port: number
  /** Environment of the platform. */
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}>

export type BooksDemo = Readonly<{
  url: string
  /** Resolves when somebody ends the demo on its page. */
  ended: Promise<void>
  /** Ends the payments, waits until every fact is in the books, rebuilds them and compares. */
  finish: () => Promise<Readonly<{ observed: Observed; isIdentical: boolean; lines: readonly string[] }>>
  stop: () => Promise<void>
}>

type DemoPlatform = Pick<
  Platform,
  'baseUrl' | 'sandboxUrl' | 'operatorKey' | 'dataDir' | 'processes' | 'postgres' | 'nats'
>

/** Shows the books on a page while buyers pay at three shops and people disturb the platform. */
export const startBooksDemo = async (platform: DemoPlatform, options: Options): Promise<BooksDemo> => {
  const { baseUrl, sandboxUrl, operatorKey, dataDir } = platform
  const sandbox = createRawClient({ baseUrl: sandboxUrl })
  const staff = createRawClient({ baseUrl, headers: { authorization: `Bearer ${operatorKey}` } })
  const env = { ...options.env, DATA_DIR: dataDir }
  const shops = await openShops(baseUrl, staff)
  const ending = new AbortController()
  const end = Promise.withResolvers<undefined>()
  const buyers = startBuyers(shops, sandbox, options.perSecond)
  const observer = startObserver(shops, buyers, env)
  const disturbances = disturbancesOf({ platform, sandbox, buyers, ending: ending.signal })
  const story: { at: string; text: string }[] = []
  let outcome: readonly string[] | null = null

  const tell = (text: string): void => {
    options.log(text)
    story.unshift({ at: new Date().toISOString().slice(11, 19), text })
    if (story.length > STORY_LINES) story.pop()
  }
  const mine = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await sandbox.post('/control/chain/mine', { network: 'ETH', blocks: 1 })
      await delay(BLOCK_EVERY_MS)
    }
  }
  const mining = mine()
  const server = await startBooksServer(
    {
      page: () =>
        booksPage({ observed: observer.observed(), payments: buyers.counts(), story, outcome }, disturbances),
      disturb: async (name) => {
        const disturbance = disturbances[name]
        if (disturbance === undefined) return false
        tell(await disturbance.begin())
        return true
      },
      end: () => {
        end.resolve(undefined)
      },
    },
    options.port,
  )

  /** @throws when facts are missing from the books */
  const untilComplete = async (): Promise<void> => {
    const untilMs = performance.now() + COMPLETE_WITHIN_MS
    let [settled, before] = [0, -1]
    while (settled < SETTLED_READINGS) {
      const { books, isReadable } = observer.observed()
      const isComplete = isReadable && books?.facts === books?.posted && books?.facts === before
      settled = isComplete ? settled + 1 : 0
      before = books?.facts ?? -1
      if (performance.now() > untilMs)
        throw new Error(`${(books?.facts ?? 0) - (books?.posted ?? 0)} facts are still not in the books`)
      await delay(1_000)
    }
  }

  return {
    url: server.url,
    ended: end.promise,
    finish: async () => {
      tell('The buyers stop. The ledger posts what waits.')
      await buyers.stop()
      ending.abort()
      await mining
      await untilComplete()
      tell('The books are rebuilt from the facts, shuffled and twice, and compared.')
      const { isIdentical, lines } = await compareRebuiltBooks(env)
      outcome = lines
      for (const line of lines) tell(line)
      return { observed: observer.observed(), isIdentical, lines }
    },
    stop: async () => {
      ending.abort()
      await buyers.stop()
      await mining
      await observer.stop()
      await server.stop()
    },
  }
}
