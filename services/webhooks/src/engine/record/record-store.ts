import { copyInto, queryNone, uniqueViolation, type CopyColumns, type Db } from '@causeway/chassis'
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

type MadeAttempt = Readonly<{ deliveryId: string; attempt: Attempt }>

/** Whether a delivery's row holds its attempt; otherwise that becomes a row of `attempts`. */
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
  ...ATTEMPT_COLUMNS,
  deliveryCreatedMs: 'float8[]',
  sealedBodies: 'text?[]',
  traceparents: 'text?[]',
  areInRow: 'boolean[]',
} as const

/** The arguments of {@link insertMissing}. Times are milliseconds since the epoch. */
const columnsOf = (records: readonly EventRecord[], isInRow: IsInRow) => {
  const events = records.map((record) => record.event)
  const deliveries = records.flatMap((record) => record.deliveries)
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
    ...attemptColumns(deliveries.map((entry) => entry.attempt)),
    deliveryCreatedMs: deliveries.map((entry) => entry.createdMs),
    sealedBodies: events.map((entry) => entry.bodySealed ?? null),
    traceparents: events.map((entry) => entry.traceparent ?? null),
    areInRow: deliveries.map(isInRow),
  }
}

const EVENTS: CopyColumns<EventEntry> = {
  owner_id: ['text', (event) => event.ownerId],
  event_id: ['text', (event) => event.eventId],
  type: ['text', (event) => event.type],
  integration_id: ['text', (event) => event.integrationId],
  body: ['text', (event) => event.body],
  created_at: ['timestamptz', (event) => event.createdMs],
  body_sealed: ['text', (event) => event.bodySealed ?? null],
  traceparent: ['text', (event) => event.traceparent ?? null],
}

const DELIVERIES: CopyColumns<DeliveryEntry> = {
  destination_id: ['text', (delivery) => delivery.destinationId],
  id: ['text', (delivery) => delivery.id],
  owner_id: ['text', (delivery) => delivery.ownerId],
  event_id: ['text', (delivery) => delivery.eventId],
  event_type: ['text', (delivery) => delivery.eventType],
  state: ['text', (delivery) => delivery.state],
  lane: ['smallint', (delivery) => delivery.priority],
  retries_used: ['smallint', (delivery) => delivery.retriesUsed],
  due_at: ['timestamptz', (delivery) => delivery.dueMs],
  next_attempt_at: ['timestamptz', (delivery) => delivery.nextAttemptMs],
  lease_id: ['uuid', (delivery) => delivery.leaseId],
  created_at: ['timestamptz', (delivery) => delivery.createdMs],
}

const ATTEMPTS: CopyColumns<MadeAttempt> = {
  delivery_id: ['text', (made) => made.deliveryId],
  at: ['timestamptz', (made) => made.attempt.atMs],
  status_code: ['smallint', (made) => made.attempt.statusCode],
  latency_ms: ['integer', (made) => made.attempt.latencyMs],
  error: ['text', (made) => made.attempt.error],
  response_body: ['text', (made) => made.attempt.responseBody],
}

/** All of it, or none where one of the events is there already (SQLSTATE 23505). */
const copierOf = (isInRow: IsInRow) => {
  const inRow = (delivery: DeliveryEntry) => (isInRow(delivery) ? delivery.attempt : null)
  return copyInto<{ events: EventEntry; deliveries: DeliveryEntry; attempts: MadeAttempt }>({
    name: 'deliveries.copy-new',
    tables: {
      events: EVENTS,
      deliveries: {
        ...DELIVERIES,
        first_at: ['timestamptz', (delivery) => inRow(delivery)?.atMs ?? null],
        first_status_code: ['smallint', (delivery) => inRow(delivery)?.statusCode ?? null],
        first_latency_ms: ['integer', (delivery) => inRow(delivery)?.latencyMs ?? null],
        first_error: ['text', (delivery) => inRow(delivery)?.error ?? null],
        first_response_body: ['text', (delivery) => inRow(delivery)?.responseBody ?? null],
      },
      attempts: ATTEMPTS,
    },
  })
}

/** An event that is there already was recorded with all its deliveries: nothing of its record is written again. */
const insertMissing = queryNone({
  name: 'deliveries.record-missing',
  parameters: PARAMETERS,
  text: `
    WITH logged AS (
      INSERT INTO events (owner_id, event_id, type, integration_id, body, created_at, body_sealed, traceparent)
      SELECT owner_id, event_id, type, integration_id, body, to_timestamp(created_ms / 1000.0), body_sealed, traceparent
      FROM unnest(:ownerIds, :eventIds, :types, :integrationIds, :bodies, :createdMs, :sealedBodies, :traceparents)
        AS e (owner_id, event_id, type, integration_id, body, created_ms, body_sealed, traceparent)
      ON CONFLICT DO NOTHING
      RETURNING owner_id, event_id
    ), missing AS MATERIALIZED (
      SELECT d.* FROM unnest(:destinationIds, :ids, :deliveryOwnerIds, :deliveryEventIds, :eventTypes, :states,
        :priorities, :retriesUsed, :dueMs, :nextMs, :leaseIds, :deliveryCreatedMs, :atMs, :statusCodes, :latenciesMs,
        :errors, :responseBodies, :areInRow)
        AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_ms, next_ms,
          lease_id, created_ms, at_ms, status_code, latency_ms, error, response_body, is_in_row)
      JOIN logged USING (owner_id, event_id)
    ), added AS (
      INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
        next_attempt_at, lease_id, created_at, first_at, first_status_code, first_latency_ms, first_error,
        first_response_body)
      SELECT destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
        to_timestamp(due_ms / 1000.0), to_timestamp(next_ms / 1000.0), lease_id, to_timestamp(created_ms / 1000.0),
        CASE WHEN is_in_row THEN to_timestamp(at_ms / 1000.0) END, CASE WHEN is_in_row THEN status_code END,
        CASE WHEN is_in_row THEN latency_ms END, CASE WHEN is_in_row THEN error END,
        CASE WHEN is_in_row THEN response_body END
      FROM missing
    )
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
    SELECT id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
    FROM missing WHERE at_ms IS NOT NULL AND NOT is_in_row`,
})

/** Records events with their deliveries and the attempts made already. */
export type Recorder = (db: Db, records: readonly EventRecord[]) => Promise<void>

/**
 * Records all or nothing (ADR 0054). Nearly always all events are new: copying them all and, after a conflict,
 * inserting the missing ones costs less than checking each.
 * @param options.attemptsOutliveDeliveries whether attempts are kept at least as long as deliveries: then one that
 *   ended its delivery is recorded in the delivery's row, which goes in time
 */
export const createRecorder = (options: Readonly<{ attemptsOutliveDeliveries: boolean }>): Recorder => {
  const isInRow: IsInRow = ({ attempt, state }) =>
    options.attemptsOutliveDeliveries && attempt !== null && state !== 'waiting'
  const copyAll = copierOf(isInRow)
  return async (db, records) => {
    const deliveries = records.flatMap((record) => record.deliveries)
    const events = records.map((record) => record.event)
    const attempts = deliveries.flatMap((delivery) =>
      delivery.attempt === null || isInRow(delivery)
        ? []
        : [{ deliveryId: delivery.id, attempt: delivery.attempt }],
    )
    try {
      await copyAll(db, { events, deliveries, attempts })
    } catch (error) {
      if (uniqueViolation(error) === null) throw error
      await insertMissing(db, columnsOf(records, isInRow))
    }
  }
}
