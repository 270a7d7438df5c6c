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
/** How often the server is told that messages are still worked on; well within their acknowledgement wait. */
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

/** Runs batches of what has arrived, at most `concurrency` at once. */
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
            'Events could not be handled; they come again',
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

/**
 * Reads a durable consumer in batches, acknowledging after the handler has committed (see {@link handleBatch}).
 * It waits for a consumer that does not exist yet. `stop` waits for the batches under way, and gives back messages that
 * are not handled yet, for another replica.
 */
export const consume = <Item = Received>(
  bus: Bus,
  options: ConsumeOptions<Item>,
): { stop: () => Promise<void> } => {
  registerConsumer(bus, options)
  const pump = createPump(options)
  const state: { messages: ConsumerMessages | null } = { messages: null }

  const readUntilGone = async (signal: AbortSignal) => {
    const consumer = await findConsumer(bus, options)
    signal.throwIfAborted()
    const messages = await consumer.consume({
      max_messages: options.batch * 2,
      expires: PULL_EXPIRES_MS,
      idle_heartbeat: HEARTBEAT_MS,
      callback: pump.push,
    })
    state.messages = messages
    if (signal.aborted) messages.stop()
    await Promise.race([messages.closed(), untilGone(messages)])
    messages.stop()
  }
  const loop = startLoop({
    name: options.durable,
    everyMs: REOPEN_MS,
    restMs: 0,
    log: options.log,
    isExpected: isAbsent,
    run: readUntilGone,
  })
  return {
    async stop() {
      const stopped = loop.stop()
      await pump.finish()
      state.messages?.stop()
      await stopped
    },
  }
}
