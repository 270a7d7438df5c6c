import {
  BLOB_STREAM,
  BLOB_SUBJECTS,
  CONSUMERS,
  EVENT_RETENTION_MS,
  EVENT_STREAM,
  EVENT_SUBJECTS,
} from '@causeway/contracts'
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { isAbsent } from './stream.ts'

const NANOSECONDS_PER_MS = 1_000_000
const DUPLICATE_WINDOW_MS = 10 * 60_000
const ACK_WAIT_MS = 30_000
const MAX_ACK_PENDING = 4_096

/** How much each stream may hold, in bytes; `documents` null: they lie elsewhere. */
export type StreamBounds = Readonly<{ events: number; documents: number | null }>

type Wanted = Partial<StreamConfig> & { name: string; subjects: string[]; max_bytes: number }

/** A full stream refuses: what it holds may be undelivered yet, and the outboxes keep what it does not take. */
const eventStream = (maxBytes: number): Wanted => ({
  name: EVENT_STREAM,
  subjects: [EVENT_SUBJECTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_bytes: maxBytes,
  max_age: EVENT_RETENTION_MS * NANOSECONDS_PER_MS,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS_PER_MS,
})

/** The object store's stream, as its format has it (NATS ADR-20). */
const blobStream = (maxBytes: number): Wanted => ({
  name: BLOB_STREAM,
  subjects: [...BLOB_SUBJECTS],
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_bytes: maxBytes,
  allow_rollup_hdrs: true,
  allow_direct: true,
})

const keepStream = async (manager: JetStreamManager, wanted: Wanted): Promise<{ bytes: number }> => {
  try {
    const { config, state } = await manager.streams.info(wanted.name)
    if (config.max_bytes !== wanted.max_bytes || config.discard !== wanted.discard)
      await manager.streams.update(wanted.name, {
        ...config,
        max_bytes: wanted.max_bytes,
        ...(wanted.discard === undefined ? {} : { discard: wanted.discard }),
      })
    return { bytes: state.bytes }
  } catch (error) {
    if (!isAbsent(error)) throw error
    const { state } = await manager.streams.add(wanted)
    return { bytes: state.bytes }
  }
}

const keepConsumer = async (manager: JetStreamManager, durable: string, filters: readonly string[]) => {
  const wanted = {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOSECONDS_PER_MS,
    max_ack_pending: MAX_ACK_PENDING,
    filter_subjects: [...filters],
  }
  try {
    const { config } = await manager.consumers.info(EVENT_STREAM, durable)
    const kept =
      config.filter_subjects ?? (config.filter_subject === undefined ? [] : [config.filter_subject])
    if ([...kept].sort().join() !== [...filters].sort().join())
      await manager.consumers.add(EVENT_STREAM, wanted)
  } catch (error) {
    if (!isAbsent(error)) throw error
    await manager.consumers.add(EVENT_STREAM, wanted)
  }
}

export type StreamUse = Readonly<{ stream: string; bytes: number; maxBytes: number }>

/**
 * Makes the streams and consumers that are missing, and brings those that are there to their bounds and filters. Asks
 * before it makes: to create what exists would give it a new date of creation, by which relays know a lost stream.
 *
 * @returns how full each stream is
 */
export const keepStreams = async (manager: JetStreamManager, bounds: StreamBounds): Promise<StreamUse[]> => {
  const wanted = [
    eventStream(bounds.events),
    ...(bounds.documents === null ? [] : [blobStream(bounds.documents)]),
  ]
  const uses: StreamUse[] = []
  for (const stream of wanted) {
    const { bytes } = await keepStream(manager, stream)
    uses.push({ stream: stream.name, bytes, maxBytes: stream.max_bytes })
  }
  for (const consumers of Object.values(CONSUMERS))
    for (const [durable, filters] of Object.entries(consumers)) await keepConsumer(manager, durable, filters)
  return uses
}
