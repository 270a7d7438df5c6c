import { EVENT_STREAM, MARK_STREAM, inboxPrefix } from '@causeway/contracts'
import { createRequestClient, type RequestClient } from '../bus/request-client.ts'
import { connectBus, type Bus } from '../bus/connect.ts'
import { createSender } from '../bus/sender.ts'
import { isAbsent } from '../bus/stream.ts'
import { keepStreams, type StreamBounds } from '../bus/streams.ts'
import { createLogger } from '../log.ts'
import { requiredUrl } from './database.ts'
import { sealAsNamed } from './keys.ts'

/** Small, because the server reserves the size limit of a stream. */
const BOUNDS: StreamBounds = { events: 64 * 1_048_576, documents: 64 * 1_048_576, replicas: 1 }

/** Longer than the product's. Tests that crash the server wait for it. */
const STREAM_TIMEOUT_MS = 15_000

const log = createLogger({ service: 'test', level: 'silent' })

/** Address of the test run's NATS server, in this worker's own account. */
export const testNatsUrl = (): string => requiredUrl('CAUSEWAY_TEST_NATS_URL')

/**
 * A connection to the test run's NATS server that sends each request as the caller that it names: sealed with that
 * sender's key, and answered in its inbox.
 */
export const testBus = async (
  url = testNatsUrl(),
  { streamTimeoutMs = STREAM_TIMEOUT_MS }: Readonly<{ streamTimeoutMs?: number }> = {},
): Promise<Bus> => {
  const bus = await connectBus({ url, name: 'test', log, streamTimeoutMs })
  const sender = createSender(bus.connection, log)
  const clients = new Map<string, RequestClient>()
  const clientOf = (name: string): RequestClient => {
    const client = clients.get(name) ?? createRequestClient(bus.connection, sender, inboxPrefix(name))
    clients.set(name, client)
    return client
  }
  return {
    ...bus,
    seal: sealAsNamed(),
    ask: (question) => {
      const sealedBy = /^[a-z]+(?= \d)/.exec(question.payload)?.[0]
      return sealedBy === undefined ? bus.ask(question) : clientOf(sealedBy).ask(question)
    },
    async close() {
      sender.flush()
      await bus.close()
      for (const client of clients.values()) client.loseAll()
    },
  }
}

/** Creates the streams and consumers, as the gateway does. */
export const makeStreams = async (bus: Bus, bounds: Partial<StreamBounds> = {}): Promise<void> => {
  await keepStreams(await bus.jetstreamManager(), { ...BOUNDS, ...bounds })
}

let areMarksOwn = false

/**
 * Replaces the stream of events by an empty one, and once in a test file that of marks: marks that an earlier file of this
 * worker has left, with the clock moved far, would leave no numbers.
 */
export const forgetEvents = async (bus: Bus): Promise<void> => {
  const manager = await bus.jetstreamManager()
  for (const stream of areMarksOwn ? [EVENT_STREAM] : [EVENT_STREAM, MARK_STREAM])
    await manager.streams.delete(stream).catch((error: unknown) => {
      if (!isAbsent(error)) throw error
    })
  areMarksOwn = true
  await makeStreams(bus)
}
