import pRetry from 'p-retry'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { metrics } from '../metrics.ts'
import type { Bus } from './connect.ts'
import { keepStreams, type StreamBounds, type StreamUse } from './streams.ts'

const LOOK_EVERY_MS = 15_000
const RETRY_MS = 200
const START_TIMEOUT_MS = 20_000
/** Share of its limit from which on a warning is logged, well before a stream refuses messages. */
const FILLING_SHARE = 0.7

const used = metrics.gauge('causeway_stream_bytes', 'Bytes that a stream holds', ['stream'])
const limit = metrics.gauge('causeway_stream_limit_bytes', 'Bytes that a stream may hold', ['stream'])

const report = (log: Logger, { stream, bytes, maxBytes }: StreamUse): void => {
  used.set({ stream }, bytes)
  limit.set({ stream }, maxBytes)
  const share = Math.round((bytes / maxBytes) * 100) / 100
  if (share >= FILLING_SHARE)
    log.warn({ event: 'stream.filling', stream, bytes, maxBytes, share }, 'A stream fills up')
}

/**
 * Creates the streams and consumers and watches how full they are. In the gateway alone: whoever may configure a
 * consumer decides where the server sends its events, so no service may (ADR 0030).
 *
 * @throws when they cannot be created within 20 s
 */
export const startStreamKeeper = async (
  parts: Readonly<{ bus: Bus; log: Logger; bounds: StreamBounds; everyMs?: number }>,
): Promise<{ stop: () => Promise<void> }> => {
  const { bus, log, bounds } = parts
  const keep = async () => {
    for (const use of await keepStreams(await bus.jetstreamManager(), bounds)) report(log, use)
  }
  await pRetry(keep, { retries: Infinity, factor: 1, minTimeout: RETRY_MS, maxRetryTime: START_TIMEOUT_MS })
  const loop = startLoop({
    name: 'stream-keeper',
    everyMs: parts.everyMs ?? LOOK_EVERY_MS,
    restMs: RETRY_MS,
    log,
    run: async () => {
      if (bus.connected()) await keep()
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
