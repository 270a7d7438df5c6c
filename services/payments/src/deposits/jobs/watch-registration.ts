import { metrics, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { MAX_WATCHES_PER_CALL, RailError, type ChainAdapter, type WatchEntry } from '@causeway/rails'
import { forgetUnwatched, postponeUnwatched, takeUnwatched } from '../unwatched-store.ts'

const EVERY_MS = 1_000
/** So much time collects new orders into one call. */
const REST_MS = 50
const REFUSED_FOR_MS = 60_000

const refused = metrics.counter(
  'causeway_chain_watches_refused_total',
  'Orders that the chain would not watch',
)

/**
 * Asks the chain to watch the addresses of new orders. Every replica does so, woken by the orders it mints and else
 * once a second: telling the chain twice changes nothing, and an order is forgotten here only after it was told.
 */
export const startWatchRegistration = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  chain: ChainAdapter,
): Loop => {
  const tell = async (entries: readonly WatchEntry[], signal: AbortSignal): Promise<void> => {
    await chain.watch(entries, signal)
    await forgetUnwatched(
      db,
      entries.map((entry) => entry.orderId),
    )
  }
  const tellOneByOne = async (entries: readonly WatchEntry[], signal: AbortSignal): Promise<void> => {
    for (const entry of entries)
      try {
        await tell([entry], signal)
      } catch (error) {
        if (!(error instanceof RailError) || error.retryable) throw error
        refused.inc()
        log.error({ error, orderId: entry.orderId }, 'The chain refuses to watch the address of an order')
        await postponeUnwatched(db, entry.orderId, new Date(clock.nowMs() + REFUSED_FOR_MS))
      }
  }
  return startLoop({
    name: 'watch-registration',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    run: async (signal) => {
      for (let isMore = true; isMore && !signal.aborted;) {
        const entries = await takeUnwatched(db, clock.now(), MAX_WATCHES_PER_CALL)
        if (entries.length === 0) return
        try {
          await tell(entries, signal)
        } catch (error) {
          if (!(error instanceof RailError) || error.retryable) throw error
          await tellOneByOne(entries, signal)
        }
        isMore = entries.length === MAX_WATCHES_PER_CALL
      }
    },
  })
}
