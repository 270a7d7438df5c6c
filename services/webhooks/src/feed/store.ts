import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { keptFromPlanner } from '../deliveries/store.ts'
import { TEST_EVENT } from '../destinations/domain.ts'
import { STOPPABLE_RELATIONSHIP } from '../relationships/store.ts'

/** Place of an event in its partner's feed, which never changes (ADR 0099). */
export const FeedPosition = z.object({ position: z.number(), eventId: z.string() })
export type FeedPosition = Readonly<z.infer<typeof FeedPosition>>

/** Before every event: positions begin at 0. */
export const FEED_START: FeedPosition = { position: -1, eventId: '' }

export const isAfter = (a: FeedPosition, b: FeedPosition): boolean =>
  a.position > b.position || (a.position === b.position && a.eventId > b.eventId)

/** The newest event of a partner; null without any. */
export const findFeedEnd = queryOne({
  name: 'feed.find-end',
  parameters: { ownerId: 'text' },
  text: `
    SELECT e.feed_position AS position, e.event_id FROM events e
    WHERE e.owner_id = :ownerId AND e.feed_position IS NOT NULL
    ORDER BY e.owner_id DESC, e.feed_position DESC, e.event_id DESC LIMIT 1`,
  row: FeedPosition,
})

/** The position of one event; null for an unknown or foreign one. */
export const findFeedPosition = queryOne({
  name: 'feed.find-position',
  parameters: { ownerId: 'text', eventId: 'text' },
  text: `
    SELECT e.feed_position AS position, e.event_id FROM events e
    WHERE e.owner_id = :ownerId AND e.event_id = :eventId AND e.feed_position IS NOT NULL`,
  row: FeedPosition,
})

/** How many events before a time are looked at to find where it begins. */
const BEFORE_SINCE = 1_000

/**
 * A position that is at most that of every event from `fromId` on, unless {@link BEFORE_SINCE} events before were
 * recorded after it: then they were late by as many. Null if no event is older.
 */
export const findFeedPositionAt = queryOne({
  name: 'feed.find-position-at',
  parameters: { ownerId: 'text', fromId: 'text' },
  text: `
    SELECT before.feed_position AS position, '' AS event_id FROM (
      SELECT e.feed_position FROM events e
      WHERE e.owner_id = :ownerId AND e.event_id < :fromId
      ORDER BY e.owner_id DESC, e.event_id DESC LIMIT ${BEFORE_SINCE}
    ) AS before
    ORDER BY before.feed_position LIMIT 1`,
  row: FeedPosition,
})

/** Most events that are scanned for a page; a filter may leave few of them. Kept from the planner: see deliveries. */
const SCAN_LIMIT = '(SELECT 10000)'

const span = {
  ownerId: 'text',
  position: 'bigint',
  eventId: 'text',
  endPosition: 'bigint',
  endId: 'text',
  oldest: 'timestamptz',
} as const

/** Events after a position, up to the end, in order. The end keeps out what is committed meanwhile. */
const SCAN = `
  SELECT * FROM events e
  WHERE e.owner_id = :ownerId AND e.feed_position IS NOT NULL
    AND (e.owner_id, e.feed_position, e.event_id) > (:ownerId, :position, :eventId)
    AND (e.feed_position, e.event_id) <= (:endPosition, :endId)
    AND ${keptFromPlanner('e.created_at >= :oldest')}
  ORDER BY e.owner_id, e.feed_position, e.event_id`

/** SQL: whether an event is shown: not a test call, and not of a relationship that is revoked, as no webhook sends it. */
const IS_SHOWN = `
  e.type <> '${TEST_EVENT}' AND NOT EXISTS (
    SELECT FROM relationships r WHERE r.partner_customer_id = ${STOPPABLE_RELATIONSHIP} AND r.is_revoked OFFSET 0)`

const FeedRow = FeedPosition.extend({ body: z.string(), bodySealed: z.string().nullable() })
export type FeedRow = Readonly<z.infer<typeof FeedRow>>

/** Events after a position, out of the next {@link SCAN_LIMIT}. An empty list of types means every type. */
export const listFeed = queryMany({
  name: 'feed.list',
  parameters: { ...span, types: 'text[]', limit: 'integer' },
  text: `
    SELECT e.feed_position AS position, e.event_id, e.body, e.body_sealed
    FROM (${SCAN} LIMIT ${SCAN_LIMIT}) AS e
    WHERE (cardinality(:types) = 0 OR e.type = ANY (:types)) AND ${IS_SHOWN}
    ORDER BY e.feed_position, e.event_id LIMIT :limit`,
  row: FeedRow,
})

/** The last event that {@link listFeed} scans where it reaches the scan limit; null if it reaches the end. */
export const findFeedScanPosition = queryOne({
  name: 'feed.last-scanned',
  parameters: span,
  text: `
    SELECT e.feed_position AS position, e.event_id FROM (${SCAN} OFFSET ${SCAN_LIMIT} - 1 LIMIT 1) AS e`,
  row: FeedPosition,
})

/** One event as the feed shows it; null also for one older than `oldest`. */
export const findFeedEvent = queryOne({
  name: 'feed.find',
  parameters: { ownerId: 'text', eventId: 'text', oldest: 'timestamptz' },
  text: `
    SELECT e.feed_position AS position, e.event_id, e.body, e.body_sealed FROM events e
    WHERE e.owner_id = :ownerId AND e.event_id = :eventId AND e.created_at >= :oldest
      AND e.feed_position IS NOT NULL AND ${IS_SHOWN}`,
  row: FeedRow,
})

/** Which of these requests, by their places in the arrays from 1, wait at a position that is no longer the end. */
export const findGrownFeeds = queryMany({
  name: 'feed.find-grown',
  parameters: { ownerIds: 'text[]', positions: 'bigint[]', eventIds: 'text[]' },
  text: `
    SELECT waiting.n::integer FROM unnest(:ownerIds, :positions, :eventIds) WITH ORDINALITY
      AS waiting (owner_id, feed_position, event_id, n)
    WHERE EXISTS (
      SELECT FROM events e
      WHERE e.owner_id = waiting.owner_id AND e.feed_position IS NOT NULL
        AND (e.owner_id, e.feed_position, e.event_id) > (waiting.owner_id, waiting.feed_position, waiting.event_id)
      OFFSET 0)`,
  row: z.object({ n: z.number() }),
})
