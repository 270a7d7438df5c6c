import { statement } from '@causeway/chassis'
import type { Attempt } from '../../sending/attempt.ts'
import { attemptColumns } from './record-store.ts'

/** What a leased delivery becomes after its attempt. */
export type Finish = Readonly<{
  destinationId: string
  id: string
  leaseId: string
  state: 'waiting' | 'delivered' | 'dead'
  retriesUsed: number
  dueMs: number
  nextAttemptMs: number | null
  attempt: Attempt
}>

/**
 * Ends leases in one statement: writes the attempts down, and moves the deliveries that this lease still holds. A
 * lease that was lost moves nothing; its attempt was made all the same and is recorded.
 */
export const finishLeased = statement({
  name: 'deliveries.finish',
  text: `
    WITH given AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::smallint[], $6::float8[],
        $7::float8[], $8::float8[], $9::smallint[], $10::integer[], $11::text[], $12::text[])
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

export const finishValues = (items: readonly Finish[]): unknown[] => [
  items.map((item) => item.destinationId),
  items.map((item) => item.id),
  items.map((item) => item.leaseId),
  items.map((item) => item.state),
  items.map((item) => item.retriesUsed),
  items.map((item) => item.dueMs),
  items.map((item) => item.nextAttemptMs),
  ...attemptColumns(items.map((item) => item.attempt)),
]

export type Release = Readonly<{ destinationId: string; id: string; leaseId: string }>

/** Gives leases back unused: the deliveries are due as they were. $1 destinations, $2 ids, $3 lease ids */
export const releaseLeased = statement({
  name: 'deliveries.release',
  text: `
    UPDATE deliveries d SET lease_id = NULL, due_at = coalesce(d.next_attempt_at, d.due_at)
    FROM unnest($1::text[], $2::text[], $3::uuid[]) AS r (destination_id, id, lease_id)
    WHERE d.destination_id = r.destination_id AND d.id = r.id AND d.lease_id = r.lease_id AND d.state = 'waiting'`,
})
