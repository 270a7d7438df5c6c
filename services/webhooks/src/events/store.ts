import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** Which of these events were recorded before. $1 owners, $2 event ids */
export const knownEvents = statement({
  name: 'events.known',
  text: `
    SELECT e.owner_id, e.event_id FROM events e
    JOIN unnest($1::text[], $2::text[]) AS asked (owner_id, event_id)
      ON e.owner_id = asked.owner_id AND e.event_id = asked.event_id`,
  row: z.object({ owner_id: z.string(), event_id: z.string() }),
})

/** An event of an owner's log with its deliveries. */
export const LoggedEventRow = z.object({
  event_id: z.string(),
  type: z.string(),
  integration_id: z.string().nullable(),
  created_at: z.date(),
  deliveries: z
    .array(
      z.object({
        destination_id: z.string(),
        id: z.string(),
        state: z.enum(['waiting', 'delivered', 'dead']),
        next_attempt_at: z.string().nullable(),
      }),
    )
    .nullable(),
})
export type LoggedEventRow = z.infer<typeof LoggedEventRow>

/** As many as an owner may have destinations; more are left of such as are gone. */
const SHOWN_DELIVERIES = 1_000

/** @param which narrows the deliveries that are shown */
const shown = (which: string): string => `
  e.event_id, e.type, e.integration_id, e.created_at,
  (SELECT json_agg(json_build_object(
      'destination_id', d.destination_id, 'id', d.id, 'state', d.state, 'next_attempt_at',
      to_char(d.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY d.id)
    FROM (
      SELECT * FROM deliveries d WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND ${which}
      ORDER BY d.id DESC LIMIT ${SHOWN_DELIVERIES}
    ) AS d
  ) AS deliveries`

/** Events that are looked at for a page; a filter may leave few of them. */
export const LOOKED_AT = 10_000

const SEEN = `
  SELECT * FROM events e
  WHERE e.owner_id = $1 AND e.created_at >= $2 AND e.created_at <= $3 AND (e.created_at, e.event_id) < ($3, $4)
  ORDER BY e.created_at DESC, e.event_id DESC`

/** @param own narrows the deliveries to those that count */
const standing = (own: string): string => `
  ($5::text[] IS NULL OR e.type = ANY ($5)) AND ($6::text IS NULL OR CASE $6
    WHEN 'missed' THEN NOT EXISTS (
      SELECT FROM deliveries d WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND ${own})
    ELSE EXISTS (
      SELECT FROM deliveries d
      WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND d.state = $6 AND ${own}) END)`

/**
 * An owner's events, newest first, out of the next ${LOOKED_AT}. $1 owner, $2 created since, $3 and $4 before this
 * time and id, $5 types or null, $6 how they stand or null, $7 limit
 */
export const listEvents = statement({
  name: 'events.list',
  text: `
    SELECT ${shown('true')} FROM (${SEEN} LIMIT ${LOOKED_AT}) AS e
    WHERE ${standing('true')}
    ORDER BY e.created_at DESC, e.event_id DESC LIMIT $7`,
  row: LoggedEventRow,
})

/** What a destination takes by its present settings (see `takes` in engine/fast-path/fan-out.ts). */
export const TAKES = `
  (destination.event_types = '{}' OR e.type = ANY (destination.event_types))
  AND (destination.integration_id IS NULL OR destination.integration_id IS NOT DISTINCT FROM e.integration_id)`

/** The same for one destination: the events that it got or would have taken. $1 to $7 as above, $8 destination */
export const listEventsOf = statement({
  name: 'events.list-of',
  text: `
    SELECT ${shown('d.destination_id = $8')}
    FROM (SELECT * FROM destinations WHERE owner_id = $1 AND id = $8) AS destination,
      (${SEEN} LIMIT ${LOOKED_AT}) AS e
    WHERE ${standing('d.destination_id = $8')} AND (${TAKES} OR EXISTS (
      SELECT FROM deliveries d WHERE d.event_id = e.event_id AND d.destination_id = $8 AND d.owner_id = $1))
    ORDER BY e.created_at DESC, e.event_id DESC LIMIT $7`,
  row: LoggedEventRow,
})

/** Where a list goes on that looked at all it may; no row when there is nothing more. $1 to $4 as above */
export const lastEventLookedAt = statement({
  name: 'events.last-looked-at',
  text: `SELECT e.event_id, e.created_at FROM (${SEEN} OFFSET ${LOOKED_AT} - 1 LIMIT 1) AS e`,
  row: z.object({ event_id: z.string(), created_at: z.date() }),
})

/** With the body that is sent. $1 owner, $2 event, $3 oldest that is shown */
export const findEvent = statement({
  name: 'events.find',
  text: `
    SELECT ${shown('true')}, e.body, e.body_sealed FROM events e
    WHERE e.owner_id = $1 AND e.event_id = $2 AND e.created_at >= $3`,
  row: LoggedEventRow.extend({ body: z.string(), body_sealed: z.string().nullable() }),
})
