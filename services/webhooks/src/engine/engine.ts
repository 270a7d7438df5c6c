import { consume, type ServiceContext } from '@causeway/chassis'
import { DESTINATIONS_CHANGED_SUBJECT } from '@causeway/contracts'
import { createConnect, type Network } from '../connect-guard/connect.ts'
import { Lanes } from '../sending/destination-queues.ts'
import { RunningTime } from '../sending/active-time.ts'
import type { Channel } from '../destinations/destination.ts'
import type { ChannelPolicy } from '../sending/retry-schedule.ts'
import { Agenda } from './slow-path/due-index.ts'
import { FastPath } from './fast-path/take-events.ts'
import { startPurge } from '../destinations/purge-job.ts'
import { Registry } from './destination-registry.ts'
import { openBody } from './sealed-body.ts'
import { SlowPath } from './slow-path/claim-due.ts'
import { Writer } from './record/writer.ts'

/** What operations need of the engine. */
export type Engine = Readonly<{
  /** After a change of any destination: this process knows it on return, the others before they send again. */
  destinationsChanged: () => Promise<void>
  /** A delivery is due now. */
  due: (destinationId: string) => void
  stop: () => Promise<void>
}>

type EngineOptions = Readonly<{
  context: ServiceContext
  network: Network
  policies: Readonly<Record<Channel, ChannelPolicy>>
}>

/** Many calls at once, for a batch lasts as long as its slowest event; the fast path has a window of its own. */
const BATCH = 256
const CONCURRENCY = 256
/** Behind the nudge, in case it is lost. */
const REFRESH_MS = 1_000

/** Follows the registry's table: read once before anything is sent, then on a nudge and on a slow poll. */
const follow = async (
  { bus }: ServiceContext,
  registry: Registry,
  unread: (error: unknown) => void,
): Promise<() => void> => {
  const refresh = () => void registry.refresh().catch(unread)
  await registry.refresh()
  const nudges = bus.onNudge(DESTINATIONS_CHANGED_SUBJECT, refresh)
  const timer = setInterval(refresh, REFRESH_MS)
  return () => {
    clearInterval(timer)
    nudges.unsubscribe()
  }
}

/** Starts the delivery engine: destinations in memory, events from the stream, due rows from the database. */
export const startEngine = async ({ context, network, policies }: EngineOptions): Promise<Engine> => {
  const { db, bus, clock, log, vault, eventSeals } = context
  const agenda = new Agenda()
  const running = new RunningTime()
  const lanes = new Lanes({
    connect: createConnect(network),
    clock,
    destinationOf: (id) => registry.get(id),
    running,
  })
  const registry: Registry = new Registry({ db, vault, log, policies, onRemoved: (id) => lanes.forget(id) })
  const writer = new Writer(db, clock, agenda)
  const parts = { db, clock, log, vault, registry, lanes, running, agenda, writer }
  const unread = (error: unknown) =>
    log.warn({ error }, 'The destinations could not be read; the next poll tries again')
  const unfollow = await follow(context, registry, unread)
  const fastPath = new FastPath(parts)
  const forgetReconnects = bus.onReconnected(() => fastPath.doubt())
  const slowPath = new SlowPath(parts)
  const purge = startPurge(context)
  const stream = consume(bus, {
    service: 'webhooks',
    durable: 'webhooks-fanout',
    batch: BATCH,
    concurrency: CONCURRENCY,
    db,
    clock,
    log,
    open: (received) => openBody(eventSeals, received),
    handle: (received) => fastPath.accept(received.map((entry) => entry.event)),
  })
  return {
    async destinationsChanged() {
      // The change is committed: who made it must hear so, even if this process has to wait for its next poll.
      await registry.refresh().catch(unread)
      bus.nudge(DESTINATIONS_CHANGED_SUBJECT)
    },
    due: (destinationId) => agenda.add(1, destinationId, clock.nowMs()),
    async stop() {
      unfollow()
      forgetReconnects()
      await stream.stop()
      await purge.stop()
      lanes.stopStarting()
      await slowPath.stop()
      await fastPath.stop()
      await writer.settled()
      running.stop()
      lanes.disconnect()
    },
  }
}
