import { inboxPrefix } from '@causeway/contracts'
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'
import type { Logger } from '../log.ts'
import { NotDoneError } from '../outcome.ts'
import { sequenceOf } from './acknowledgement.ts'
import { createAsker, type Asker } from './asker.ts'
import { createSender, type Sender } from './sender.ts'

/** A process's connection to the bus. Only chassis sees the client behind it. */
export type Bus = Readonly<{
  connection: NatsConnection
  jetstream: JetStreamClient
  jetstreamManager(): Promise<JetStreamManager>
  connected(): boolean
  ask: Asker['ask']
  send: Sender['send']
  /** A hint on core NATS to other processes that may get lost; never the only way to learn something. */
  nudge(subject: string): void
  onNudge(subject: string, listener: () => void): { unsubscribe: () => void }
  /** Publishes to the stream and waits for its acknowledgement. @returns the stream's sequence */
  publishEvent(subject: string, payload: string, eventId: string, traceparent: string | null): Promise<number>
  onReconnected(listener: () => void): () => void
  onDraining(work: () => Promise<void>): void
  /** Stops taking requests and lets those under way finish; what this process asks of others still works. */
  drainRequests(): Promise<void>
  close(): Promise<void>
}>

type BusOptions = Readonly<{ url: string; name: string; log: Logger; connectTimeoutMs?: number }>

const PUBLISH_TIMEOUT_MS = 5_000
const RETRY_MS = 200

const open = async (options: BusOptions): Promise<NatsConnection> => {
  const url = new URL(options.url)
  const endsAtMs = performance.now() + (options.connectTimeoutMs ?? 20_000)
  for (;;) {
    try {
      return await connect({
        servers: url.host,
        user: decodeURIComponent(url.username),
        pass: decodeURIComponent(url.password),
        name: options.name,
        inboxPrefix: inboxPrefix(decodeURIComponent(url.username)),
        noAsyncTraces: true,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RETRY_MS,
        ignoreAuthErrorAbort: true,
        pingInterval: 5_000,
        maxPingOut: 2,
      })
    } catch (error) {
      if (performance.now() > endsAtMs)
        throw new Error(
          `NATS_URL: no connection to ${url.host}: ${error instanceof Error ? error.message : String(error)}`,
        )
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Connects a process as its own NATS user. @throws an error that names NATS_URL when no server answers in time */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const connection = await open(options)
  const sender = createSender(connection)
  const user = decodeURIComponent(new URL(options.url).username)
  const asker = createAsker(connection, sender, inboxPrefix(user))
  const js = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS })
  const listeners = new Set<() => void>()
  const draining: (() => Promise<void>)[] = []
  const self = randomUUID()
  let connected = true
  void watch(connection, options.log, (state) => {
    connected = state
    if (state) for (const listener of listeners) listener()
  })

  return {
    connection,
    jetstream: js,
    jetstreamManager: () => jetstreamManager(connection, { checkAPI: false, timeout: PUBLISH_TIMEOUT_MS }),
    connected: () => connected,
    ask: asker.ask,
    send: sender.send,
    nudge(subject) {
      if (connected && !connection.isClosed()) connection.publish(subject, self)
    },
    onNudge(subject, listener) {
      const subscription: Subscription = connection.subscribe(subject, {
        callback: (_, message) => {
          // What this process has nudged about it knows: its own hint would have it look twice.
          if (message.string() !== self) listener()
        },
      })
      return { unsubscribe: () => subscription.unsubscribe() }
    },
    async publishEvent(subject, payload, eventId, traceparent) {
      if (!connected) throw new NotDoneError('The bus is not connected')
      const timeoutMs = PUBLISH_TIMEOUT_MS
      return sequenceOf(await asker.ask({ subject, payload, timeoutMs, traceparent, eventId }))
    },
    onReconnected(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onDraining: (work) => draining.push(work),
    async drainRequests() {
      await Promise.all(draining.map((work) => work()))
      sender.flush()
      await connection.flush()
    },
    async close() {
      sender.flush()
      if (!connection.isClosed()) await connection.drain()
      asker.close()
    },
  }
}

const watch = async (connection: NatsConnection, log: Logger, changed: (connected: boolean) => void) => {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      changed(false)
      log.warn('The bus is disconnected')
    } else if (status.type === 'reconnect') {
      changed(true)
      log.info('The bus is connected again')
    } else if (status.type === 'error') {
      log.error({ error: status.error }, 'The bus reported an error')
    }
  }
}
