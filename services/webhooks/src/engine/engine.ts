import { consume, type ServiceContext } from '@causeway/chassis'
import { DESTINATIONS_CHANGED_SUBJECT } from '@causeway/contracts'
import { createConnect, type Network } from '../connect-guard/connect.ts'
import type { Channel } from '../destinations/domain.ts'
import { startDestinationPurge } from '../destinations/jobs/purge.ts'
import { ActiveTime } from '../sending/active-time.ts'
import { DestinationQueues } from '../sending/destination-queues.ts'
import type { ChannelPolicy } from '../sending/retry-schedule.ts'
import { DestinationRegistry } from './destination-registry.ts'
import { takenEvent } from './fast-path/fan-out.ts'
import { FastPath } from './fast-path/take-events.ts'
import type { Recorder } from './record/record-store.ts'
import { Writer } from './record/writer.ts'
import { openBody } from './sealed-body.ts'
import { SlowPath } from './slow-path/claim-due.ts'
import { DueIndex } from './due-index.ts'

/** The engine's interface for operations. */
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
  record: Recorder
}>

/** Concurrent calls. Many, because a batch takes as long as its slowest event; the fast path limits the events in flight. */
const BATCH = 256
const CONCURRENCY = 256
/** In case a nudge is lost. */
const REFRESH_MS = 1_000

/** Keeps the registry current: read once before anything is sent, then on a nudge and on a slow poll. */
const follow = async (
  { bus }: ServiceContext,
  registry: DestinationRegistry,
  onFailure: (error: unknown) => void,
): Promise<() => void> => {
  const refresh = () => void registry.refresh().catch(onFailure)
  await registry.refresh()
  const nudges = bus.onNudge(DESTINATIONS_CHANGED_SUBJECT, refresh)
  const timer = setInterval(refresh, REFRESH_MS)
  return () => {
    clearInterval(timer)
    nudges.unsubscribe()
  }
}

/**
 * Starts the delivery engine (ADR 0014), two loops over the same destinations in memory:
 *
 * - the fast path takes events from the stream (`fast-path/take-events.ts`), sends first attempts from memory
 *   (`send-first-attempts.ts`), and records events, deliveries and outcomes (`record/`);
 * - the slow path scans what is due (`slow-path/scan-due.ts`), claims it (`claim-due.ts`), sends it
 *   (`send-claimed.ts`), and finishes the leases (`record/`).
 */
export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const { context, network, policies } = options
  const { db, bus, clock, log, vault, eventSeals } = context
  const dueIndex = new DueIndex()
  const activeTime = new ActiveTime()
  const queues = new DestinationQueues({
    connect: createConnect(network),
    clock,
    destinationOf: (id) => registry.get(id),
    activeTime,
  })
  const onDeleted = (id: string) => queues.delete(id)
  const registry: DestinationRegistry = new DestinationRegistry({ db, vault, log, policies, onDeleted })
  const writer = new Writer({ db, clock, dueIndex, record: options.record })
  const dependencies = { db, clock, log, vault, registry, queues, activeTime, dueIndex, writer }
  const onUnread = (error: unknown) =>
    log.warn(
      { event: 'webhooks.destinations_unread', error },
      'The destinations could not be read; the next poll retries',
    )
  const unfollow = await follow(context, registry, onUnread)
  const fastPath = new FastPath(dependencies)
  const ignoreReconnects = bus.onReconnected(() => fastPath.verifyAfterReconnect())
  const slowPath = new SlowPath(dependencies)
  const purge = startDestinationPurge(context)
  const stream = consume(bus, {
    service: 'webhooks',
    durable: 'webhooks-fanout',
    batch: BATCH,
    concurrency: CONCURRENCY,
    db,
    clock,
    log,
    read: (received) => takenEvent(openBody(eventSeals, received)),
    handle: (events) => fastPath.accept(events),
  })
  return {
    async destinationsChanged() {
      // The change is committed: its reply must not fail because this process has to wait for its next poll.
      await registry.refresh().catch(onUnread)
      bus.nudge(DESTINATIONS_CHANGED_SUBJECT)
    },
    // Since when is not known here: that claim looks at all of them.
    due: (destinationId) => dueIndex.add(1, destinationId, 0),
    async stop() {
      unfollow()
      ignoreReconnects()
      await stream.stop()
      await purge.stop()
      queues.startNothingMore()
      await slowPath.stop()
      await fastPath.stop()
      await writer.settled()
      activeTime.stop()
      queues.disconnect()
    },
  }
}
