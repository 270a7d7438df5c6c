import { inboxPrefix } from '@causeway/contracts'
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'
import pRetry from 'p-retry'
import type { Logger } from '../log.ts'
import { NotDoneError } from '../outcome.ts'
import { sequenceOf } from './acknowledgement.ts'
import { keepSubscription, type KeptSubscription } from './kept-subscription.ts'
import { createRequestClient, type RequestClient } from './request-client.ts'
import type { BusKeys } from './keys.ts'
import { createSealer, type Seal } from './seal.ts'
import { createSender, type Sender } from './sender.ts'
import { serverAddress, userOf, type BusTls } from './server-address.ts'

/** A process's connection to the bus. Only chassis sees the client behind it. */
export type Bus = Readonly<{
  /** Connection for requests and nudges; `jetstream` and `publishEvent` may use another one. */
  connection: NatsConnection
  jetstream: JetStreamClient
  jetstreamManager(): Promise<JetStreamManager>
  connected(): boolean
  ask: RequestClient['ask']
  send: Sender['send']
  /** Seals a request: its receiver alone accepts it, as one of this process. */
  seal: Seal
  /** A hint to other processes on core NATS. It may get lost: a poll finds the same later. */
  nudge(subject: string): void
  onNudge(subject: string, listener: () => void): { unsubscribe: () => void }
  /** Publishes to the stream and waits for its acknowledgement. @returns the stream's sequence */
  publishEvent(subject: string, payload: string, eventId: string, traceparent: string | null): Promise<number>
  /** Receives requests as a member of a service's queue group; renewed while NATS refuses it. */
  receive(subject: string, queue: string, listener: (message: Msg) => void): KeptSubscription
  /** Subjects whose requests do not arrive here, because NATS refuses them to this process. */
  refusedSubjects(): readonly string[]
  onReconnected(listener: () => void): () => void
  onDraining(work: () => Promise<void>): void
  /** Stops accepting requests and waits for those in flight; this process can still send requests. */
  drainRequests(): Promise<void>
  close(): Promise<void>
}>

export type BusOptions = Readonly<{
  /** `nats://` or `tls://`, with user and password. */
  url: string
  /** Name of the process: part of its seals and of its inbox. */
  name: string
  log: Logger
  /** For `tls://`. */
  tls?: BusTls | undefined
  /** User for the stream and documents, with the same password; left out: the user of `url`. */
  streamUser?: string | undefined
  /** Keys for sealing requests; left out: this process sends none. */
  keys?: Pick<BusKeys, 'self' | 'sealing'>
  connectTimeoutMs?: number
  /** Timeout of requests to the stream; left out: 5 s, after which a relay publishes again. */
  streamTimeoutMs?: number
  /** What this timeout is multiplied by; left out: 1. */
  timeoutFactor?: number
}>

const STREAM_TIMEOUT_MS = 5_000
const LOG_EVERY_MS = 5_000
const CONNECT_TIMEOUT_MS = 20_000
const RETRY_MS = 200
const NO_KEYS = { self: 'gateway', sealing: new Map() } as const

/** Logs that NATS is away, at most every five seconds. */
const createAwayLog = (log: Logger) => {
  let loggedAtMs = Number.NEGATIVE_INFINITY
  return (error: unknown) => {
    if (performance.now() - loggedAtMs < LOG_EVERY_MS) return
    loggedAtMs = performance.now()
    log.warn({ event: 'bus.waiting', error }, 'NATS is away; this process waits for it')
  }
}

const open = async (options: BusOptions, user?: string): Promise<NatsConnection> => {
  const { label, ...server } = serverAddress(options.url, options.tls, user)
  const dial = () =>
    connect({
      ...server,
      name: options.name,
      inboxPrefix: inboxPrefix(options.name),
      noAsyncTraces: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS,
      ignoreAuthErrorAbort: true,
      pingInterval: 5_000,
      maxPingOut: 2,
    })
  const waiting = createAwayLog(options.log)
  const maxRetryTime = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
  try {
    return await pRetry(dial, {
      retries: Infinity,
      factor: 1,
      minTimeout: RETRY_MS,
      maxRetryTime,
      onFailedAttempt: ({ error }) => waiting(error),
    })
  } catch (error) {
    throw new Error(
      `NATS_URL: no connection to ${label}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The connections of a process: for requests and nudges, and for the stream. One connection where the user is the same. */
const openAll = async (options: BusOptions) => {
  const { streamUser } = options
  const connection = await open(options)
  const isApart = streamUser !== undefined && streamUser !== userOf(options.url)
  const stream = isApart ? await open(options, streamUser) : connection
  return { connection, stream, all: isApart ? [connection, stream] : [connection] }
}

/** Hints between processes on core NATS. */
const createNudges = (
  connection: NatsConnection,
  connected: () => boolean,
  log: Logger,
): Pick<Bus, 'nudge' | 'onNudge'> => {
  const self = randomUUID()
  return {
    nudge(subject) {
      if (connected() && !connection.isClosed()) connection.publish(subject, self)
    },
    onNudge(subject, listener) {
      const receive = (message: Msg) => {
        // A process ignores its own nudges: it has done the work that they hint at.
        if (message.string() !== self) listener()
      }
      const subscription = keepSubscription(connection, subject, { receive, log })
      return { unsubscribe: () => void subscription.drain() }
    },
  }
}

/** Connects a process as its own NATS user. @throws an error that names NATS_URL when no server answers in time */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const { connection, stream, all } = await openAll(options)
  const inbox = inboxPrefix(options.name)
  const sender = createSender(connection, options.log)
  const client = createRequestClient(connection, sender, inbox)
  const streamSender = stream === connection ? sender : createSender(stream, options.log)
  const publisher = stream === connection ? client : createRequestClient(stream, streamSender, inbox)
  const timeout = (options.streamTimeoutMs ?? STREAM_TIMEOUT_MS) * (options.timeoutFactor ?? 1)
  const js = jetstream(stream, { timeout })
  const listeners = new Set<() => void>()
  const draining: (() => Promise<void>)[] = []
  const receiving: KeptSubscription[] = []
  const away = new Set<NatsConnection>()
  for (const one of all)
    void watch(one, options.log, (state) => {
      if (state) away.delete(one)
      else {
        away.add(one)
        // No answer can come any more: it would go to the connection that has ended.
        if (one === connection) client.loseAll()
        if (one === stream) publisher.loseAll()
      }
      if (away.size === 0) for (const listener of listeners) listener()
    })
  const connected = () => !away.has(connection)

  return {
    connection,
    jetstream: js,
    jetstreamManager: () => jetstreamManager(stream, { checkAPI: false, timeout }),
    connected,
    ask: client.ask,
    send: sender.send,
    seal: createSealer(options.keys ?? NO_KEYS),
    ...createNudges(connection, connected, options.log),
    async publishEvent(subject, payload, eventId, traceparent) {
      if (away.has(stream)) throw new NotDoneError('The bus is not connected')
      const question = { subject, payload, timeoutMs: timeout, traceparent, eventId }
      return sequenceOf(await publisher.ask(question))
    },
    receive(subject, queue, listener) {
      const kept = keepSubscription(connection, subject, { queue, receive: listener, log: options.log })
      receiving.push(kept)
      return kept
    },
    refusedSubjects: () => receiving.filter(({ isOpen }) => !isOpen()).map(({ subject }) => subject),
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
      streamSender.flush()
      for (const one of all) if (!one.isClosed()) await one.drain()
      client.loseAll()
      publisher.loseAll()
    },
  }
}

const watch = async (connection: NatsConnection, log: Logger, changed: (connected: boolean) => void) => {
  const waiting = createAwayLog(log)
  for await (const status of connection.status()) {
    if (status.type === 'reconnecting') waiting(undefined)
    else if (status.type === 'disconnect') {
      changed(false)
      log.warn({ event: 'bus.disconnected' }, 'The bus is disconnected')
    } else if (status.type === 'reconnect') {
      changed(true)
      log.info({ event: 'bus.reconnected' }, 'The bus is connected again')
    } else if (status.type === 'error') {
      log.error({ event: 'bus.error', error: status.error }, 'The bus reported an error')
    }
  }
}
