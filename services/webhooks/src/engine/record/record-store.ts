import { isUniqueViolation, queryNone, type Db } from '@causeway/chassis'
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

/** Parameters of attempts as columns, each null where no attempt was made. */
export const ATTEMPT_COLUMNS = {
  atMs: 'float8?[]',
  statusCodes: 'smallint?[]',
  latenciesMs: 'integer?[]',
  errors: 'text?[]',
  responseBodies: 'text?[]',
} as const

/** The values of {@link ATTEMPT_COLUMNS}. */
export const attemptColumns = (attempts: readonly (Attempt | null)[]) => ({
  atMs: attempts.map((attempt) => attempt?.atMs ?? null),
  statusCodes: attempts.map((attempt) => attempt?.statusCode ?? null),
  latenciesMs: attempts.map((attempt) => attempt?.latencyMs ?? null),
  errors: attempts.map((attempt) => attempt?.error ?? null),
  responseBodies: attempts.map((attempt) => attempt?.responseBody ?? null),
})

/** Constraint that an event is recorded once. */
const EVENT_KEY = 'events_pkey'

const PARAMETERS = {
  ownerIds: 'text[]',
  eventIds: 'text[]',
  types: 'text[]',
  integrationIds: 'text?[]',
  bodies: 'text[]',
  createdMs: 'float8[]',
  destinationIds: 'text[]',
  ids: 'text[]',
  deliveryOwnerIds: 'text[]',
  deliveryEventIds: 'text[]',
  eventTypes: 'text[]',
  states: 'text[]',
  priorities: 'smallint[]',
  retriesUsed: 'smallint[]',
  dueMs: 'float8[]',
  nextMs: 'float8?[]',
  leaseIds: 'uuid?[]',
  deliveryCreatedMs: 'float8[]',
  sealedBodies: 'text?[]',
  traceparents: 'text?[]',
  firstAtMs: 'float8?[]',
  firstStatusCodes: 'smallint?[]',
  firstLatenciesMs: 'integer?[]',
  firstErrors: 'text?[]',
  firstResponseBodies: 'text?[]',
  attemptDeliveryIds: 'text[]',
  ...ATTEMPT_COLUMNS,
} as const

/** The arguments of {@link insertRecords}. Times are milliseconds since the epoch. */
const columnsOf = (records: readonly EventRecord[], isInRow: IsInRow) => {
  const events = records.map((record) => record.event)
  const deliveries = records.flatMap((record) => record.deliveries)
  const first = attemptColumns(deliveries.map((entry) => (isInRow(entry) ? entry.attempt : null)))
  const attempted = deliveries.filter((entry) => entry.attempt !== null && !isInRow(entry))
  return {
    ownerIds: events.map((entry) => entry.ownerId),
    eventIds: events.map((entry) => entry.eventId),
    types: events.map((entry) => entry.type),
    integrationIds: events.map((entry) => entry.integrationId),
    bodies: events.map((entry) => entry.body),
    createdMs: events.map((entry) => entry.createdMs),
    destinationIds: deliveries.map((entry) => entry.destinationId),
    ids: deliveries.map((entry) => entry.id),
    deliveryOwnerIds: deliveries.map((entry) => entry.ownerId),
    deliveryEventIds: deliveries.map((entry) => entry.eventId),
    eventTypes: deliveries.map((entry) => entry.eventType),
    states: deliveries.map((entry) => entry.state),
    priorities: deliveries.map((entry) => entry.priority),
    retriesUsed: deliveries.map((entry) => entry.retriesUsed),
    dueMs: deliveries.map((entry) => entry.dueMs),
    nextMs: deliveries.map((entry) => entry.nextAttemptMs),
    leaseIds: deliveries.map((entry) => entry.leaseId),
    deliveryCreatedMs: deliveries.map((entry) => entry.createdMs),
    sealedBodies: events.map((entry) => entry.bodySealed ?? null),
    traceparents: events.map((entry) => entry.traceparent ?? null),
    firstAtMs: first.atMs,
    firstStatusCodes: first.statusCodes,
    firstLatenciesMs: first.latenciesMs,
    firstErrors: first.errors,
    firstResponseBodies: first.responseBodies,
    attemptDeliveryIds: attempted.map((entry) => entry.id),
    ...attemptColumns(attempted.map((entry) => entry.attempt)),
  }
}

/**
 * Inserts all of it, or nothing if one of the events is already recorded. The counts make PostgreSQL insert the events
 * first, so that a known event violates their primary key and no other constraint. `ON CONFLICT`, with the join that it
 * would need, costs PostgreSQL 38 % more CPU time a delivery.
 */
const insertRecords = queryNone({
  name: 'deliveries.record',
  parameters: PARAMETERS,
  text: `
    WITH logged AS (
      INSERT INTO events (owner_id, event_id, type, integration_id, body, created_at, body_sealed, traceparent)
      SELECT owner_id, event_id, type, integration_id, body, to_timestamp(created_ms / 1000.0), body_sealed, traceparent
      FROM unnest(:ownerIds, :eventIds, :types, :integrationIds, :bodies, :createdMs, :sealedBodies, :traceparents)
        AS e (owner_id, event_id, type, integration_id, body, created_ms, body_sealed, traceparent)
      RETURNING 1
    ), added AS (
      INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
        next_attempt_at, lease_id, created_at, first_at, first_status_code, first_latency_ms, first_error,
        first_response_body)
      SELECT destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
        to_timestamp(due_ms / 1000.0), to_timestamp(next_ms / 1000.0), lease_id, to_timestamp(created_ms / 1000.0),
        to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
      FROM unnest(:destinationIds, :ids, :deliveryOwnerIds, :deliveryEventIds, :eventTypes, :states, :priorities,
        :retriesUsed, :dueMs, :nextMs, :leaseIds, :deliveryCreatedMs, :firstAtMs, :firstStatusCodes,
        :firstLatenciesMs, :firstErrors, :firstResponseBodies)
        AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_ms, next_ms,
          lease_id, created_ms, at_ms, status_code, latency_ms, error, response_body)
      WHERE (SELECT count(*) FROM logged) > 0
    )
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
    SELECT delivery_id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
    FROM unnest(:attemptDeliveryIds, :atMs, :statusCodes, :latenciesMs, :errors, :responseBodies)
      AS a (delivery_id, at_ms, status_code, latency_ms, error, response_body)
    WHERE (SELECT count(*) FROM logged) > 0`,
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
      await insertRecords(db.pooled, columnsOf(records, isInRow))
    } catch (error) {
      if (records.length > 1 || !isUniqueViolation(error, EVENT_KEY)) throw error
    }
  }
}
