import { batchOf, isUniqueViolation, queryNone, type BatchColumns, type Db } from '@causeway/chassis'
import { ID_PREFIXES } from '@causeway/contracts'
import type { Attempt } from '../../sending/attempt.ts'
import type { Priority } from '../due-index.ts'

/** One owner's copy of an event. */
export type EventEntry = Readonly<{
  ownerId: string
  eventId: string
  type: string
  integrationId: string | null
  body: string
  /** The whole body, sealed; `body` then holds the event's name alone. */
  bodySealed?: string
  createdMs: number
  /** The trace that caused the event; left out or null: none was recorded. */
  traceparent?: string | null
}>

/** A delivery as it is first recorded: ended, waiting, or under way with a lease. */
export type DeliveryEntry = Readonly<{
  destinationId: string
  id: string
  ownerId: string
  eventId: string
  eventType: string
  state: 'waiting' | 'delivered' | 'dead'
  priority: Priority
  retriesUsed: number
  dueMs: number
  nextAttemptMs: number | null
  leaseId: string | null
  createdMs: number
  attempt: Attempt | null
}>

/** Decides whether a delivery's row contains its attempt; otherwise the attempt becomes a row of `attempts`. */
type IsInRow = (delivery: DeliveryEntry) => boolean

/** An event with its deliveries, to be recorded for the first time. */
export type EventRecord = Readonly<{ event: EventEntry; deliveries: readonly DeliveryEntry[] }>

/** Constraint that an event is recorded once. */
const EVENT_KEY = 'events_pkey'

const EVENTS = batchOf<EventEntry>()('event', {
  ownerId: ['text', ({ ownerId }) => ownerId],
  eventId: ['text', ({ eventId }) => eventId],
  type: ['text', ({ type }) => type],
  integrationId: ['text?', ({ integrationId }) => integrationId],
  body: ['text', ({ body }) => body],
  createdAt: ['time', ({ createdMs }) => createdMs],
  bodySealed: ['text?', ({ bodySealed }) => bodySealed ?? null],
  traceparent: ['text?', ({ traceparent }) => traceparent ?? null],
})

/** A delivery, and the attempt that its row contains. */
type DeliveryRow = Readonly<{ entry: DeliveryEntry; first: Attempt | null }>

const DELIVERIES = batchOf<DeliveryRow>()('delivery', {
  destinationId: ['text', ({ entry }) => entry.destinationId],
  id: ['text', ({ entry }) => entry.id],
  ownerId: ['text', ({ entry }) => entry.ownerId],
  eventId: ['text', ({ entry }) => entry.eventId],
  eventType: ['text', ({ entry }) => entry.eventType],
  state: ['text', ({ entry }) => entry.state],
  lane: ['smallint', ({ entry }) => entry.priority],
  retriesUsed: ['smallint', ({ entry }) => entry.retriesUsed],
  dueAt: ['time', ({ entry }) => entry.dueMs],
  nextAttemptAt: ['time?', ({ entry }) => entry.nextAttemptMs],
  leaseId: ['uuid?', ({ entry }) => entry.leaseId],
  createdAt: ['time', ({ entry }) => entry.createdMs],
  firstAt: ['time?', ({ first }) => first?.atMs ?? null],
  firstStatusCode: ['smallint?', ({ first }) => first?.statusCode ?? null],
  firstLatencyMs: ['integer?', ({ first }) => first?.latencyMs ?? null],
  firstError: ['text?', ({ first }) => first?.error ?? null],
  firstResponseBody: ['text?', ({ first }) => first?.responseBody ?? null],
})

/** Attempts as rows of `attempts`. */
export const ATTEMPT = {
  at: ['time', ({ attempt }) => attempt.atMs],
  statusCode: ['smallint?', ({ attempt }) => attempt.statusCode],
  latencyMs: ['integer?', ({ attempt }) => attempt.latencyMs],
  error: ['text?', ({ attempt }) => attempt.error],
  responseBody: ['text?', ({ attempt }) => attempt.responseBody],
} satisfies BatchColumns<Readonly<{ attempt: Attempt }>>

const ATTEMPTS = batchOf<Readonly<{ id: string; attempt: Attempt }>>()('attempt', {
  deliveryId: ['text', ({ id }) => id],
  ...ATTEMPT,
})

const PARTNER_PREFIX = `${ID_PREFIXES.partner}_`

/** The partners in a batch, whose events are in a feed; merchants have none. */
export const feedOwnersOf = (records: readonly EventRecord[]): string[] => {
  const owners = records.map(({ event }) => event.ownerId)
  return [...new Set(owners.filter((ownerId) => ownerId.startsWith(PARTNER_PREFIX)))]
}

/** The arguments of {@link insertRecords}. */
const argumentsOf = (records: readonly EventRecord[], isInRow: IsInRow) => {
  const deliveries = records.flatMap((record) => record.deliveries)
  return {
    feedOwners: feedOwnersOf(records),
    ...EVENTS.values(records.map((record) => record.event)),
    ...DELIVERIES.values(
      deliveries.map((entry) => ({ entry, first: isInRow(entry) ? entry.attempt : null })),
    ),
    ...ATTEMPTS.values(
      deliveries.flatMap((entry) =>
        entry.attempt === null || isInRow(entry) ? [] : { id: entry.id, attempt: entry.attempt },
      ),
    ),
  }
}

/**
 * Inserts all of it, or nothing if one of the events is already recorded. The counts make PostgreSQL insert the events
 * first, so that a known event violates their primary key and no other constraint. `ON CONFLICT`, with the join that it
 * would need, costs PostgreSQL 38 % more CPU time a delivery.
 * A partner's events of one batch share a position in its feed, and are ordered by their ids there (ADR 0099).
 */
const insertRecords = queryNone({
  name: 'deliveries.record',
  parameters: {
    feedOwners: 'text[]',
    ...EVENTS.parameters,
    ...DELIVERIES.parameters,
    ...ATTEMPTS.parameters,
  },
  text: `
    WITH logged AS (
      INSERT INTO events (${EVENTS.names}, feed_position)
      SELECT e.*, feed.next_position
      FROM ${EVENTS.from('e')} LEFT JOIN next_feed_positions(:feedOwners) AS feed ON feed.feed_owner_id = e.owner_id
      RETURNING 1
    ), added AS (
      INSERT INTO deliveries (${DELIVERIES.names})
      SELECT * FROM ${DELIVERIES.from('d')} WHERE (SELECT count(*) FROM logged) > 0
    )
    INSERT INTO attempts (${ATTEMPTS.names})
    SELECT * FROM ${ATTEMPTS.from('a')} WHERE (SELECT count(*) FROM logged) > 0`,
})

/** Records events with their deliveries and the attempts made already. */
export type Recorder = (db: Db, records: readonly EventRecord[]) => Promise<void>

/**
 * Records all or nothing (ADR 0054). An event that is already recorded has all its deliveries: alone it changes nothing,
 * and in a batch it is an error of the data, after which the batch writer writes the records one by one.
 * @param options.attemptsOutliveDeliveries whether attempts are kept at least as long as deliveries: then one that
 *   ended its delivery is recorded in the delivery's row, which goes in time
 */
export const createRecorder = (options: Readonly<{ attemptsOutliveDeliveries: boolean }>): Recorder => {
  const isInRow: IsInRow = ({ attempt, state }) =>
    options.attemptsOutliveDeliveries && attempt !== null && state !== 'waiting'
  return async (db, records) => {
    try {
      // A pooled connection: while another replica commits the same event, only this statement waits.
      await insertRecords(db.pooled, argumentsOf(records, isInRow))
    } catch (error) {
      if (records.length > 1 || !isUniqueViolation(error, EVENT_KEY)) throw error
    }
  }
}
