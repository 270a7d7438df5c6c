import { PAGE_MAX_BYTES, queryMany, queryOne } from '@causeway/chassis'
import { DeliveryStatus } from '@causeway/contracts'
import { z } from 'zod'
import { IS_DISABLED } from '../destinations/store.ts'

const AttemptRow = z.object({
  at: z.string(),
  statusCode: z.number().nullable(),
  latencyMs: z.number(),
  error: z.string().nullable(),
  /** Null also where the bodies of the page are more than one may hold. */
  responseBody: z.string().nullable(),
  hasBody: z.boolean(),
})

/** A delivery with its attempts, oldest first. */
export const DeliveryRow = z.object({
  id: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  state: DeliveryStatus,
  nextAttemptAt: z.date().nullable(),
  createdAt: z.date(),
  attempts: z.array(AttemptRow).nullable(),
})
export type DeliveryRow = z.infer<typeof DeliveryRow>

/** Maximum attempts shown of a delivery that staff resend often; the latest are kept. */
const SHOWN_ATTEMPTS = 100

/** Reads what may fit into a page: of the latest bodies as JSON, and of the older ones, the younger first, unescaped. */
const MAY_FIT = `CASE age WHEN 1 THEN latest_bytes ELSE older_bytes END <= ${PAGE_MAX_BYTES}`

/**
 * The rows of a page with their events and attempts; ids are in the order of time, and bound it in the index. Bodies
 * are weighed before they are read: 100 deliveries may have 80 MB of them.
 */
const shown = (rows: string): string => `
  WITH page AS (${rows}), made AS (
    SELECT d.id AS delivery_id, a.*, row_number() OVER (PARTITION BY d.id ORDER BY a.at DESC) AS age
    FROM page AS d, LATERAL (
      (SELECT at, status_code, latency_ms, error, response_body FROM attempts
        -- A first attempt is made seconds before its delivery is recorded; the bound spares the partitions before it.
        WHERE delivery_id = d.id AND at >= d.created_at - interval '1 hour'
        ORDER BY at DESC LIMIT ${SHOWN_ATTEMPTS})
      UNION ALL
      SELECT d.first_at, d.first_status_code, d.first_latency_ms, d.first_error, d.first_response_body
      WHERE d.first_at >= :oldestAttempt
      ORDER BY at DESC LIMIT ${SHOWN_ATTEMPTS}
    ) AS a
  ), weighed AS (
    SELECT made.*,
      sum(CASE WHEN age = 1 THEN octet_length(to_json(response_body)::text) ELSE 0 END)
        OVER (ORDER BY age, delivery_id DESC) AS latest_bytes,
      sum(CASE WHEN age > 1 THEN octet_length(response_body) ELSE 0 END)
        OVER (ORDER BY age, delivery_id DESC) AS older_bytes
    FROM made
  ), grouped AS MATERIALIZED ( -- once, not for each row of the page that it is joined to
    SELECT delivery_id, json_agg(json_build_object(
        'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'statusCode', status_code,
        'latencyMs', latency_ms, 'error', error, 'hasBody', response_body IS NOT NULL,
        'responseBody', CASE WHEN ${MAY_FIT} THEN response_body END) ORDER BY at) AS attempts
    FROM weighed GROUP BY delivery_id
  )
  SELECT d.id, d.event_id, e.type AS event_type, d.state, d.next_attempt_at, d.created_at, grouped.attempts
  FROM page AS d
  JOIN events e ON e.owner_id = d.owner_id AND e.event_id = d.event_id
  LEFT JOIN grouped ON grouped.delivery_id = d.id
  ORDER BY d.id DESC`

const page = (rows: string): string => shown(`SELECT * FROM (${rows}) AS found ORDER BY id DESC LIMIT :limit`)

/** Which deliveries a list looks at: of one destination, by their ids, which bound the index, and their exact times. */
const span = {
  ownerId: 'text',
  webhookId: 'text',
  fromId: 'text',
  beforeId: 'text',
  since: 'timestamptz',
  until: 'timestamptz',
} as const
/** Attempts that deliveries hold themselves are shown from here on. */
const shownSince = { oldestAttempt: 'timestamptz' } as const
/**
 * SQL: whether a condition holds, for rows that are read in the order of an index. A plain condition would mislead the
 * planner: of a range whose ends it does not know it expects one row in 200, and of an owner his share, although each
 * row of a destination is its owner's. It then plans for all rows to fill a page, and collects and sorts millions: 14 s
 * for 10,000 of 1,500,000. Of a CASE it expects every second row.
 */
export const keptFromPlanner = (condition: string): string =>
  `CASE WHEN ${condition} THEN true ELSE false END`

/** The lower end with the destination, for the same reason: as two ends of one range the planner would see them. */
const IN_SPAN = `
  d.destination_id = :webhookId AND (d.destination_id, d.id) >= (:webhookId, :fromId) AND d.id < :beforeId
  AND ${keptFromPlanner('d.owner_id = :ownerId AND d.created_at >= :since AND d.created_at < :until')}`

/** Rows without a type are older than the column: their event has it. */
const OF_TYPE = `
  (:eventType IS NULL OR d.event_type = :eventType OR d.event_type = '' AND EXISTS (
    SELECT FROM events e WHERE e.owner_id = d.owner_id AND e.event_id = d.event_id AND e.type = :eventType))`

/** Newest first. */
export const listDeliveries = queryMany({
  name: 'deliveries.list',
  parameters: { ...span, ...shownSince, limit: 'integer' },
  text: page(`SELECT * FROM deliveries d WHERE ${IN_SPAN} ORDER BY d.id DESC LIMIT :limit`),
  row: DeliveryRow,
})

/** The one delivery of an event, if it is in the span and of the state and type that are asked for. */
export const listDeliveriesOfEvent = queryMany({
  name: 'deliveries.list-of-event',
  parameters: {
    ...span,
    ...shownSince,
    limit: 'integer',
    state: 'text?',
    eventType: 'text?',
    eventId: 'text',
  },
  text: page(`
    SELECT * FROM deliveries d
    WHERE d.event_id = :eventId AND ${IN_SPAN} AND (:state IS NULL OR d.state = :state) AND ${OF_TYPE}
    LIMIT :limit`),
  row: DeliveryRow,
})

/** Most deliveries that are scanned for a page; a filter may leave few of them. */
export const SCAN_LIMIT = 10_000

/**
 * SQL: {@link SCAN_LIMIT}, kept from the planner: it plans for the first rows then, in the order of the index. For
 * 10,000 of a destination's dead deliveries it would collect and sort all of them, which may be a million.
 */
const SCAN = `(SELECT ${SCAN_LIMIT})`

/** @param condition one that an index supports */
const scan = (condition: string): string =>
  `SELECT * FROM deliveries d WHERE ${IN_SPAN} AND ${condition} ORDER BY d.id DESC`

/** A list with a filter, and the last delivery that it scanned where it reached the scan limit; null at the end. */
const filtered = (name: string, condition: string) => ({
  list: queryMany({
    name: `deliveries.list-${name}`,
    parameters: { ...span, ...shownSince, limit: 'integer', state: 'text?', eventType: 'text?' },
    text: page(`
      SELECT * FROM (${scan(condition)} LIMIT ${SCAN}) AS d
      WHERE (:state IS NULL OR d.state = :state) AND ${OF_TYPE}
      ORDER BY d.id DESC LIMIT :limit`),
    row: DeliveryRow,
  }),
  findScanPosition: queryOne({
    name: `deliveries.last-${name}`,
    parameters: span,
    text: `SELECT id FROM (${scan(condition)} OFFSET ${SCAN} - 1 LIMIT 1) AS d`,
    row: z.object({ id: z.string() }),
  }),
})

/** Deliveries of a state or a type, out of the next {@link SCAN_LIMIT}. */
export const filteredDeliveries = filtered('some', 'true')

/** Dead deliveries, out of the next dead ones, which have an index. */
export const deadDeliveries = filtered('dead', "d.state = 'dead'")

const DeadRow = z.object({
  id: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  createdAt: z.date(),
  webhookId: z.string(),
  ownerId: z.string(),
  channel: z.enum(['partner', 'merchant']),
  url: z.string(),
})
export type DeadRow = Readonly<z.infer<typeof DeadRow>>

/**
 * Dead deliveries of all destinations, newest first, before a position. Those of a deleted destination cannot be sent
 * again, and are purged within minutes.
 */
export const listDeadOfAll = queryMany({
  name: 'deliveries.list-dead-of-all',
  parameters: { beforeId: 'text', limit: 'integer' },
  text: `
    SELECT d.id, d.event_id, e.type AS event_type, d.created_at, d.destination_id AS webhook_id, d.owner_id,
      destination.channel, destination.url
    FROM (SELECT * FROM deliveries d WHERE d.state = 'dead' AND d.id < :beforeId ORDER BY d.id DESC LIMIT :limit) AS d
    JOIN destinations destination ON destination.id = d.destination_id
    JOIN events e ON e.owner_id = d.owner_id AND e.event_id = d.event_id
    ORDER BY d.id DESC`,
  row: DeadRow,
})

/** Up to so many waiting deliveries are sorted; of more, the next rows of all states are scanned. */
const SORT_LIMIT = 5_000

/** One more than {@link SORT_LIMIT}, in the order of the index; the limit is kept from the planner as {@link SCAN} is. */
const waiting = (columns: string): string => `
  SELECT d.* FROM (VALUES (0), (1)) AS l (lane), LATERAL (
    SELECT ${columns} FROM deliveries d
    WHERE d.state = 'waiting' AND d.lane = l.lane AND d.destination_id = :webhookId
    ORDER BY d.due_at, d.id LIMIT (SELECT ${SORT_LIMIT} + 1)
  ) AS d`
const ARE_FEW = `(SELECT count(*) <= ${SORT_LIMIT} FROM (${waiting('d.id')}) AS counted)`

/** Waiting deliveries: all of them if they are few, else out of the next {@link SCAN_LIMIT} of all states. */
export const waitingDeliveries = {
  list: queryMany({
    name: 'deliveries.list-waiting',
    parameters: { ...span, ...shownSince, limit: 'integer', eventType: 'text?' },
    text: page(`
      WITH few AS (SELECT ${ARE_FEW} AS is_few)
      (SELECT d.* FROM (${waiting('*')}) AS d
        WHERE (SELECT is_few FROM few) AND ${IN_SPAN} AND ${OF_TYPE}
        ORDER BY d.id DESC LIMIT :limit)
      UNION ALL
      (SELECT d.* FROM (${scan('NOT (SELECT is_few FROM few)')} LIMIT ${SCAN}) AS d
        WHERE d.state = 'waiting' AND ${OF_TYPE}
        ORDER BY d.id DESC LIMIT :limit)`),
    row: DeliveryRow,
  }),
  findScanPosition: queryOne({
    name: 'deliveries.last-waiting',
    parameters: span,
    text: `SELECT id FROM (${scan(`NOT ${ARE_FEW}`)} OFFSET ${SCAN} - 1 LIMIT 1) AS d`,
    row: z.object({ id: z.string() }),
  }),
}

export const findDelivery = queryOne({
  name: 'deliveries.find',
  parameters: { ...shownSince, ownerId: 'text', webhookId: 'text', id: 'text' },
  text: shown(`
    SELECT * FROM deliveries d
    WHERE d.owner_id = :ownerId AND d.destination_id = :webhookId AND d.id = :id`),
  row: DeliveryRow,
})

/** SQL: columns that every kind of resend sets: due immediately, after first attempts, with the whole schedule ahead. */
export const MAKE_DUE = `
  state = 'waiting', lane = 1, retries_used = 0, lease_id = NULL, due_at = :now, next_attempt_at = :now`

/**
 * Makes a delivery due immediately, unless its event is older than `oldestEvent`. An attempt in flight loses its lease: it is
 * recorded, but no longer decides. Null if the delivery does not exist.
 */
export const makeDeliveryDue = queryOne({
  name: 'deliveries.redeliver',
  parameters: {
    ownerId: 'text',
    webhookId: 'text',
    id: 'text',
    now: 'timestamptz',
    oldestEvent: 'timestamptz',
  },
  text: `
    UPDATE deliveries d SET ${MAKE_DUE}
    FROM events e
    WHERE d.owner_id = :ownerId AND d.destination_id = :webhookId AND d.id = :id
      AND e.owner_id = d.owner_id AND e.event_id = d.event_id AND e.created_at >= :oldestEvent
    RETURNING d.id`,
  row: z.object({ id: z.string() }),
})

/** Counts waiting and dead deliveries up to a bound each, so that the count of a large backlog costs no more. */
export const countBacklog = queryOne({
  name: 'deliveries.count-backlog',
  parameters: { bound: 'integer' },
  text: `
    SELECT
      (SELECT count(*)::integer FROM (
        SELECT FROM deliveries WHERE state = 'waiting' LIMIT :bound) AS waiting) AS waiting,
      (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE state = 'dead' LIMIT :bound) AS dead) AS dead`,
  row: z.object({ waiting: z.number(), dead: z.number() }),
})

/**
 * `front` (lane, destination_id, due_at): the earliest due time of every destination and priority that has waiting
 * deliveries. A walk from one to the next through the index, at one look-up each however many rows wait.
 */
export const EARLIEST_DUE = `
  WITH RECURSIVE front AS (
    (SELECT lane, destination_id, due_at FROM deliveries
      WHERE state = 'waiting' ORDER BY lane, destination_id, due_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM front CROSS JOIN LATERAL (
      SELECT lane, destination_id, due_at FROM deliveries
      WHERE state = 'waiting' AND (lane, destination_id) > (front.lane, front.destination_id)
      ORDER BY lane, destination_id, due_at LIMIT 1
    ) AS next
  )`

/** When the delivery was due that has been due for longest, of all destinations that are not disabled; null where none is due. */
export const findOldestDue = queryOne({
  name: 'deliveries.oldest-due',
  parameters: { now: 'timestamptz' },
  text: `
    ${EARLIEST_DUE}
    SELECT min(due_at) AS due_at FROM front
    WHERE due_at <= :now
      AND (SELECT ${IS_DISABLED} FROM destinations destination WHERE destination.id = destination_id) IS NOT TRUE`,
  row: z.object({ dueAt: z.date().nullable() }),
})
