import { metrics, startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { ChainAdapter, WatchEntry } from '@causeway/rails/chains'
import { MAX_WATCHES_PER_CALL } from '@causeway/rails/sandbox'
import {
  deleteUnwatchedOrders,
  listUnwatchedOrders,
  postponeUnwatchedOrder,
} from '../unwatched-orders-store.ts'

const EVERY_MS = 1_000
/** How long new orders are collected before each call. */
const REST_MS = 50
const POSTPONED_FOR_MS = 60_000

const refused = metrics.counter(
  'causeway_chain_watches_refused_total',
  'Orders whose address the chain refused to watch',
)

const isFinal = (error: unknown): boolean => error instanceof RailError && !error.retryable

type Options = Readonly<{
  /** The sandbox's chain; null where every network has nodes. */
  chain: Pick<ChainAdapter, 'watch'> | null
  /** Networks whose deposits are found in their blocks, without registration. */
  readNetworks: ReadonlySet<Network>
  /** Orders of those networks are new. */
  onRead: (entries: readonly WatchEntry[]) => Promise<void>
}>

/**
 * Registers the addresses of new orders with the sandbox's chain. Every replica does so, woken by its own new orders and
 * at least once a second: registering twice changes nothing, and an order leaves `unwatched_orders` only after the chain
 * has accepted it.
 */
export const startWatchRegistration = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  { chain, readNetworks, onRead }: Options,
): Loop => {
  const register = async (entries: readonly WatchEntry[], signal: AbortSignal): Promise<void> => {
    const watched = entries.filter(({ network }) => !readNetworks.has(network))
    if (watched.length > 0) await chain?.watch(watched, signal)
    if (watched.length < entries.length)
      await onRead(entries.filter(({ network }) => readNetworks.has(network)))
    await deleteUnwatchedOrders(db, { orderIds: entries.map((entry) => entry.orderId) })
  }
  /** Registers the entries of a refused call one by one, and postpones those that are refused again. */
  const registerOneByOne = async (entries: readonly WatchEntry[], signal: AbortSignal): Promise<void> => {
    for (const entry of entries)
      try {
        await register([entry], signal)
      } catch (error) {
        if (!isFinal(error)) throw error
        const { orderId } = entry
        refused.inc()
        log.error(
          { event: 'chain.watch_refused', error, orderId },
          'Chain refused to watch the address of an order',
        )
        await postponeUnwatchedOrder(db, { orderId, until: new Date(clock.nowMs() + POSTPONED_FOR_MS) })
      }
  }
  return startLoop({
    name: 'watch-registration',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    run: async (signal) => {
      for (let isMore = true; isMore && !signal.aborted;) {
        const entries = await listUnwatchedOrders(db, { now: clock.now(), limit: MAX_WATCHES_PER_CALL })
        if (entries.length === 0) return
        try {
          await register(entries, signal)
        } catch (error) {
          if (!isFinal(error)) throw error
          await registerOneByOne(entries, signal)
        }
        isMore = entries.length === MAX_WATCHES_PER_CALL
      }
    },
  })
}
