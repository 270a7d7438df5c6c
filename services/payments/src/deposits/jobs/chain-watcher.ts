import { LEASE_MS, startLoop, whileRenewing, type Loop, type ServiceContext } from '@causeway/chassis'
import type { ChainAdapter, DepositPage } from '@causeway/rails/chains'
import { randomUUID } from 'node:crypto'
import { advanceFeed, claimFeed, releaseFeed, renewFeed } from '../chain-feed-store.ts'
import { newEntries } from '../deposit-page.ts'
import { settleDeposits, type SettlementContext } from '../settle-deposits.ts'
import { unwatchAllOrders } from '../unwatched-orders-store.ts'

const LONG_POLL_MS = 3_000
/** Pause after an empty page, in case the feed does not long-poll, and between tries to claim the lease. */
const EVERY_MS = 200

type Options = Omit<SettlementContext, 'clock' | 'log'> & Readonly<{ onWatchesLost: () => void }>

type Dependencies = SettlementContext & Pick<ServiceContext, 'db'> & Readonly<{ holder: string }>

/**
 * Processes one page of the chain's feed in one transaction: settles its deposits and advances the feed's position. Does
 * nothing when another replica has taken over in the meantime.
 * @returns whether the position advanced
 */
const processPage = (dependencies: Dependencies, from: number, page: DepositPage): Promise<boolean> =>
  dependencies.db.transaction(async (tx) => {
    if (!(await advanceFeed(tx, { holder: dependencies.holder, from, to: page.next }))) return false
    await settleDeposits(tx, dependencies, newEntries(page, from))
    return true
  })

/**
 * Reads one page of the chain's feed of deposits from its stored position, under the lease of `holder`. The position
 * advances in the transaction that stores the deposits, so that none is skipped or counted twice after a crash.
 * @returns whether the next page may be available already
 */
export const createPageReading = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  chain: ChainAdapter,
  { holder, ...options }: Options & Readonly<{ holder: string }>,
) => {
  const dependencies = { db, clock, log, holder, ...options }
  return async (signal: AbortSignal): Promise<boolean> => {
    const now = clock.now()
    const claimed = await claimFeed(db, { holder, now, leaseUntil: new Date(now.getTime() + LEASE_MS) })
    if (claimed === null) return false
    const { position } = claimed
    const page = await chain.deposits({ after: position, waitMs: LONG_POLL_MS, signal })
    if (page.next < position) {
      log.warn(
        { event: 'chain.feed_lost', position, next: page.next },
        'The chain feed lost its log: the watches of all open orders are registered again',
      )
      await unwatchAllOrders(db, clock.now())
      options.onWatchesLost()
    }
    if (page.next === position && page.deposits.length === 0) return false
    return processPage(dependencies, position, page)
  }
}

/** Reads the chain's feed of deposits, one replica at a time. */
export const startChainWatcher = (context: ServiceContext, chain: ChainAdapter, options: Options): Loop => {
  const { clock, db, log } = context
  const holder = randomUUID()
  const renew = () => renewFeed(db, { holder, leaseUntil: new Date(clock.nowMs() + LEASE_MS) })
  const readOnce = createPageReading(context, chain, { ...options, holder })
  const loop = startLoop({
    name: 'chain-watcher',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await whileRenewing(renew, log, () => readOnce(signal))));
    },
  })
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await releaseFeed(db, { holder }).catch((error: unknown) =>
        log.warn(
          { event: 'chain.lease_not_released', error },
          'Lease of the chain feed not released; it expires on its own',
        ),
      )
    },
  }
}
