import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { AGAIN } from '../deliveries/store.ts'
import { TAKES } from '../events/store.ts'

/** A redelivery as it is shown. */
export const RedeliveryRow = z.object({
  id: z.string(),
  destination_id: z.string(),
  status: z.enum(['running', 'done', 'cancelled']),
  event_status: z.enum(['delivered', 'dead', 'missed']).nullable(),
  since: z.date(),
  until: z.date(),
  per_second: z.number(),
  sent: z.number(),
  reached_at: z.date(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
})
export type RedeliveryRow = z.infer<typeof RedeliveryRow>

const SHOWN = `id, destination_id, status, event_status, since, until, per_second, sent, reached_at, created_at,
  finished_at`

/** No row: one is running. $1 id, $2 owner, $3 destination, $4 event status or null, $5 since, $6 until, $7 per second, $8 now */
export const insertRedelivery = statement({
  name: 'redeliveries.insert',
  text: `
    INSERT INTO redeliveries (id, owner_id, destination_id, status, event_status, since, until, per_second, sent,
      reached_at, reached_id, next_at, created_at)
    VALUES ($1, $2, $3, 'running', $4, $5, $6, $7, 0, $5, '', $8, $8)
    ON CONFLICT (destination_id) WHERE status = 'running' DO NOTHING
    RETURNING ${SHOWN}`,
  row: RedeliveryRow,
})

/** Newest first. $1 owner, $2 destination, $3 limit */
export const listRedeliveries = statement({
  name: 'redeliveries.list',
  text: `
    SELECT ${SHOWN} FROM redeliveries WHERE owner_id = $1 AND destination_id = $2
    ORDER BY id DESC LIMIT $3`,
  row: RedeliveryRow,
})

/** $1 owner, $2 destination, $3 id */
export const findRedelivery = statement({
  name: 'redeliveries.find',
  text: `SELECT ${SHOWN} FROM redeliveries WHERE owner_id = $1 AND destination_id = $2 AND id = $3`,
  row: RedeliveryRow,
})

/** One that has ended stays as it is. $1 owner, $2 destination, $3 id, $4 now */
export const cancelRedelivery = statement({
  name: 'redeliveries.cancel',
  text: `
    UPDATE redeliveries SET
      status = CASE WHEN status = 'running' THEN 'cancelled' ELSE status END,
      finished_at = coalesce(finished_at, $4)
    WHERE owner_id = $1 AND destination_id = $2 AND id = $3
    RETURNING ${SHOWN}`,
  row: RedeliveryRow,
})

/**
 * Takes redeliveries whose time has come, for this replica alone until their next time. Those of destinations that
 * are gone end. `waiting` counts what is due at the destination behind first attempts, up to a bound.
 * $1 now, $2 next time, $3 how many, $4 bound of the count
 */
export const takeRedeliveries = statement({
  name: 'redeliveries.take',
  text: `
    WITH gone AS (
      UPDATE redeliveries r SET status = 'cancelled', finished_at = $1
      WHERE status = 'running' AND NOT EXISTS (
        SELECT FROM destinations d WHERE d.id = r.destination_id AND d.removed_at IS NULL)
    ), due AS MATERIALIZED (
      SELECT r.id FROM redeliveries r
      JOIN destinations d ON d.id = r.destination_id AND d.removed_at IS NULL
      WHERE r.status = 'running' AND r.next_at <= $1
      ORDER BY r.next_at LIMIT $3 FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE redeliveries r SET next_at = $2 FROM due WHERE r.id = due.id
    RETURNING r.id, r.destination_id, r.per_second, (
      SELECT count(*)::integer FROM (
        SELECT FROM deliveries d
        WHERE d.state = 'waiting' AND d.lane = 1 AND d.destination_id = r.destination_id AND d.due_at <= $1
        LIMIT $4) AS counted
    ) AS waiting`,
  row: z.object({
    id: z.string(),
    destination_id: z.string(),
    per_second: z.number(),
    waiting: z.number(),
  }),
})

/**
 * Goes on with a redelivery: looks at the next events, makes as many due as ids are given, and notes how far it came,
 * all in one statement, so that a crash repeats nothing. What waits already stays as it is.
 * $1 redelivery, $2 now, $3 how many events are looked at, $4 ids of deliveries that are new, $5 oldest event that is
 * sent
 */
export const advanceRedelivery = statement({
  name: 'redeliveries.advance',
  text: `
    WITH run AS MATERIALIZED (
      SELECT * FROM redeliveries WHERE id = $1 AND status = 'running' FOR UPDATE
    ), seen AS MATERIALIZED (
      SELECT e.owner_id, e.event_id, e.type, e.created_at, CASE
          WHEN d.state IS NOT NULL THEN d.state
          WHEN ${TAKES} THEN 'missed'
        END AS state
      FROM run JOIN destinations destination ON destination.id = run.destination_id
      CROSS JOIN LATERAL (
        SELECT * FROM events
        WHERE owner_id = run.owner_id AND created_at >= greatest(run.reached_at, $5) AND created_at < run.until
          AND (created_at, event_id) > (run.reached_at, run.reached_id)
        ORDER BY created_at, event_id LIMIT $3
      ) AS e
      LEFT JOIN deliveries d ON d.event_id = e.event_id AND d.destination_id = run.destination_id
    ), chosen AS MATERIALIZED (
      SELECT seen.*, row_number() OVER (ORDER BY seen.created_at, seen.event_id) AS n FROM seen, run
      WHERE seen.state <> 'waiting' AND (run.event_status IS NULL OR run.event_status = seen.state)
      ORDER BY seen.created_at, seen.event_id LIMIT cardinality($4::text[])
    ), sent AS (
      INSERT INTO deliveries AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
        due_at, next_attempt_at, created_at)
      SELECT run.destination_id, ($4::text[])[n], chosen.owner_id, event_id, type, 'waiting', 1, 0, $2, $2, $2
      FROM chosen, run
      ON CONFLICT (event_id, destination_id) DO UPDATE SET ${AGAIN}, due_at = $2, next_attempt_at = $2
        WHERE d.state <> 'waiting'
      RETURNING d.id
    ), come AS (
      SELECT (SELECT count(*) FROM chosen) < cardinality($4::text[]) AS has_room,
        (SELECT count(*) FROM seen) < $3 AS is_end, (SELECT count(*)::integer FROM sent) AS sent
    ), last AS (
      (SELECT created_at, event_id FROM chosen WHERE NOT (SELECT has_room FROM come)
        ORDER BY created_at DESC, event_id DESC LIMIT 1)
      UNION ALL
      (SELECT created_at, event_id FROM seen WHERE (SELECT has_room FROM come)
        ORDER BY created_at DESC, event_id DESC LIMIT 1)
    )
    UPDATE redeliveries r SET sent = r.sent + come.sent,
      reached_at = CASE WHEN come.has_room AND come.is_end THEN r.until ELSE coalesce(last.created_at, r.reached_at) END,
      reached_id = coalesce(last.event_id, r.reached_id),
      status = CASE WHEN come.has_room AND come.is_end THEN 'done' ELSE r.status END,
      finished_at = CASE WHEN come.has_room AND come.is_end THEN $2::timestamptz END
    FROM run, come LEFT JOIN last ON true
    WHERE r.id = run.id
    RETURNING come.sent, r.status = 'running' AS goes_on`,
  row: z.object({ sent: z.number(), goes_on: z.boolean() }),
})

/** $1 oldest that is kept */
export const purgeRedeliveries = statement({
  name: 'redeliveries.purge',
  text: `DELETE FROM redeliveries WHERE status <> 'running' AND finished_at < $1`,
})
