import { EVENT_RETENTION_MS, EVENT_STREAM } from '@causeway/contracts'
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream'
import type { Bus } from './connect.ts'

const NANOSECONDS_PER_MS = 1_000_000
const DUPLICATE_WINDOW_MS = 10 * 60_000
const NAME_IN_USE = 10_058

const create = (manager: JetStreamManager) =>
  manager.streams.add({
    name: EVENT_STREAM,
    subjects: ['events.>'],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: EVENT_RETENTION_MS * NANOSECONDS_PER_MS,
    duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS_PER_MS,
  })

/**
 * Makes sure that the event stream exists and tells what identifies it: its creation and its last sequence.
 * A stream that an operator has set up differently is taken as it is.
 */
export const ensureEventStream = async (bus: Bus): Promise<{ created: string; lastSeq: number }> => {
  const manager = await bus.jetstreamManager()
  try {
    await create(manager)
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === NAME_IN_USE)) throw error
  }
  const info = await manager.streams.info(EVENT_STREAM)
  return { created: info.created, lastSeq: info.state.last_seq }
}
