import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { ChainAdapter } from '@causeway/rails'
import { randomUUID } from 'node:crypto'
import type { Tolerance } from '../settlement.ts'
import { claimFeed, releaseFeed } from '../chain-feed-store.ts'
import { watchAllAgain } from '../unwatched-store.ts'
import { takeIn } from '../intake.ts'

const LONG_POLL_MS = 3_000
/** Longer than a long poll and what follows it; another replica takes over so long after this one's death. */
const LEASE_MS = 8_000
/** Pause after an empty page, so that a feed that never waits is not asked without end, and between tries to take over. */
const EVERY_MS = 200

type Options = Readonly<{ tolerance: Tolerance; publicBaseUrl: string; onWatchesLost: () => void }>

/**
 * Reads the chain's feed of deposits from where it was left, one replica at a time under a lease. The position is
 * kept with what was read, so that nothing is skipped or counted twice whatever is killed when.
 */
export const startChainWatcher = (context: ServiceContext, chain: ChainAdapter, options: Options): Loop => {
  const { db, clock, log } = context
  const holder = randomUUID()
  const intake = { db, clock, log, holder, ...options }

  /** @returns whether there may be more at once */
  const readOnce = async (signal: AbortSignal): Promise<boolean> => {
    const position = await claimFeed(db, holder, clock.now(), LEASE_MS)
    if (position === null) return false
    const page = await chain.deposits({ after: position, waitMs: LONG_POLL_MS, signal })
    if (page.next < position) {
      log.warn(
        { position, next: page.next },
        'The chain feed lost its log: every open order is watched again',
      )
      await watchAllAgain(db, clock.now())
      options.onWatchesLost()
    }
    if (page.next === position && page.deposits.length === 0) return false
    return takeIn(intake, position, page)
  }
  const loop = startLoop({
    name: 'chain-watcher',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await readOnce(signal)));
    },
  })
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await releaseFeed(db, holder).catch((error: unknown) =>
        log.warn({ error }, 'The lease of the chain feed stays until it ends'),
      )
    },
  }
}
