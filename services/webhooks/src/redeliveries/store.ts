import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { Redelivery } from '@causeway/contracts'
import { z } from 'zod'
import { keptFromPlanner, MAKE_DUE } from '../deliveries/store.ts'
import { MATCHES_DESTINATION } from '../destinations/store.ts'

/** A redelivery as it is shown. */
export const RedeliveryRow = z.object({
  id: z.string(),
  destinationId: z.string(),
  status: Redelivery.shape.status,
  eventStatus: z.enum(['delivered', 'dead', 'missed']).nullable(),
  since: z.date(),
  until: z.date(),
  perSecond: z.number(),
  sent: z.number(),
  reachedAt: z.date(),
  createdAt: z.date(),
  finishedAt: z.date().nullable(),
})
export type RedeliveryRow = z.infer<typeof RedeliveryRow>

const SHOWN = `id, destination_id, status, event_status, since, until, per_second, sent, reached_at, created_at,
  finished_at`
const OWNED = 'owner_id = :ownerId AND destination_id = :webhookId'
const owned = { ownerId: 'text', webhookId: 'text' } as const

/** @returns null while another redelivery of the destination is running */
export const insertRedelivery = queryOne({
  name: 'redeliveries.insert',
  parameters: {
    ...owned,
    id: 'text',
    eventStatus: 'text?',
    since: 'timestamptz',
    until: 'timestamptz',
    perSecond: 'integer',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO redeliveries (id, owner_id, destination_id, status, event_status, since, until, per_second, sent,
      reached_at, reached_id, next_at, created_at)
    VALUES (:id, :ownerId, :webhookId, 'running', :eventStatus, :since, :until, :perSecond, 0, :since, '', :now, :now)
    ON CONFLICT (destination_id) WHERE status = 'running' DO NOTHING
    RETURNING ${SHOWN}`,
  row: RedeliveryRow,
})

/** Newest first. */
export const listRedeliveries = queryMany({
  name: 'redeliveries.list',
  parameters: { ...owned, limit: 'integer' },
  text: `SELECT ${SHOWN} FROM redeliveries WHERE ${OWNED} ORDER BY id DESC LIMIT :limit`,
  row: RedeliveryRow,
})

export const findRedelivery = queryOne({
  name: 'redeliveries.find',
  parameters: { ...owned, id: 'text' },
  text: `SELECT ${SHOWN} FROM redeliveries WHERE ${OWNED} AND id = :id`,
  row: RedeliveryRow,
})

/** A redelivery that has ended stays unchanged. */
export const cancelRedelivery = queryOne({
  name: 'redeliveries.cancel',
  parameters: { ...owned, id: 'text', now: 'timestamptz' },
  text: `
    UPDATE redeliveries SET
      status = CASE WHEN status = 'running' THEN 'cancelled' ELSE status END,
      finished_at = coalesce(finished_at, :now)
    WHERE ${OWNED} AND id = :id
    RETURNING ${SHOWN}`,
  row: RedeliveryRow,
})

export const ClaimedRedelivery = z.object({
  id: z.string(),
  destinationId: z.string(),
  perSecond: z.number(),
  reachedAt: z.date(),
  until: z.date(),
  /** Deliveries of the destination after first attempts that are due by `dueUntil`, counted up to a bound. */
  waiting: z.number(),
})
export type ClaimedRedelivery = z.infer<typeof ClaimedRedelivery>

/**
 * Claims due redeliveries for this replica until `nextAt`. Those of deleted destinations are cancelled. A delivery that
 * is leased is due at the end of its lease, so `dueUntil` is a lease ahead: once released, it is due immediately.
 */
export const claimRedeliveries = queryMany({
  name: 'redeliveries.take',
  parameters: {
    now: 'timestamptz',
    nextAt: 'timestamptz',
    dueUntil: 'timestamptz',
    limit: 'integer',
    waitingBound: 'integer',
  },
  text: `
    WITH orphaned AS (
      UPDATE redeliveries r SET status = 'cancelled', finished_at = :now
      WHERE status = 'running' AND NOT EXISTS (
        SELECT FROM destinations d WHERE d.id = r.destination_id AND d.removed_at IS NULL)
    ), due AS MATERIALIZED (
      SELECT r.id FROM redeliveries r
      JOIN destinations d ON d.id = r.destination_id AND d.removed_at IS NULL
      WHERE r.status = 'running' AND r.next_at <= :now
      ORDER BY r.next_at LIMIT :limit FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE redeliveries r SET next_at = :nextAt FROM due WHERE r.id = due.id
    RETURNING r.id, r.destination_id, r.per_second, r.reached_at, r.until, (
      SELECT count(*)::integer FROM (
        SELECT FROM deliveries d
        WHERE d.state = 'waiting' AND d.lane = 1 AND d.destination_id = r.destination_id AND d.due_at <= :dueUntil
        LIMIT :waitingBound) AS counted
    ) AS waiting`,
  row: ClaimedRedelivery,
})

/**
 * Advances a redelivery: scans the next events in the order of their ids, makes as many due as new ids are given, and records the position, all
 * in one statement, so that a crash repeats nothing. Deliveries that wait already stay unchanged.
 * @returns null for one that no longer runs
 */
export const advanceRedelivery = queryOne({
  name: 'redeliveries.advance',
  parameters: {
    id: 'text',
    now: 'timestamptz',
    scanLimit: 'integer',
    newIds: 'text[]',
    oldestEvent: 'timestamptz',
    fromId: 'text',
    beforeId: 'text',
  },
  text: `
    WITH run AS MATERIALIZED (
      SELECT * FROM redeliveries WHERE id = :id AND status = 'running' FOR UPDATE
    ), scanned AS MATERIALIZED (
      SELECT e.owner_id, e.event_id, e.type, e.created_at, CASE
          WHEN d.state IS NOT NULL THEN d.state
          WHEN ${MATCHES_DESTINATION} THEN 'missed'
        END AS state
      FROM run JOIN destinations destination ON destination.id = run.destination_id
      CROSS JOIN LATERAL (
        SELECT * FROM events
        WHERE owner_id = run.owner_id AND (owner_id, event_id) > (run.owner_id, greatest(run.reached_id, :fromId))
          AND event_id < :beforeId
          AND ${keptFromPlanner('created_at >= greatest(run.since, :oldestEvent) AND created_at < run.until')}
        ORDER BY event_id LIMIT :scanLimit
      ) AS e
      LEFT JOIN deliveries d ON d.event_id = e.event_id AND d.destination_id = run.destination_id
    ), chosen AS MATERIALIZED (
      SELECT scanned.*, row_number() OVER (ORDER BY scanned.event_id) AS n FROM scanned, run
      WHERE scanned.state <> 'waiting' AND (run.event_status IS NULL OR run.event_status = scanned.state)
      ORDER BY scanned.event_id LIMIT cardinality(:newIds)
    ), sent AS (
      INSERT INTO deliveries AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
        due_at, next_attempt_at, created_at)
      SELECT run.destination_id, (:newIds)[n], chosen.owner_id, event_id, type, 'waiting', 1, 0, :now, :now, :now
      FROM chosen, run
      ON CONFLICT (event_id, destination_id) DO UPDATE SET ${MAKE_DUE}
        WHERE d.state <> 'waiting'
      RETURNING d.id
    ), progress AS (
      SELECT (SELECT count(*) FROM chosen) < cardinality(:newIds) AS has_room,
        (SELECT count(*) FROM scanned) < :scanLimit AS is_end, (SELECT count(*)::integer FROM sent) AS sent
    ), last AS (
      (SELECT created_at, event_id FROM chosen WHERE NOT (SELECT has_room FROM progress)
        ORDER BY event_id DESC LIMIT 1)
      UNION ALL
      (SELECT created_at, event_id FROM scanned WHERE (SELECT has_room FROM progress)
        ORDER BY event_id DESC LIMIT 1)
    )
    UPDATE redeliveries r SET sent = r.sent + progress.sent,
      reached_at = CASE WHEN progress.has_room AND progress.is_end THEN r.until
        ELSE coalesce(last.created_at, r.reached_at) END,
      reached_id = coalesce(last.event_id, r.reached_id),
      status = CASE WHEN progress.has_room AND progress.is_end THEN 'done' ELSE r.status END,
      finished_at = CASE WHEN progress.has_room AND progress.is_end THEN :now END
    FROM run, progress LEFT JOIN last ON true
    WHERE r.id = run.id
    RETURNING progress.sent, r.status = 'running' AS is_running`,
  row: z.object({ sent: z.number(), isRunning: z.boolean() }),
})

export const purgeRedeliveries = queryNone({
  name: 'redeliveries.purge',
  parameters: { finishedBefore: 'timestamptz' },
  text: `DELETE FROM redeliveries WHERE status <> 'running' AND finished_at < :finishedBefore`,
})
