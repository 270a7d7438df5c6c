import { CONSUMERS, EVENT_STREAM } from '@causeway/contracts'
import {
  AckPolicy,
  DeliverPolicy,
  type Consumer,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream'
import type { Bus } from './connect.ts'
import type { ConsumeOptions } from './consume-options.ts'
import { handleBatch } from './handle-batch.ts'
import { ensureEventStream } from './stream.ts'

const ACK_WAIT_MS = 30_000
const REOPEN_MS = 500
const NANOSECONDS_PER_MS = 1_000_000
const GONE = new Set(['consumer_not_found', 'stream_not_found', 'consumer_deleted'])

const ensureConsumer = async (bus: Bus, options: ConsumeOptions): Promise<Consumer> => {
  await ensureEventStream(bus)
  const manager = await bus.jetstreamManager()
  await manager.consumers.add(EVENT_STREAM, {
    durable_name: options.durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOSECONDS_PER_MS,
    max_ack_pending: Math.max(1_000, options.batch * 8),
    filter_subjects: [...(CONSUMERS[options.service][options.durable] ?? [])],
  })
  return bus.jetstream.consumers.get(EVENT_STREAM, options.durable)
}

/** Ends when the server says that the consumer or its stream is gone, as after a restart without its data. */
const untilGone = async (messages: ConsumerMessages): Promise<void> => {
  for await (const status of messages.status()) if (GONE.has(status.type)) return
}

/** Runs batches of what has arrived, at most `concurrency` at once. */
const createPump = (options: ConsumeOptions) => {
  const queue: JsMsg[] = []
  const running = new Set<Promise<void>>()
  let isDue = false
  const pump = () => {
    isDue = false
    while (queue.length > 0 && running.size < (options.concurrency ?? 1)) {
      const work = handleBatch(queue.splice(0, options.batch), options)
        .catch((error: unknown) => {
          options.log.error({ error }, 'Events could not be handled; they come again')
        })
        .finally(() => {
          running.delete(work)
          pump()
        })
      running.add(work)
    }
  }
  return {
    /** What arrives in one turn of the event loop makes one batch. */
    push: (message: JsMsg) => {
      queue.push(message)
      if (!isDue) setImmediate(pump)
      isDue = true
    },
    async finish() {
      queue.length = 0
      await Promise.all(running)
    },
  }
}

/**
 * Reads a durable consumer in batches, acknowledging after the handler has committed (see {@link handleBatch}).
 * A consumer that the server no longer knows is made again. `stop` waits for the batches under way; what has
 * arrived and is not handled yet comes again to another replica.
 */
export const consume = (bus: Bus, options: ConsumeOptions): { stop: () => Promise<void> } => {
  const pump = createPump(options)
  const state: { stopped: boolean; messages: ConsumerMessages | null } = { stopped: false, messages: null }

  const readUntilGone = async () => {
    const consumer = await ensureConsumer(bus, options)
    if (state.stopped) return
    const messages = await consumer.consume({ max_messages: options.batch * 2, callback: pump.push })
    state.messages = messages
    await Promise.race([messages.closed(), untilGone(messages)])
    messages.stop()
  }
  const loop = async () => {
    while (!state.stopped) {
      try {
        await readUntilGone()
      } catch (error) {
        options.log.warn({ error, durable: options.durable }, 'The event stream cannot be read; trying again')
      }
      await new Promise((resolve) => setTimeout(resolve, REOPEN_MS))
    }
  }
  const looping = loop()
  return {
    async stop() {
      state.stopped = true
      state.messages?.stop()
      await pump.finish()
      await looping
    },
  }
}
