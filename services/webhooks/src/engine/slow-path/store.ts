import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** A delivery taken from the rows, with the bytes to send. */
export const Claimed = z.object({
  destination_id: z.string(),
  id: z.string(),
  lane: z.literal([0, 1]),
  retries_used: z.number(),
  event_id: z.string(),
  body: z.string(),
  body_sealed: z.string().nullable(),
  /** Of the destinations as they stood at the claim. */
  revision: z.number(),
})
export type Claimed = z.infer<typeof Claimed>

/** At most so many deliveries of one destination and lane are claimed at once. */
export const MOST_CLAIMED = 128

/**
 * Leases due deliveries: at most n of each asked lane and destination, so that a backlog on one costs the others
 * nothing. Rows that another replica is claiming are skipped. While a row is leased its due time is the lease's
 * end: what nobody finishes becomes due again by itself. The inner limit takes nothing away: without a number there, the
 * planner takes a tenth of the waiting rows for granted, and reads a whole index to find 64 of a million.
 * $1 lanes, $2 destinations, $3 how many of each, $4 lease ends in ms of each, $5 now in ms, $6 lease id
 */
export const claimDue = statement({
  name: 'deliveries.claim',
  text: `
    WITH asked AS (
      SELECT * FROM unnest($1::smallint[], $2::text[], $3::integer[], $4::float8[])
        AS a (lane, destination_id, n, lease_end_ms)
    ), due AS MATERIALIZED (
      SELECT row.destination_id, row.id, asked.lease_end_ms
      FROM asked CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT d.destination_id, d.id FROM deliveries d
          WHERE d.state = 'waiting' AND d.lane = asked.lane AND d.destination_id = asked.destination_id
            AND d.due_at <= to_timestamp($5::float8 / 1000.0)
          ORDER BY d.due_at, d.id
          LIMIT ${MOST_CLAIMED}
          FOR UPDATE SKIP LOCKED
        ) AS front
        LIMIT asked.n
      ) AS row
    )
    UPDATE deliveries d SET lease_id = $6, due_at = to_timestamp(due.lease_end_ms / 1000.0)
    FROM due, events e
    WHERE d.destination_id = due.destination_id AND d.id = due.id
      AND e.owner_id = d.owner_id AND e.event_id = d.event_id
    RETURNING d.destination_id, d.id, d.lane, d.retries_used, e.event_id, e.body, e.body_sealed,
      (SELECT revision FROM destination_revision) AS revision`,
  row: Claimed,
})

/**
 * The earliest due time of every lane and destination that has waiting deliveries: a walk from one to the next
 * through the index, at one look-up each however many rows wait. Those that wait for long yet are left out.
 * $1 latest due time in ms
 */
export const surveyWaiting = statement({
  name: 'deliveries.survey',
  text: `
    WITH RECURSIVE front AS (
      (SELECT lane, destination_id, due_at FROM deliveries
        WHERE state = 'waiting' ORDER BY lane, destination_id, due_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM front CROSS JOIN LATERAL (
        SELECT lane, destination_id, due_at FROM deliveries
        WHERE state = 'waiting' AND (lane, destination_id) > (front.lane, front.destination_id)
        ORDER BY lane, destination_id, due_at LIMIT 1
      ) AS next
    )
    SELECT lane, destination_id, (extract(epoch FROM due_at) * 1000)::float8 AS due_ms FROM front
    WHERE due_at <= to_timestamp($1::float8 / 1000.0)`,
  row: z.object({ lane: z.literal([0, 1]), destination_id: z.string(), due_ms: z.number() }),
})
