import { BLOB_STREAM, EVENT_STREAM, MARK_STREAM } from '@causeway/contracts'
import pRetry from 'p-retry'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { metrics } from '../metrics.ts'
import type { Bus } from './connect.ts'
import { createStreamHistory } from './stream-history.ts'
import {
  DUPLICATE_WINDOW_MS,
  keepStreams,
  purgeAcknowledged,
  type ConsumerLag,
  type StreamBounds,
  type StreamUse,
} from './streams.ts'

const LOOK_EVERY_MS = 15_000
const RETRY_MS = 200
/**
 * Acknowledged events stay this long. A server that restarts knows the ids of the duplicate window only of messages that
 * it still has, and relays compare the stream by its newest ones.
 */
const KEEP_ACKNOWLEDGED_MS = 2.5 * DUPLICATE_WINDOW_MS
const START_TIMEOUT_MS = 20_000
/** Share of its limit from which on a warning is logged, well before a stream refuses messages. */
const FILLING_SHARE = 0.7

const used = metrics.gauge('causeway_stream_bytes', 'Bytes that a stream holds', ['stream'])
const limit = metrics.gauge('causeway_stream_limit_bytes', 'Maximum bytes of a stream', ['stream'])
const fullIn = metrics.gauge(
  'causeway_event_stream_full_in_seconds',
  'Seconds until the event stream is full at the growth of the last five minutes; +Inf: it does not grow',
)

const replicas = metrics.gauge('causeway_stream_replicas', 'Configured replicas of a stream', ['stream'])
const current = metrics.gauge(
  'causeway_stream_replicas_current',
  'Servers that hold the whole stream, including its leader',
  ['stream'],
)
const leader = metrics.gauge(
  'causeway_stream_has_leader',
  '1: a stream has a leader elected by a majority of its servers, or its only server runs; 0: it accepts no messages',
  ['stream'],
)
const pending = metrics.gauge(
  'causeway_stream_pending_messages',
  'Messages of the event stream that have not been delivered to a consumer',
  ['consumer'],
)
const unacknowledged = metrics.gauge(
  'causeway_stream_unacknowledged_messages',
  'Messages of the event stream that were delivered to a consumer and are not acknowledged',
  ['consumer'],
)

const report = (log: Logger, { stream, bytes, maxBytes, ...servers }: StreamUse): void => {
  used.set({ stream }, bytes)
  limit.set({ stream }, maxBytes)
  replicas.set({ stream }, servers.replicas)
  current.set({ stream }, servers.current)
  leader.set({ stream }, servers.hasLeader ? 1 : 0)
  const share = Math.round((bytes / maxBytes) * 100) / 100
  if (share >= FILLING_SHARE)
    log.warn({ event: 'stream.filling', stream, bytes, maxBytes, share }, 'A stream is filling up')
}

const reportLag = ({ consumer, ...lag }: ConsumerLag): void => {
  pending.set({ consumer }, lag.pending)
  unacknowledged.set({ consumer }, lag.unacknowledged)
}

/** Nobody answers for the streams. Consumers' figures would be old ones: they are left out until there are new ones. */
const reportAway = (streams: readonly string[]): void => {
  for (const stream of streams) {
    current.set({ stream }, 0)
    leader.set({ stream }, 0)
  }
  pending.reset()
  unacknowledged.reset()
}

/**
 * Creates the streams and consumers, purges what every consumer has acknowledged, and reports how full the streams are,
 * which servers hold them and how far behind their consumers are. Runs in the gateway alone: a process that may configure
 * a consumer decides where the server sends its events, so no service may (ADR 0030).
 *
 * @throws when they cannot be created within 20 s
 */
export const startStreamKeeper = async (
  parts: Readonly<{
    bus: Bus
    log: Logger
    bounds: StreamBounds
    everyMs?: number
    keepAcknowledgedMs?: number
  }>,
): Promise<{ stop: () => Promise<void> }> => {
  const { bus, log, bounds, keepAcknowledgedMs = KEEP_ACKNOWLEDGED_MS } = parts
  const history = createStreamHistory(keepAcknowledgedMs)
  const streams = [EVENT_STREAM, MARK_STREAM, ...(bounds.documents === null ? [] : [BLOB_STREAM])]
  const keep = async () => {
    const manager = await bus.jetstreamManager()
    const { uses, lags } = await keepStreams(manager, bounds)
    for (const use of uses) report(log, use)
    for (const lag of lags) reportLag(lag)
    for (const { lastSeq, bytes, maxBytes } of uses.filter(({ stream }) => stream === EVENT_STREAM)) {
      history.add({ atMs: performance.now(), lastSeq, bytes })
      fullIn.set(history.secondsUntilFull(maxBytes))
    }
    // Of what was published since that look, nothing is purged: a consumer's figures may be older than it.
    await purgeAcknowledged(manager, history.lastSeqBefore(keepAcknowledgedMs)).catch((error: unknown) => {
      log.error(
        { event: 'stream.purge_failed', error },
        'Acknowledged events could not be purged; the next run retries',
      )
    })
  }
  await pRetry(keep, { retries: Infinity, factor: 1, minTimeout: RETRY_MS, maxRetryTime: START_TIMEOUT_MS })
  const loop = startLoop({
    name: 'stream-keeper',
    everyMs: parts.everyMs ?? LOOK_EVERY_MS,
    restMs: RETRY_MS,
    log,
    run: async () => {
      if (!bus.connected()) {
        reportAway(streams)
        return
      }
      try {
        await keep()
      } catch (error) {
        reportAway(streams)
        throw error
      }
    },
  })
  // A server may have restarted without its data.
  const forget = bus.onReconnected(loop.wake)
  return {
    async stop() {
      forget()
      await loop.stop()
    },
  }
}
