import { EVENT_STREAM, EVENT_SUBJECTS } from '@causeway/contracts'
import { JetStreamApiError, type StreamConfig, type StreamInfo } from '@nats-io/jetstream'
import type { Bus } from './connect.ts'

const STREAM_NOT_FOUND = 10_059
const CONSUMER_NOT_FOUND = 10_014

/** Whether the server says that a stream or a consumer does not exist. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.code === STREAM_NOT_FOUND || error.code === CONSUMER_NOT_FOUND)

/**
 * Why events of a stream with this configuration could not be believed: it gives messages other subjects than they
 * were published to, or messages of another origin, or hands them on.
 */
const unsoundPart = (config: StreamConfig): string | null => {
  if (config.subject_transform?.dest) return 'subject_transform'
  if (config.republish?.dest) return 'republish'
  if (config.mirror) return 'mirror'
  if (config.sources && config.sources.length > 0) return 'sources'
  if (config.subjects.join() !== EVENT_SUBJECTS) return 'subjects'
  return null
}

/**
 * Tells what identifies the event stream: its creation and its last sequence. The gateway makes it (see
 * {@link startStreamKeeper}); services may not.
 *
 * @throws when it is not there, or is set up so that its subjects do not say who published
 */
export const readEventStream = async (bus: Bus): Promise<{ created: string; lastSeq: number }> => {
  const manager = await bus.jetstreamManager()
  const info: StreamInfo = await manager.streams.info(EVENT_STREAM)
  const unsound = unsoundPart(info.config)
  if (unsound !== null) throw new Error(`The stream ${EVENT_STREAM} is set up with ${unsound}: not used`)
  return { created: info.created, lastSeq: info.state.last_seq }
}
