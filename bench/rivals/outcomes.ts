import { statement, type Db } from '@causeway/chassis'
import type { Attempt } from '../../services/webhooks/src/domain/attempt.ts'
import type { DeliveryJob } from './delivery.ts'

/** A job that is done, and the attempt that did it. */
export type Outcome = Readonly<{ job: DeliveryJob; attempt: Attempt }>

const recordOutcomes = statement({
  name: 'rivals.record',
  text: `
    WITH outcome AS MATERIALIZED (
      SELECT *
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[],
        $8::smallint[], $9::integer[], $10::text[], $11::text[])
        AS o (destination_id, id, owner_id, event_id, event_type, created_ms, at_ms, status_code, latency_ms, error,
          response_body)
    ), ended AS (
      INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, created_at, ended_at)
      SELECT destination_id, id, owner_id, event_id, event_type, 'delivered', to_timestamp(created_ms / 1000.0),
        to_timestamp((at_ms + latency_ms) / 1000.0)
      FROM outcome
      ON CONFLICT DO NOTHING
    )
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
    SELECT id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
    FROM outcome
    ON CONFLICT DO NOTHING`,
})

const columns = (outcomes: readonly Outcome[]): unknown[] => [
  outcomes.map(({ job }) => job.destinationId),
  outcomes.map(({ job }) => job.deliveryId),
  outcomes.map(({ job }) => job.ownerId),
  outcomes.map(({ job }) => job.eventId),
  outcomes.map(({ job }) => job.type),
  outcomes.map(({ job }) => job.createdMs),
  outcomes.map(({ attempt }) => attempt.atMs),
  outcomes.map(({ attempt }) => attempt.statusCode),
  outcomes.map(({ attempt }) => attempt.latencyMs),
  outcomes.map(({ attempt }) => attempt.error),
  outcomes.map(({ attempt }) => attempt.responseBody),
]

/** Writes deliveries and their attempts in one statement; those that are written already, for a job may come again, stay. */
export const createRecorder =
  (store: Db) =>
  async (outcomes: readonly Outcome[]): Promise<void> => {
    await store.query(recordOutcomes, columns(outcomes))
  }
