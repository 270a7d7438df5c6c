import { statement } from '@causeway/chassis'
import type { Attempt } from '../domain/attempt.ts'

/** One owner's copy of an event. */
export type EventEntry = Readonly<{
  ownerId: string
  eventId: string
  type: string
  integrationId: string | null
  body: string
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

/**
 * Writes events, their deliveries and the attempts made already in one statement. Everything in it may be there
 * before: an event that comes again changes nothing (`UNIQUE (event_id, destination_id)`), and attempts are written
 * only with a delivery that is new. Times are milliseconds since the epoch.
 */
export const recordDeliveries = statement({
  name: 'deliveries.record',
  text: `
    WITH logged AS (
      INSERT INTO events (owner_id, event_id, type, integration_id, body, created_at)
      SELECT owner_id, event_id, type, integration_id, body, to_timestamp(created_ms / 1000.0)
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[])
        AS e (owner_id, event_id, type, integration_id, body, created_ms)
      ON CONFLICT DO NOTHING
    ), given AS (
      SELECT * FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::smallint[], $14::smallint[], $15::float8[], $16::float8[], $17::uuid[])
        AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_ms, next_ms, lease_id)
    ), added AS (
      INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
        next_attempt_at, lease_id, created_at)
      SELECT destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
        to_timestamp(due_ms / 1000.0), to_timestamp(next_ms / 1000.0), lease_id, to_timestamp($18::float8 / 1000.0)
      FROM given
      ON CONFLICT DO NOTHING
      RETURNING id
    )
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
    SELECT delivery_id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
    FROM unnest($19::text[], $20::float8[], $21::smallint[], $22::integer[], $23::text[], $24::text[])
      AS a (delivery_id, at_ms, status_code, latency_ms, error, response_body)
    JOIN added ON added.id = a.delivery_id`,
})

/** The parameters of {@link recordDeliveries}. */
export const recordValues = (
  events: readonly EventEntry[],
  deliveries: readonly DeliveryEntry[],
  nowMs: number,
): unknown[] => {
  const attempted = deliveries.filter((entry) => entry.attempt !== null)
  return [
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
    nowMs,
    attempted.map((entry) => entry.id),
    ...attemptColumns(attempted.map((entry) => entry.attempt as Attempt)),
  ]
}

/** Attempts as columns: time, status, latency, error, body. */
export const attemptColumns = (attempts: readonly Attempt[]): unknown[] => [
  attempts.map((attempt) => attempt.atMs),
  attempts.map((attempt) => attempt.statusCode),
  attempts.map((attempt) => attempt.latencyMs),
  attempts.map((attempt) => attempt.error),
  attempts.map((attempt) => attempt.responseBody),
]
