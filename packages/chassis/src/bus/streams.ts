import {
  BLOB_STREAM,
  BLOB_SUBJECTS,
  CONSUMERS,
  EVENT_RETENTION_MS,
  EVENT_STREAM,
  EVENT_SUBJECTS,
  MARK_STREAM,
  MARK_SUBJECTS,
} from '@causeway/contracts'
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type ConsumerInfo,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { randomUUID } from 'node:crypto'
import { isAbsent, replicasOf, STREAM_ID } from './stream.ts'

const NANOSECONDS_PER_MS = 1_000_000
/** NATS keeps every message id of this time in memory: about 330 bytes each (docs/OPERATIONS.md, NATS's memory). */
export const DUPLICATE_WINDOW_MS = 2 * 60_000
/**
 * How long a process that was killed withholds the messages it had pulled. One that lives says every second that it
 * still works on its own (see consume.ts).
 */
const ACK_WAIT_MS = 3_000
const MAX_ACK_PENDING = 4_096

/** Size limit of each stream in bytes; `documents` is null when another store keeps them. */
export type StreamBounds = Readonly<{
  events: number
  documents: number | null
  /** Servers that hold each stream: 1, or 3 in a cluster. */
  replicas: number
}>

type Wanted = Partial<StreamConfig> & {
  name: string
  subjects: string[]
  max_bytes: number
  num_replicas: number
}

/** A full stream refuses new messages: its own may still be undelivered, and outboxes keep what it refuses. */
const eventStream = (maxBytes: number, replicas: number): Wanted => ({
  name: EVENT_STREAM,
  subjects: [EVENT_SUBJECTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_bytes: maxBytes,
  num_replicas: replicas,
  max_age: EVENT_RETENTION_MS * NANOSECONDS_PER_MS,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS_PER_MS,
})

/** Hundreds of marks of a few bytes each. */
const MARKS_MAX_BYTES = 1_048_576

const markStream = (replicas: number): Wanted => ({
  name: MARK_STREAM,
  subjects: [MARK_SUBJECTS],
  storage: StorageType.File,
  max_msgs_per_subject: 1,
  max_bytes: MARKS_MAX_BYTES,
  num_replicas: replicas,
})

/** The stream behind an object store (NATS ADR-20). */
const blobStream = (maxBytes: number, replicas: number): Wanted => ({
  name: BLOB_STREAM,
  subjects: [...BLOB_SUBJECTS],
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_bytes: maxBytes,
  num_replicas: replicas,
  allow_rollup_hdrs: true,
  allow_direct: true,
})

const isKept = (config: StreamConfig, wanted: Wanted): boolean =>
  config.max_bytes === wanted.max_bytes &&
  (wanted.duplicate_window === undefined || config.duplicate_window === wanted.duplicate_window) &&
  config.num_replicas === wanted.num_replicas &&
  (wanted.discard === undefined || config.discard === wanted.discard) &&
  config.metadata?.[STREAM_ID] !== undefined

/** Its id never changes, so that relays recognise a stream that was created anew. */
const withId = (wanted: Wanted, config?: StreamConfig) => ({
  ...config,
  ...wanted,
  metadata: { [STREAM_ID]: randomUUID(), ...config?.metadata },
})

const keepStream = async (manager: JetStreamManager, wanted: Wanted): Promise<StreamInfo> => {
  try {
    const info = await manager.streams.info(wanted.name)
    if (isKept(info.config, wanted)) return info
    return await manager.streams.update(wanted.name, withId(wanted, info.config))
  } catch (error) {
    if (!isAbsent(error)) throw error
    return manager.streams.add(withId(wanted))
  }
}

const keepConsumer = async (
  manager: JetStreamManager,
  durable: string,
  filters: readonly string[],
): Promise<ConsumerInfo> => {
  const wanted = {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOSECONDS_PER_MS,
    max_ack_pending: MAX_ACK_PENDING,
    filter_subjects: [...filters],
  }
  try {
    const info = await manager.consumers.info(EVENT_STREAM, durable)
    const { config } = info
    const kept =
      config.filter_subjects ?? (config.filter_subject === undefined ? [] : [config.filter_subject])
    if (config.ack_wait === wanted.ack_wait && [...kept].sort().join() === [...filters].sort().join())
      return info
    // Not "add": NATS refuses to create a consumer that an earlier release made otherwise.
    return await manager.consumers.update(EVENT_STREAM, durable, wanted)
  } catch (error) {
    if (!isAbsent(error)) throw error
    return manager.consumers.add(EVENT_STREAM, wanted)
  }
}

/** A stream: how full it is, and the servers that hold it. */
export type StreamUse = Readonly<{
  stream: string
  bytes: number
  maxBytes: number
  lastSeq: number
  /** Servers that are to hold it, and those that have all of it. */
  replicas: number
  current: number
  hasLeader: boolean
}>
/** Messages of a consumer: not delivered yet, and delivered but not acknowledged. */
export type ConsumerLag = Readonly<{ consumer: string; pending: number; unacknowledged: number }>
export type KeptStreams = Readonly<{ uses: readonly StreamUse[]; lags: readonly ConsumerLag[] }>

/**
 * Creates the streams and consumers that are missing, and updates the limits and filters of the others. It looks before
 * it creates: a second gateway may have created them.
 *
 * @returns how full each stream is, and how far behind each consumer
 * @throws an error that names NATS_REPLICAS when there are not as many servers
 */
export const keepStreams = async (manager: JetStreamManager, bounds: StreamBounds): Promise<KeptStreams> => {
  const wanted = [
    eventStream(bounds.events, bounds.replicas),
    markStream(bounds.replicas),
    ...(bounds.documents === null ? [] : [blobStream(bounds.documents, bounds.replicas)]),
  ]
  const uses: StreamUse[] = []
  for (const stream of wanted) {
    const { state, cluster } = await keepStream(manager, stream)
    const { name, max_bytes: maxBytes, num_replicas: replicas } = stream
    const { bytes, last_seq: lastSeq } = state
    uses.push({ stream: name, bytes, maxBytes, lastSeq, replicas, ...replicasOf(cluster) })
  }
  const lags: ConsumerLag[] = []
  for (const consumers of Object.values(CONSUMERS))
    for (const [durable, filters] of Object.entries(consumers)) {
      const { num_pending: pending, num_ack_pending: unacknowledged } = await keepConsumer(
        manager,
        durable,
        filters,
      )
      lags.push({ consumer: durable, pending, unacknowledged })
    }
  return { uses, lags }
}

/**
 * Purges the events that every consumer of the stream has acknowledged, including consumers of an operator. Outboxes
 * keep events for 7 days; the stream only holds events in flight, so that its size depends on the rate, not on the days.
 *
 * @param through the stream's last sequence at an earlier moment: later events stay, even if all acknowledged them
 */
export const purgeAcknowledged = async (manager: JetStreamManager, through: number): Promise<void> => {
  let acknowledged = through
  for await (const { ack_floor, num_pending, num_ack_pending } of manager.consumers.list(EVENT_STREAM))
    // The floor of a consumer stays at the last event that its filter takes.
    if (num_pending + num_ack_pending > 0) acknowledged = Math.min(acknowledged, ack_floor.stream_seq)
  if (acknowledged > 0) await manager.streams.purge(EVENT_STREAM, { seq: acknowledged + 1 })
}
