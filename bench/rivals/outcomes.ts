import { statement, type Db } from '@causeway/chassis'
import type { Attempt } from '../../services/webhooks/src/sending/attempt.ts'
import type { DeliveryJob } from './delivery.ts'
import { newFirst } from './new-first.ts'

/** A job that is done, and the attempt that did it. */
export type Outcome = Readonly<{ job: DeliveryJob; attempt: Attempt }>

const ended = (conflict: string): string => `
  WITH ended AS (
    INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
      created_at)
    SELECT destination_id, id, owner_id, event_id, event_type, 'delivered', 1, 0, to_timestamp(ended_ms / 1000.0),
      to_timestamp(created_ms / 1000.0)
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[])
      AS d (destination_id, id, owner_id, event_id, event_type, created_ms, ended_ms)
    ${conflict}
  )
  INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
  SELECT id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
  FROM unnest($2::text[], $8::float8[], $9::smallint[], $10::integer[], $11::text[], $12::text[])
    AS a (id, at_ms, status_code, latency_ms, error, response_body)
  ${conflict}`

const recordNew = statement({ name: 'rivals.record-new', text: ended('') })
const recordMissing = statement({ name: 'rivals.record-missing', text: ended('ON CONFLICT DO NOTHING') })

const columns = (outcomes: readonly Outcome[]): unknown[] => [
  outcomes.map(({ job }) => job.destinationId),
  outcomes.map(({ job }) => job.deliveryId),
  outcomes.map(({ job }) => job.ownerId),
  outcomes.map(({ job }) => job.eventId),
  outcomes.map(({ job }) => job.type),
  outcomes.map(({ job }) => job.createdMs),
  outcomes.map(({ attempt }) => attempt.atMs + attempt.latencyMs),
  outcomes.map(({ attempt }) => attempt.atMs),
  outcomes.map(({ attempt }) => attempt.statusCode),
  outcomes.map(({ attempt }) => attempt.latencyMs),
  outcomes.map(({ attempt }) => attempt.error),
  outcomes.map(({ attempt }) => attempt.responseBody),
]

/** Writes deliveries, once, with their outcome, and their attempts in one statement. A job may come again. */
export const createRecorder = (store: Db): ((outcomes: readonly Outcome[]) => Promise<void>) =>
  newFirst(
    (outcomes) => store.query(recordNew, columns(outcomes)),
    (outcomes) => store.query(recordMissing, columns(outcomes)),
  )
