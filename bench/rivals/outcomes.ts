import { queryNone, type Db } from '@causeway/chassis'
import type { Attempt } from '../../services/webhooks/src/sending/attempt.ts'
import type { DeliveryJob } from './delivery.ts'

/** A finished job with its attempt. */
export type Outcome = Readonly<{ job: DeliveryJob; attempt: Attempt }>

/** The priority of a first attempt, as the product stores it. */
const FIRST_ATTEMPT = 1

const endedMs = ({ attempt }: Outcome): number => attempt.atMs + attempt.latencyMs

/** The product's row of a delivery that its first attempt has ended: the attempt is in it. */
const record = queryNone({
  name: 'rivals.record',
  parameters: {
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
  },
  text: `
    INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
      created_at, first_at, first_status_code, first_latency_ms, first_error, first_response_body)
    SELECT destination_id, id, owner_id, event_id, event_type, 'delivered', ${FIRST_ATTEMPT}, 0,
      to_timestamp(ended_ms / 1000.0), to_timestamp(created_ms / 1000.0), to_timestamp(at_ms / 1000.0), status_code,
      latency_ms, error, response_body
    FROM unnest(:destinationIds, :ids, :ownerIds, :eventIds, :types, :createdMs, :endedMs, :atMs, :statusCodes,
      :latenciesMs, :errors, :responseBodies)
      AS d (destination_id, id, owner_id, event_id, event_type, created_ms, ended_ms, at_ms, status_code, latency_ms,
        error, response_body)
    ON CONFLICT DO NOTHING`,
})

const columns = (outcomes: readonly Outcome[]) => ({
  destinationIds: outcomes.map(({ job }) => job.destinationId),
  ids: outcomes.map(({ job }) => job.deliveryId),
  ownerIds: outcomes.map(({ job }) => job.ownerId),
  eventIds: outcomes.map(({ job }) => job.eventId),
  types: outcomes.map(({ job }) => job.type),
  createdMs: outcomes.map(({ job }) => job.createdMs),
  endedMs: outcomes.map(endedMs),
  atMs: outcomes.map(({ attempt }) => attempt.atMs),
  statusCodes: outcomes.map(({ attempt }) => attempt.statusCode),
  latenciesMs: outcomes.map(({ attempt }) => attempt.latencyMs),
  errors: outcomes.map(({ attempt }) => attempt.error),
  responseBodies: outcomes.map(({ attempt }) => attempt.responseBody),
})

/** Writes deliveries with their outcome, once. A job may come again. */
export const createRecorder =
  (store: Db) =>
  (outcomes: readonly Outcome[]): Promise<void> =>
    record(store, columns(outcomes))
