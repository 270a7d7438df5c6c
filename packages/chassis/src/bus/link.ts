import {
  alternateUserOf,
  inboxPrefix,
  isAlternateUser,
  refusedReplySubject,
  SENDERS,
  type SenderName,
} from '@causeway/contracts'
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { connect, PermissionViolationError, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Logger } from '../log.ts'
import { keepSubscription, type KeptSubscription } from './kept-subscription.ts'
import type { BusKeys } from './keys.ts'
import { createRequestClient, type Answer, type Question, type RequestClient } from './request-client.ts'
import { createSender } from './sender.ts'
import { createSentReplies } from './sent-replies.ts'
import { serverAddress, userOf, type BusTls } from './server-address.ts'

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
  /** Factor of this timeout; left out: 1. */
  timeoutFactor?: number
}>

/** Takes a message; `answer` sends on the connection that it came on. Settles when it is dealt with. */
export type Receive = (message: Msg, answer: (payload: string) => void) => Promise<void> | void

/** The connections of a process as one user: for requests and nudges, and for the stream. */
export type Link = Readonly<{
  connection: NatsConnection
  jetstream: JetStreamClient
  jetstreamManager: () => Promise<JetStreamManager>
  isConnected: () => boolean
  hasStream: () => boolean
  ask: RequestClient['ask']
  /** Sends an event to the stream. */
  publish: (question: Omit<Question, 'timeoutMs'>) => Promise<Answer>
  subscribe: (subject: string, receive: Receive, queue?: string) => KeptSubscription
  flush: () => Promise<void>
  /** Resolves once all that was received here is dealt with, and all that was sent from here is answered. */
  whenIdle: () => Promise<void>
  close: () => Promise<void>
}>

const STREAM_TIMEOUT_MS = 5_000
const LOG_EVERY_MS = 5_000
const CONNECT_TIMEOUT_MS = 20_000
const RETRY_MS = 200
const IDLE_POLL_MS = 20

/** Logs that NATS is unavailable, at most every five seconds. */
const createAwayLog = (log: Logger) => {
  let loggedAtMs = Number.NEGATIVE_INFINITY
  return (error: unknown) => {
    if (performance.now() - loggedAtMs < LOG_EVERY_MS) return
    loggedAtMs = performance.now()
    log.warn({ event: 'bus.waiting', error }, 'NATS is unavailable; this process waits for it')
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
      `NATS_URL: cannot connect to ${label}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** One connection where the user of the stream is the same. The stream user of the alternate user is an alternate too. */
const openAll = async (options: BusOptions) => {
  const user = userOf(options.url)
  const { streamUser = user } = options
  const connection = await open(options)
  if (streamUser === user) return { connection, stream: connection, all: [connection] }
  const named = isAlternateUser(user) ? alternateUserOf(streamUser) : streamUser
  try {
    const stream = await open(options, named)
    return { connection, stream, all: [connection, stream] }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Opens the connections of a process as one user. @param changed called when all of them are connected again */
export const openLink = async (options: BusOptions, changed: (link: Link) => void): Promise<Link> => {
  const { connection, stream, all } = await openAll(options)
  const inbox = inboxPrefix(options.name)
  const sender = createSender(connection, options.log)
  const client = createRequestClient(connection, sender, inbox)
  const streamSender = stream === connection ? sender : createSender(stream, options.log)
  const publisher = stream === connection ? client : createRequestClient(stream, streamSender, inbox)
  const timeoutMs = (options.streamTimeoutMs ?? STREAM_TIMEOUT_MS) * (options.timeoutFactor ?? 1)
  const received = new Set<Promise<void>>()
  const away = new Set<NatsConnection>()
  const replies = createSentReplies(connection, sender, options.name)
  const answer = (message: Msg) => (payload: string) => {
    if (message.reply) replies.send(message.reply, payload)
  }
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    sender.flush()
    streamSender.flush()
    for (const one of all) if (!one.isClosed()) await one.drain()
    client.loseAll()
    publisher.loseAll()
  }
  const link: Link = {
    connection,
    jetstream: jetstream(stream, { timeout: timeoutMs }),
    jetstreamManager: () => jetstreamManager(stream, { checkAPI: false, timeout: timeoutMs }),
    isConnected: () => !away.has(connection),
    hasStream: () => !away.has(stream),
    ask: client.ask,
    publish: (question) => publisher.ask({ ...question, timeoutMs }),
    subscribe: (subject, receive, queue) =>
      keepSubscription(connection, subject, {
        ...(queue === undefined ? {} : { queue }),
        receive(message) {
          const dealing = receive(message, answer(message))
          if (dealing === undefined) return
          received.add(dealing)
          void dealing.finally(() => received.delete(dealing))
        },
        log: options.log,
      }),
    async flush() {
      sender.flush()
      await connection.flush()
    },
    async whenIdle() {
      await Promise.allSettled(received)
      while (!client.isIdle() || !publisher.isIdle()) await sleep(IDLE_POLL_MS)
    },
    close: () => (closing ??= closeAll()),
  }
  if (isSender(options.name))
    keepSubscription(connection, refusedReplySubject(options.name, '*'), {
      receive: ({ subject, data }) => client.settleRefused(subject.slice(subject.lastIndexOf('.') + 1), data),
      log: options.log,
    })
  const resend = (refused: unknown) =>
    refused instanceof PermissionViolationError &&
    refused.operation === 'publish' &&
    replies.resend(refused.subject)
  for (const one of all)
    void watch(one, { log: options.log, resend }, (state) => {
      if (state) away.delete(one)
      else {
        away.add(one)
        // No answer can come any more: it would go to the connection that has ended.
        if (one === connection) client.loseAll()
        if (one === stream) publisher.loseAll()
      }
      if (away.size === 0) changed(link)
    })
  return link
}

type Watching = Readonly<{ log: Logger; resend: (refused: unknown) => boolean }>

const isSender = (name: string): name is SenderName => (SENDERS as readonly string[]).includes(name)

const watch = async (
  connection: NatsConnection,
  { log, resend }: Watching,
  changed: (connected: boolean) => void,
) => {
  const waiting = createAwayLog(log)
  for await (const status of connection.status()) {
    if (status.type === 'reconnecting') waiting(undefined)
    else if (status.type === 'disconnect') {
      changed(false)
      log.warn({ event: 'bus.disconnected' }, 'The bus is disconnected')
    } else if (status.type === 'reconnect') {
      changed(true)
      log.info({ event: 'bus.reconnected' }, 'The bus is connected again')
    } else if (status.type === 'error' && !resend(status.error)) {
      log.error({ event: 'bus.error', error: status.error }, 'The bus reported an error')
    }
  }
}
