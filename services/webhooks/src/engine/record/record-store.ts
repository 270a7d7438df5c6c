import { statement } from '@causeway/chassis'
import type { Attempt } from '../../sending/attempt.ts'

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
}>

/** A delivery as it is first written down: ended, waiting, or under way with a lease. */
export type DeliveryEntry = Readonly<{
  destinationId: string
  id: string
  ownerId: string
  eventId: string
  eventType: string
  state: 'waiting' | 'delivered' | 'dead'
  lane: 0 | 1
  retriesUsed: number
  dueMs: number
  nextAttemptMs: number | null
  leaseId: string | null
  attempt: Attempt | null
}>

const EVENTS = `
  INSERT INTO events (owner_id, event_id, type, integration_id, body, created_at, body_sealed)
  SELECT owner_id, event_id, type, integration_id, body, to_timestamp(created_ms / 1000.0), body_sealed
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $24::text[])
    AS e (owner_id, event_id, type, integration_id, body, created_ms, body_sealed)`

const deliveriesFrom = (given: string): string => `
  INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
    next_attempt_at, lease_id, created_at)
  SELECT destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
    to_timestamp(due_ms / 1000.0), to_timestamp(next_ms / 1000.0), lease_id, to_timestamp($23::float8 / 1000.0)
  FROM ${given}`

const attemptsFrom = (given: string): string => `
  INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
  SELECT id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
  FROM ${given} WHERE at_ms IS NOT NULL`

/**
 * Writes events, their deliveries and the attempts made already in one statement: all of them, or none where one of
 * the events is there already (SQLSTATE 23505). Times are milliseconds since the epoch.
 */
export const recordNew = statement({
  name: 'deliveries.record-new',
  text: `
    WITH logged AS (${EVENTS}), added AS (${deliveriesFrom(`
      unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::smallint[],
        $14::smallint[], $15::float8[], $16::float8[], $17::uuid[])
        AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_ms, next_ms,
          lease_id)`)}
    )
    ${attemptsFrom(`
      unnest($8::text[], $18::float8[], $19::smallint[], $20::integer[], $21::text[], $22::text[])
        AS a (id, at_ms, status_code, latency_ms, error, response_body)`)}`,
})

/**
 * The same where some of the events may be there already. Such a one was written with all that belongs to it: nothing
 * of its record is written again.
 */
export const recordMissing = statement({
  name: 'deliveries.record-missing',
  text: `
    WITH logged AS (${EVENTS}
      ON CONFLICT DO NOTHING
      RETURNING owner_id, event_id
    ), fresh AS MATERIALIZED (
      SELECT d.* FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::smallint[], $14::smallint[], $15::float8[], $16::float8[], $17::uuid[], $18::float8[], $19::smallint[],
        $20::integer[], $21::text[], $22::text[])
        AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_ms, next_ms,
          lease_id, at_ms, status_code, latency_ms, error, response_body)
      JOIN logged USING (owner_id, event_id)
    ), added AS (${deliveriesFrom('fresh')}
    )
    ${attemptsFrom('fresh')}`,
})

/** The parameters of {@link recordNew} and {@link recordMissing}. */
export const recordValues = (
  events: readonly EventEntry[],
  deliveries: readonly DeliveryEntry[],
  nowMs: number,
): unknown[] => [
  events.map((entry) => entry.ownerId),
  events.map((entry) => entry.eventId),
  events.map((entry) => entry.type),
  events.map((entry) => entry.integrationId),
  events.map((entry) => entry.body),
  events.map((entry) => entry.createdMs),
  deliveries.map((entry) => entry.destinationId),
  deliveries.map((entry) => entry.id),
  deliveries.map((entry) => entry.ownerId),
  deliveries.map((entry) => entry.eventId),
  deliveries.map((entry) => entry.eventType),
  deliveries.map((entry) => entry.state),
  deliveries.map((entry) => entry.lane),
  deliveries.map((entry) => entry.retriesUsed),
  deliveries.map((entry) => entry.dueMs),
  deliveries.map((entry) => entry.nextAttemptMs),
  deliveries.map((entry) => entry.leaseId),
  ...attemptColumns(deliveries.map((entry) => entry.attempt)),
  nowMs,
  events.map((entry) => entry.bodySealed),
]

/** Attempts as columns: time, status, latency, error, body. Null where there was none. */
export const attemptColumns = (attempts: readonly (Attempt | null)[]): unknown[] => [
  attempts.map((attempt) => attempt?.atMs),
  attempts.map((attempt) => attempt?.statusCode),
  attempts.map((attempt) => attempt?.latencyMs),
  attempts.map((attempt) => attempt?.error),
  attempts.map((attempt) => attempt?.responseBody),
]
