import { queryMany, queryOne } from '@causeway/chassis'
import { DeliveryStatus } from '@causeway/contracts'
import { z } from 'zod'
import { keptFromPlanner, MAKE_DUE } from '../deliveries/store.ts'
import { MATCHES_DESTINATION } from '../destinations/store.ts'

/** An event of an owner's log with its deliveries. */
export const LoggedEventRow = z.object({
  eventId: z.string(),
  type: z.string(),
  integrationId: z.string().nullable(),
  createdAt: z.date(),
  deliveries: z
    .array(
      z.object({
        destinationId: z.string(),
        id: z.string(),
        state: DeliveryStatus,
        nextAttemptAt: z.string().nullable(),
      }),
    )
    .nullable(),
})
export type LoggedEventRow = z.infer<typeof LoggedEventRow>

/** As many as an owner may have destinations; deleted ones may have left more. */
const SHOWN_DELIVERIES = 1_000

/** @param condition narrows the deliveries that are shown */
const shown = (condition: string): string => `
  e.event_id, e.type, e.integration_id, e.created_at,
  (SELECT json_agg(json_build_object(
      'destinationId', d.destination_id, 'id', d.id, 'state', d.state, 'nextAttemptAt',
      to_char(d.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY d.id)
    FROM (
      SELECT * FROM deliveries d WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND ${condition}
      ORDER BY d.id DESC LIMIT ${SHOWN_DELIVERIES}
    ) AS d
  ) AS deliveries`

/** SQL: most events that are scanned for a page; a filter may leave few of them. Kept from the planner: see deliveries. */
const SCAN_LIMIT = '(SELECT 10000)'

/** Which events a list scans: of one owner, by their ids, which bound the index, and their exact times. */
const span = {
  ownerId: 'text',
  fromId: 'text',
  beforeId: 'text',
  since: 'timestamptz',
  until: 'timestamptz',
} as const
const SCAN = `
  SELECT * FROM events e
  WHERE e.owner_id = :ownerId AND (e.owner_id, e.event_id) >= (:ownerId, :fromId) AND e.event_id < :beforeId
    AND ${keptFromPlanner('e.created_at >= :since AND e.created_at < :until')}
  ORDER BY e.event_id DESC`

/**
 * SQL: keeps an EXISTS from being answered by a hash of the whole table, which a plan does that was made while the
 * table was small.
 */
const EACH_BY_ITSELF = 'OFFSET 0'

/** @param condition narrows the deliveries that count for the status */
const matching = (condition: string): string => `
  (:eventType IS NULL OR e.type = :eventType) AND (:status IS NULL OR CASE :status
    WHEN 'missed' THEN NOT EXISTS (
      SELECT FROM deliveries d WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND ${condition}
      ${EACH_BY_ITSELF})
    ELSE EXISTS (
      SELECT FROM deliveries d
      WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND d.state = :status AND ${condition}
      ${EACH_BY_ITSELF}) END)`

const filter = { eventType: 'text?', status: 'text?', limit: 'integer' } as const

/** An owner's events, newest first, out of the next {@link SCAN_LIMIT}. */
export const listEvents = queryMany({
  name: 'events.list',
  parameters: { ...span, ...filter },
  text: `
    SELECT ${shown('true')} FROM (${SCAN} LIMIT ${SCAN_LIMIT}) AS e
    WHERE ${matching('true')}
    ORDER BY e.event_id DESC LIMIT :limit`,
  row: LoggedEventRow,
})

/** The events that were sent to one destination, or that match its present settings. */
export const listEventsOfDestination = queryMany({
  name: 'events.list-of',
  parameters: { ...span, ...filter, webhookId: 'text' },
  text: `
    SELECT ${shown('d.destination_id = :webhookId')}
    FROM (SELECT * FROM destinations WHERE owner_id = :ownerId AND id = :webhookId) AS destination,
      (${SCAN} LIMIT ${SCAN_LIMIT}) AS e
    WHERE ${matching('d.destination_id = :webhookId')} AND (${MATCHES_DESTINATION} OR EXISTS (
      SELECT FROM deliveries d
      WHERE d.event_id = e.event_id AND d.destination_id = :webhookId AND d.owner_id = :ownerId
      ${EACH_BY_ITSELF}))
    ORDER BY e.event_id DESC LIMIT :limit`,
  row: LoggedEventRow,
})

/** The last event scanned where a list reached the scan limit, for its cursor; null at the end. */
export const findScanPosition = queryOne({
  name: 'events.last-looked-at',
  parameters: span,
  text: `SELECT e.event_id FROM (${SCAN} OFFSET ${SCAN_LIMIT} - 1 LIMIT 1) AS e`,
  row: z.object({ eventId: z.string() }),
})

/** With the body that is sent. Null also for one older than `oldest`. */
export const findEvent = queryOne({
  name: 'events.find',
  parameters: { ownerId: 'text', eventId: 'text', oldest: 'timestamptz' },
  text: `
    SELECT ${shown('true')}, e.body, e.body_sealed FROM events e
    WHERE e.owner_id = :ownerId AND e.event_id = :eventId AND e.created_at >= :oldest`,
  row: LoggedEventRow.extend({ body: z.string(), bodySealed: z.string().nullable() }),
})

/**
 * Checks whether an event may be sent to a destination: if it was sent before, or if the destination subscribes to it. Null if
 * one of the two is not the owner's, or the event is older than `oldest`.
 */
export const findResendPermission = queryOne({
  name: 'deliveries.judge-resend',
  parameters: { ownerId: 'text', webhookId: 'text', eventId: 'text', oldest: 'timestamptz' },
  text: `
    SELECT ${MATCHES_DESTINATION} OR EXISTS (
      SELECT FROM deliveries d
      WHERE d.event_id = :eventId AND d.destination_id = :webhookId AND d.owner_id = :ownerId) AS allowed
    FROM destinations destination, events e
    WHERE destination.owner_id = :ownerId AND destination.id = :webhookId AND destination.removed_at IS NULL
      AND e.owner_id = :ownerId AND e.event_id = :eventId AND e.created_at >= :oldest`,
  row: z.object({ allowed: z.boolean() }),
})

/** Makes an event due at a destination, whether it was sent there before or not; a new delivery gets the given id. */
export const makeEventDue = queryOne({
  name: 'deliveries.resend',
  parameters: { ownerId: 'text', webhookId: 'text', eventId: 'text', newId: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO deliveries AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
      next_attempt_at, created_at)
    SELECT :webhookId, :newId, owner_id, event_id, type, 'waiting', 1, 0, :now, :now, :now
    FROM events WHERE owner_id = :ownerId AND event_id = :eventId
    ON CONFLICT (event_id, destination_id) DO UPDATE SET ${MAKE_DUE}
      WHERE d.owner_id = :ownerId
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

/** Whose deliveries an event has, of all partners and merchants. */
export const listOwners = queryMany({
  name: 'events.list-owners',
  parameters: { eventId: 'text', limit: 'integer' },
  text: `
    SELECT DISTINCT d.owner_id, destination.channel
    FROM (SELECT * FROM deliveries WHERE event_id = :eventId LIMIT ${SHOWN_DELIVERIES}) AS d
    JOIN destinations destination ON destination.id = d.destination_id LIMIT :limit`,
  row: z.object({ ownerId: z.string(), channel: z.enum(['partner', 'merchant']) }),
})
