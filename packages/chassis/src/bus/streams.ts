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

/** Size limit of each stream in bytes; `documents` is null when another store keeps them. */
export type StreamBounds = Readonly<{ events: number; documents: number | null }>

type Wanted = Partial<StreamConfig> & { name: string; subjects: string[]; max_bytes: number }

/** A full stream refuses new messages: its own may still be undelivered, and outboxes keep what it refuses. */
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

/** The stream behind an object store (NATS ADR-20). */
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
 * Creates the streams and consumers that are missing, and updates the limits and filters of the others. It looks before
 * it creates: creating an existing stream would renew its creation date, by which relays recognise a lost stream.
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
