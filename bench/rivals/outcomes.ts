import { queryNone, type Db } from '@causeway/chassis'
import type { Attempt } from '../../services/webhooks/src/sending/attempt.ts'
import type { DeliveryJob } from './delivery.ts'
import { newFirst } from './new-first.ts'

/** A finished job with its attempt. */
export type Outcome = Readonly<{ job: DeliveryJob; attempt: Attempt }>

const ended = (conflict: string): string => `
  WITH ended AS (
    INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
      created_at)
    SELECT destination_id, id, owner_id, event_id, event_type, 'delivered', 1, 0, to_timestamp(ended_ms / 1000.0),
      to_timestamp(created_ms / 1000.0)
    FROM unnest(:destinationIds, :ids, :ownerIds, :eventIds, :types, :createdMs, :endedMs)
      AS d (destination_id, id, owner_id, event_id, event_type, created_ms, ended_ms)
    ${conflict}
  )
  INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
  SELECT id, to_timestamp(at_ms / 1000.0), status_code, latency_ms, error, response_body
  FROM unnest(:ids, :atMs, :statusCodes, :latenciesMs, :errors, :responseBodies)
    AS a (id, at_ms, status_code, latency_ms, error, response_body)
  ${conflict}`

const parameters = {
  destinationIds: 'text[]',
  ids: 'text[]',
  ownerIds: 'text[]',
  eventIds: 'text[]',
  types: 'text[]',
  createdMs: 'float8[]',
  endedMs: 'float8[]',
  atMs: 'float8[]',
  statusCodes: 'smallint?[]',
  latenciesMs: 'integer[]',
  errors: 'text?[]',
  responseBodies: 'text?[]',
} as const
const recordNew = queryNone({ name: 'rivals.record-new', parameters, text: ended('') })
const recordMissing = queryNone({
  name: 'rivals.record-missing',
  parameters,
  text: ended('ON CONFLICT DO NOTHING'),
})

const columns = (outcomes: readonly Outcome[]) => ({
  destinationIds: outcomes.map(({ job }) => job.destinationId),
  ids: outcomes.map(({ job }) => job.deliveryId),
  ownerIds: outcomes.map(({ job }) => job.ownerId),
  eventIds: outcomes.map(({ job }) => job.eventId),
  types: outcomes.map(({ job }) => job.type),
  createdMs: outcomes.map(({ job }) => job.createdMs),
  endedMs: outcomes.map(({ attempt }) => attempt.atMs + attempt.latencyMs),
  atMs: outcomes.map(({ attempt }) => attempt.atMs),
  statusCodes: outcomes.map(({ attempt }) => attempt.statusCode),
  latenciesMs: outcomes.map(({ attempt }) => attempt.latencyMs),
  errors: outcomes.map(({ attempt }) => attempt.error),
  responseBodies: outcomes.map(({ attempt }) => attempt.responseBody),
})

/** Writes deliveries, once, with their outcome, and their attempts in one statement. A job may come again. */
export const createRecorder = (store: Db): ((outcomes: readonly Outcome[]) => Promise<void>) =>
  newFirst(
    (outcomes) => recordNew(store, columns(outcomes)),
    (outcomes) => recordMissing(store, columns(outcomes)),
  )
