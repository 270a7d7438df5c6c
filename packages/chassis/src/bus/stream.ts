import { EVENT_STREAM, EVENT_SUBJECTS } from '@causeway/contracts'
import { JetStreamApiError, type StreamConfig, type StreamInfo } from '@nats-io/jetstream'
import type { Bus } from './connect.ts'

const STREAM_NOT_FOUND = 10_059
const CONSUMER_NOT_FOUND = 10_014

/** Key in a stream's metadata of an id that it gets when it is created. */
export const STREAM_ID = 'causeway-stream-id'

/** Checks whether the server reports that a stream or a consumer does not exist. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.code === STREAM_NOT_FOUND || error.code === CONSUMER_NOT_FOUND)

/**
 * Why a stream with this configuration cannot be trusted: it renames subjects, takes messages from other streams, or
 * republishes them, so that a subject does not say who published. Null: it can.
 */
const unsoundPart = (config: StreamConfig): string | null => {
  if (config.subject_transform?.dest) return 'subject_transform'
  if (config.republish?.dest) return 'republish'
  if (config.mirror) return 'mirror'
  if (config.sources && config.sources.length > 0) return 'sources'
  if (config.subjects.join() !== EVENT_SUBJECTS) return 'subjects'
  return null
}

/** Servers that hold a stream: how many have all of it, and whether one of them leads. */
export const replicasOf = (
  cluster: StreamInfo['cluster'] | undefined,
): Readonly<{ current: number; hasLeader: boolean }> => {
  if (cluster === undefined) return { current: 1, hasLeader: true }
  const hasLeader = Boolean(cluster.leader)
  const followers = (cluster.replicas ?? []).filter(({ current, offline }) => current && !offline)
  return { current: followers.length + (hasLeader ? 1 : 0), hasLeader }
}

/** Checks whether the event stream works: a majority of its servers elected a leader. */
export const hasStreamLeader = async (bus: Bus): Promise<boolean> => {
  const manager = await bus.jetstreamManager()
  const { cluster } = await manager.streams.info(EVENT_STREAM)
  return replicasOf(cluster).hasLeader
}

/** The event stream as a relay sees it. `id`: null until the gateway has given it one. */
export type EventStream = Readonly<{ id: string | null; created: string; lastSeq: number }>

/**
 * Reads what identifies the event stream, and its last sequence. The gateway creates it (see {@link startStreamKeeper});
 * services may not.
 *
 * @throws when it does not exist, or its subjects do not say who published
 */
export const readEventStream = async (bus: Bus): Promise<EventStream> => {
  const manager = await bus.jetstreamManager()
  const { config, created, state }: StreamInfo = await manager.streams.info(EVENT_STREAM)
  const unsound = unsoundPart(config)
  if (unsound !== null)
    throw new Error(`The stream ${EVENT_STREAM} cannot be used: it is configured with ${unsound}`)
  return { id: config.metadata?.[STREAM_ID] ?? null, created, lastSeq: state.last_seq }
}
