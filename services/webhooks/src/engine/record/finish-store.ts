import { batchOf, queryNone, type Queryable } from '@causeway/chassis'
import type { Attempt } from '../../sending/attempt.ts'
import { ATTEMPT } from './record-store.ts'

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

const FINISHES = batchOf<Finish>()('finish', {
  destinationId: ['text', ({ destinationId }) => destinationId],
  id: ['text', ({ id }) => id],
  leaseId: ['uuid', ({ leaseId }) => leaseId],
  state: ['text', ({ state }) => state],
  retriesUsed: ['smallint', ({ retriesUsed }) => retriesUsed],
  dueAt: ['time', ({ dueMs }) => dueMs],
  nextAttemptAt: ['time?', ({ nextAttemptMs }) => nextAttemptMs],
  ...ATTEMPT,
})

const finish = queryNone({
  name: 'deliveries.finish',
  parameters: FINISHES.parameters,
  text: `
    WITH given AS (SELECT * FROM ${FINISHES.from('f')}), moved AS (
      UPDATE deliveries d SET state = f.state, lane = 1, retries_used = f.retries_used, lease_id = NULL,
        due_at = f.due_at, next_attempt_at = f.next_attempt_at
      FROM given f
      WHERE d.destination_id = f.destination_id AND d.id = f.id AND d.lease_id = f.lease_id
    )
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
    SELECT f.id, f.at, f.status_code, f.latency_ms, f.error, f.response_body
    FROM given f
    WHERE EXISTS (SELECT FROM deliveries d WHERE d.destination_id = f.destination_id AND d.id = f.id)
    ON CONFLICT DO NOTHING`,
})

/**
 * Ends leases in one statement: records the attempts, and updates the deliveries that still have this lease. A lease
 * that was lost updates nothing; its attempt was made all the same and is recorded.
 */
export const finishDeliveries = (db: Queryable, items: readonly Finish[]): Promise<void> =>
  finish(db, FINISHES.values(items))

/** Gives leases back unused: the deliveries are due as they were. */
export const releaseDeliveries = queryNone({
  name: 'deliveries.release',
  parameters: { destinationIds: 'text[]', ids: 'text[]', leaseIds: 'uuid[]' },
  text: `
    UPDATE deliveries d SET lease_id = NULL, due_at = coalesce(d.next_attempt_at, d.due_at)
    FROM unnest(:destinationIds, :ids, :leaseIds) AS r (destination_id, id, lease_id)
    WHERE d.destination_id = r.destination_id AND d.id = r.id AND d.lease_id = r.lease_id AND d.state = 'waiting'`,
})
