import { queryNone } from '@causeway/chassis'
import type { Attempt } from '../../sending/attempt.ts'
import { ATTEMPT_COLUMNS, attemptColumns } from './record-store.ts'

/** A lease of a delivery; it fences out what came before it. */
export type Lease = Readonly<{ destinationId: string; id: string; leaseId: string }>

/** State of a leased delivery after its attempt. */
export type Finish = Lease &
  Readonly<{
    state: 'waiting' | 'delivered' | 'dead'
    retriesUsed: number
    dueMs: number
    nextAttemptMs: number | null
    attempt: Attempt
  }>

/**
 * Ends leases in one statement: records the attempts, and updates the deliveries that still have this lease. A lease
 * that was lost updates nothing; its attempt was made all the same and is recorded.
 */
export const finishDeliveries = queryNone({
  name: 'deliveries.finish',
  parameters: {
    destinationIds: 'text[]',
    ids: 'text[]',
    leaseIds: 'uuid[]',
    states: 'text[]',
    retriesUsed: 'smallint[]',
    dueMs: 'float8[]',
    nextMs: 'float8?[]',
    ...ATTEMPT_COLUMNS,
  },
  text: `
    WITH given AS (
      SELECT * FROM unnest(:destinationIds, :ids, :leaseIds, :states, :retriesUsed, :dueMs, :nextMs, :atMs,
        :statusCodes, :latenciesMs, :errors, :responseBodies)
        AS f (destination_id, id, lease_id, state, retries_used, due_ms, next_ms, at_ms, status_code, latency_ms,
          error, response_body)
    ), moved AS (
      UPDATE deliveries d SET state = f.state, lane = 1, retries_used = f.retries_used, lease_id = NULL,
        due_at = to_timestamp(f.due_ms / 1000.0), next_attempt_at = to_timestamp(f.next_ms / 1000.0)
      FROM given f
      WHERE d.destination_id = f.destination_id AND d.id = f.id AND d.lease_id = f.lease_id
    )
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
    SELECT f.id, to_timestamp(f.at_ms / 1000.0), f.status_code, f.latency_ms, f.error, f.response_body
    FROM given f
    WHERE EXISTS (SELECT FROM deliveries d WHERE d.destination_id = f.destination_id AND d.id = f.id)
    ON CONFLICT DO NOTHING`,
})

/** The arguments of {@link finishDeliveries}. */
export const finishColumns = (items: readonly Finish[]) => ({
  destinationIds: items.map((item) => item.destinationId),
  ids: items.map((item) => item.id),
  leaseIds: items.map((item) => item.leaseId),
  states: items.map((item) => item.state),
  retriesUsed: items.map((item) => item.retriesUsed),
  dueMs: items.map((item) => item.dueMs),
  nextMs: items.map((item) => item.nextAttemptMs),
  ...attemptColumns(items.map((item) => item.attempt)),
})

/** Gives leases back unused: the deliveries are due as they were. */
export const releaseDeliveries = queryNone({
  name: 'deliveries.release',
  parameters: { destinationIds: 'text[]', ids: 'text[]', leaseIds: 'uuid[]' },
  text: `
    UPDATE deliveries d SET lease_id = NULL, due_at = coalesce(d.next_attempt_at, d.due_at)
    FROM unnest(:destinationIds, :ids, :leaseIds) AS r (destination_id, id, lease_id)
    WHERE d.destination_id = r.destination_id AND d.id = r.id AND d.lease_id = r.lease_id AND d.state = 'waiting'`,
})
