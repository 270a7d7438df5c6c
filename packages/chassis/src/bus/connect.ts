import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotDoneError } from '../outcome.ts'
import { sequenceOf } from './acknowledgement.ts'
import type { KeptSubscription } from './kept-subscription.ts'
import { openLink, type BusOptions, type Link, type Receive } from './link.ts'
import type { RequestClient } from './request-client.ts'
import { createSealer, type Seal } from './seal.ts'

/** A process's connection to the bus. Only chassis sees the client behind it. */
export type Bus = Readonly<{
  /** Connection for requests and nudges; `jetstream` and `publishEvent` may use another one. */
  connection: NatsConnection
  jetstream: JetStreamClient
  jetstreamManager(): Promise<JetStreamManager>
  connected(): boolean
  ask: RequestClient['ask']
  /** Seals a request: its receiver alone accepts it, as one of this process. */
  seal: Seal
  /** A hint to other processes on core NATS. It may get lost: a poll finds the same later. */
  nudge(subject: string): void
  onNudge(subject: string, listener: () => void): { unsubscribe: () => void }
  /** Publishes to the stream and waits for its acknowledgement. @returns the stream's sequence */
  publishEvent(subject: string, payload: string, eventId: string, traceparent: string | null): Promise<number>
  /** Receives requests as a member of a service's queue group; renewed while NATS refuses it. */
  receive(subject: string, queue: string, listener: Receive): Pick<KeptSubscription, 'drain'>
  /** Subjects whose requests do not arrive here, because NATS refuses them to this process. */
  refusedSubjects(): readonly string[]
  onReconnected(listener: () => void): () => void
  /**
   * Connects as the user of another URL, and moves there while the former connections still work: requests are received
   * there and sent from there, and the former connections close once what was under way on them is answered.
   * @throws when NATS does not accept the user; nothing has changed then
   */
  switchTo(url: string): Promise<void>
  /** Called when the connections are new. The former ones stay open until the returned promise settles. */
  onSwitched(listener: () => Promise<void>): () => void
  onDraining(work: () => Promise<void>): void
  /** Stops accepting requests and waits for those in flight; this process can still send requests. */
  drainRequests(): Promise<void>
  close(): Promise<void>
}>

const NO_KEYS = { self: 'gateway', sealing: new Map() } as const
/** How long a former connection stays open for answers of the stream that are under way. */
const LINGER_MS = 2_000

/** A subscription that moves to other connections. */
type Moving = { readonly open: (link: Link) => KeptSubscription; current: KeptSubscription }

/** The subscriptions of a process, wherever they are open now. */
const createSubscriptions = (link: () => Link) => {
  const all = new Set<Moving>()
  return {
    add(open: Moving['open']): Moving {
      const moving = { open, current: open(link()) }
      all.add(moving)
      return moving
    },
    drain(moving: Moving): Promise<void> {
      all.delete(moving)
      return moving.current.drain()
    },
    /** Opens each on a second connection. @returns a function that closes the former ones */
    async moveTo(next: Link): Promise<() => Promise<void>> {
      const former = [...all].map((moving) => moving.current)
      for (const moving of all) moving.current = moving.open(next)
      await next.connection.flush()
      return async () => {
        await Promise.all(former.map((each) => each.drain()))
      }
    },
    refused: () => [...all].filter(({ current }) => !current.isOpen()).map(({ current }) => current.subject),
  }
}

/** Hints between processes on core NATS. */
const createNudges = (
  subscriptions: ReturnType<typeof createSubscriptions>,
  link: () => Link,
): Pick<Bus, 'nudge' | 'onNudge'> => {
  const self = randomUUID()
  return {
    nudge(subject) {
      const { connection, isConnected } = link()
      if (isConnected() && !connection.isClosed()) connection.publish(subject, self)
    },
    onNudge(subject, listener) {
      const receive = (message: Msg) => {
        // A process ignores its own nudges: it has done the work that they hint at.
        if (message.string() !== self) listener()
      }
      const moving = subscriptions.add((on) => on.subscribe(subject, receive))
      return { unsubscribe: () => void subscriptions.drain(moving) }
    },
  }
}

/** Connects a process as its own NATS user. @throws an error that names NATS_URL when no server answers in time */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const listeners = new Set<() => void>()
  const switched = new Set<() => Promise<void>>()
  const draining: (() => Promise<void>)[] = []
  const retiring = new Map<Link, Promise<void>>()
  const open = (url: string): Promise<Link> =>
    openLink({ ...options, url }, (opened) => {
      if (opened === link) for (const listener of listeners) listener()
    })
  let link = await open(options.url)
  const subscriptions = createSubscriptions(() => link)

  const retire = async (former: Link, endSubscriptions: () => Promise<void>): Promise<void> => {
    const finishing = [...switched].map((listener) => listener())
    await endSubscriptions()
    await Promise.allSettled(finishing)
    await former.whenIdle()
    await sleep(LINGER_MS, undefined, { ref: false })
    await former.close()
    retiring.delete(former)
  }

  return {
    get connection() {
      return link.connection
    },
    get jetstream() {
      return link.jetstream
    },
    jetstreamManager: () => link.jetstreamManager(),
    connected: () => link.isConnected(),
    ask: (question) => link.ask(question),
    seal: createSealer(options.keys ?? NO_KEYS),
    ...createNudges(subscriptions, () => link),
    async publishEvent(subject, payload, eventId, traceparent) {
      if (!link.hasStream()) throw new NotDoneError('The bus is not connected')
      return sequenceOf(await link.publish({ subject, payload, traceparent, eventId }))
    },
    receive(subject, queue, listener) {
      const moving = subscriptions.add((on) => on.subscribe(subject, listener, queue))
      return { drain: () => subscriptions.drain(moving) }
    },
    refusedSubjects: subscriptions.refused,
    onReconnected(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async switchTo(url) {
      const next = await open(url)
      const endSubscriptions = await subscriptions.moveTo(next)
      const former = link
      link = next
      retiring.set(former, retire(former, endSubscriptions))
    },
    onSwitched(listener) {
      switched.add(listener)
      return () => switched.delete(listener)
    },
    onDraining: (work) => draining.push(work),
    async drainRequests() {
      await Promise.all(draining.map((work) => work()))
      for (const each of [link, ...retiring.keys()]) await each.flush()
    },
    async close() {
      for (const each of [link, ...retiring.keys()]) await each.close()
    },
  }
}
