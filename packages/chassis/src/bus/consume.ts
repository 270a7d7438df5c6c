import { EVENT_STREAM } from '@causeway/contracts'
import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoop } from '../loop.ts'
import type { Bus } from './connect.ts'
import { registerConsumer } from './consumers.ts'
import type { ConsumeOptions, Received } from './consume-options.ts'
import { handleBatch } from './handle-batch.ts'
import { isAbsent, readEventStream } from './stream.ts'

const REOPEN_MS = 500
/**
 * How long one pull request waits at the server. Across accounts the server does not notice that its subscription has
 * ended (nats-server 2.14): messages for it are delivered again only after their acknowledgement wait.
 */
const PULL_EXPIRES_MS = 2_000
/** After two that did not come the client pulls again: the server that had the pull may be gone. */
const HEARTBEAT_MS = 500
/** Interval at which pending messages are reported as in progress; well within their acknowledgement wait. */
const WORKING_EVERY_MS = 1_000
/** A subscription ends once nothing has arrived for this long: the client pulls again only when something arrives. */
const QUIET_MS = 50
const MAX_WAIT_FOR_QUIET_MS = 500
const GONE = new Set(['consumer_not_found', 'stream_not_found', 'consumer_deleted'])

const findConsumer = async (bus: Bus, options: Pick<ConsumeOptions, 'durable'>): Promise<Consumer> => {
  await readEventStream(bus)
  return bus.jetstream.consumers.get(EVENT_STREAM, options.durable)
}

/** Resolves when the server reports that the consumer or its stream is gone, as after a restart without its data. */
const untilGone = async (messages: ConsumerMessages): Promise<void> => {
  for await (const status of messages.status()) if (GONE.has(status.type)) return
}

/** Runs batches of the messages that arrived, at most `concurrency` concurrently. */
const createPump = <Item>(options: ConsumeOptions<Item>) => {
  const queue: JsMsg[] = []
  const running = new Map<Promise<void>, readonly JsMsg[]>()
  let isDue = false
  let isFinished = false
  let arrivedAtMs = 0
  const pump = () => {
    isDue = false
    while (queue.length > 0 && running.size < (options.concurrency ?? 1)) {
      const batch = queue.splice(0, options.batch)
      const work = handleBatch(batch, options)
        .catch((error: unknown) => {
          options.log.error(
            { event: 'event.batch_failed', error },
            'Events could not be handled; they are redelivered',
          )
        })
        .finally(() => {
          running.delete(work)
          pump()
        })
      running.set(work, batch)
    }
  }
  const timer = setInterval(() => {
    for (const message of [...queue, ...[...running.values()].flat()]) message.working()
  }, WORKING_EVERY_MS)
  return {
    /** Messages of one turn of the event loop make one batch. */
    push: (message: JsMsg) => {
      arrivedAtMs = performance.now()
      if (isFinished) {
        message.nak()
        return
      }
      queue.push(message)
      if (!isDue) setImmediate(pump)
      isDue = true
    },
    /** Gives back queued and late messages. @returns once nothing arrives any more, at most 500 ms later */
    async finish() {
      isFinished = true
      for (const message of queue.splice(0)) message.nak()
      const endsAtMs = performance.now() + MAX_WAIT_FOR_QUIET_MS
      while (performance.now() < Math.min(arrivedAtMs + QUIET_MS, endsAtMs)) await sleep(QUIET_MS)
      await Promise.all(running.keys())
      clearInterval(timer)
    },
  }
}

/** One subscription to a consumer, until it is finished. */
type Reading = Readonly<{ ended: Promise<unknown>; finish: () => Promise<void> }>

const startReading = async <Item>(bus: Bus, options: ConsumeOptions<Item>): Promise<Reading> => {
  const pump = createPump(options)
  try {
    const consumer = await findConsumer(bus, options)
    const messages = await consumer.consume({
      max_messages: options.batch * 2,
      expires: PULL_EXPIRES_MS,
      idle_heartbeat: HEARTBEAT_MS,
      callback: pump.push,
    })
    let finishing: Promise<void> | undefined
    const finish = async () => {
      await pump.finish()
      messages.stop()
    }
    return {
      ended: Promise.race([messages.closed(), untilGone(messages)]),
      finish: () => (finishing ??= finish()),
    }
  } catch (error) {
    await pump.finish()
    throw error
  }
}

/**
 * Reads a durable consumer in batches, acknowledging after the handler has committed (see {@link handleBatch}).
 * It waits for a consumer that does not exist yet, and reads on over new connections when the process moves there. `stop`
 * waits for the batches under way, and gives back messages that are not handled yet, for another replica.
 */
export const consume = <Item = Received>(
  bus: Bus,
  options: ConsumeOptions<Item>,
): { stop: () => Promise<void> } => {
  registerConsumer(bus, options)
  const readings = new Set<Reading>()
  let leave = () => {}

  const finish = async (reading: Reading) => {
    await reading.finish()
    readings.delete(reading)
  }
  const readUntilGone = async (signal: AbortSignal) => {
    const left = new Promise<void>((resolve) => (leave = resolve))
    const reading = await startReading(bus, options)
    readings.add(reading)
    if (!signal.aborted) await Promise.race([reading.ended, left])
    // A reading over new connections begins meanwhile.
    void finish(reading)
  }
  const loop = startLoop({
    name: options.durable,
    everyMs: REOPEN_MS,
    restMs: 0,
    log: options.log,
    isExpected: isAbsent,
    run: readUntilGone,
  })
  const finishAll = async () => {
    leave()
    await Promise.all([...readings].map(finish))
  }
  const stayHere = bus.onSwitched(async () => {
    loop.wake()
    await finishAll()
  })
  return {
    async stop() {
      stayHere()
      const stopped = loop.stop()
      await finishAll()
      await stopped
      await finishAll()
    },
  }
}
