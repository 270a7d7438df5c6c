import { PAGE_MAX_BYTES, statement } from '@causeway/chassis'
import { z } from 'zod'

const AttemptRow = z.object({
  at: z.string(),
  status_code: z.number().nullable(),
  latency_ms: z.number(),
  error: z.string().nullable(),
  /** Null also where the bodies of the page are more than one may hold. */
  response_body: z.string().nullable(),
  has_body: z.boolean(),
})

/** A delivery with its attempts, oldest first. */
export const DeliveryRow = z.object({
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  next_attempt_at: z.date().nullable(),
  created_at: z.date(),
  attempts: z.array(AttemptRow).nullable(),
})
export type DeliveryRow = z.infer<typeof DeliveryRow>

/** A delivery that staff send again and again shows its latest attempts. */
const SHOWN_ATTEMPTS = 100

/** What may fit into a page is read: of the latest bodies as JSON, and of the older ones, the younger first, as they are. */
const READ = `CASE age WHEN 1 THEN latest_bytes ELSE older_bytes END <= ${PAGE_MAX_BYTES}`

/**
 * The rows of a page with their events and attempts; ids are in the order of time, and bound it in the index. Bodies
 * are weighed before they are read: 100 deliveries may have 80 MB of them.
 */
const shown = (rows: string): string => `
  WITH page AS (${rows}), made AS (
    SELECT d.id AS delivery_id, a.*, row_number() OVER (PARTITION BY d.id ORDER BY a.at DESC) AS age
    FROM page AS d, LATERAL (
      SELECT at, status_code, latency_ms, error, response_body FROM attempts
      -- A first attempt is made before its delivery is written down, by seconds; the days before it are not looked at.
      WHERE delivery_id = d.id AND at >= d.created_at - interval '1 hour'
      ORDER BY at DESC LIMIT ${SHOWN_ATTEMPTS}
    ) AS a
  ), weighed AS (
    SELECT made.*,
      sum(CASE WHEN age = 1 THEN octet_length(to_json(response_body)::text) ELSE 0 END)
        OVER (ORDER BY age, delivery_id DESC) AS latest_bytes,
      sum(CASE WHEN age > 1 THEN octet_length(response_body) ELSE 0 END)
        OVER (ORDER BY age, delivery_id DESC) AS older_bytes
    FROM made
  ), told AS (
    SELECT delivery_id, json_agg(json_build_object(
        'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status_code', status_code,
        'latency_ms', latency_ms, 'error', error, 'has_body', response_body IS NOT NULL,
        'response_body', CASE WHEN ${READ} THEN response_body END) ORDER BY at) AS attempts
    FROM weighed GROUP BY delivery_id
  )
  SELECT d.id, d.event_id, e.type AS event_type, d.state, d.next_attempt_at, d.created_at, told.attempts
  FROM page AS d
  JOIN events e ON e.owner_id = d.owner_id AND e.event_id = d.event_id
  LEFT JOIN told ON told.delivery_id = d.id
  ORDER BY d.id DESC`

const page = (rows: string): string => shown(`SELECT * FROM (${rows}) AS found ORDER BY id DESC LIMIT $7`)
const OWN = `
  d.owner_id = $1 AND d.destination_id = $2 AND d.id >= $3 AND d.id < $4 AND d.created_at >= $5 AND d.created_at < $6`

/** Whether a row is of one of the types; rows without one are older than the column, and their event tells it. */
const ofTypes = (types: string): string => `
  (${types}::text[] IS NULL OR d.event_type = ANY (${types}) OR d.event_type = '' AND EXISTS (
    SELECT FROM events e WHERE e.owner_id = d.owner_id AND e.event_id = d.event_id AND e.type = ANY (${types})))`

/**
 * Newest first. $1 owner, $2 destination, $3 from this id, $4 before this id, $5 created since, $6 created before,
 * $7 limit
 */
export const listDeliveries = statement({
  name: 'deliveries.list',
  text: page(`SELECT * FROM deliveries d WHERE ${OWN} ORDER BY d.id DESC LIMIT $7`),
  row: DeliveryRow,
})

/** Deliveries that are looked at for a page; a filter may leave few of them. */
export const LOOKED_AT = 10_000

const seen = (which: string): string =>
  `SELECT * FROM deliveries d WHERE ${OWN} AND ${which} ORDER BY d.id DESC`

/** @param which a condition that an index bears */
const filtered = (name: string, which: string) => ({
  list: statement({
    name: `deliveries.list-${name}`,
    text: page(`
      SELECT * FROM (${seen(which)} LIMIT ${LOOKED_AT}) AS d
      WHERE ($8::text IS NULL OR d.state = $8) AND ${ofTypes('$9')}
      ORDER BY d.id DESC LIMIT $7`),
    row: DeliveryRow,
  }),
  lastLookedAt: statement({
    name: `deliveries.last-${name}`,
    text: `SELECT id FROM (${seen(which)} OFFSET ${LOOKED_AT} - 1 LIMIT 1) AS d`,
    row: z.object({ id: z.string() }),
  }),
})

/**
 * The same of a state and of types, out of the next ${LOOKED_AT}, and where a list goes on that looked at all it may:
 * no row when there is nothing more. $1 to $7 as above, $8 state or null, $9 types or null; the latter $1 to $6
 */
export const someDeliveries = filtered('some', 'true')

/** The same of what is dead, out of the next dead ones. */
export const deadDeliveries = filtered('dead', "d.state = 'dead'")

/** So many waiting deliveries are sorted; of more the newest rows are looked through. */
const SORTED = 5_000
const LOOKED_THROUGH = 500_000

/** The order is the index's own, so that no plan looks for what waits among all that does not. */
const WAITING = `
  SELECT d.* FROM (VALUES (0), (1)) AS l (lane), LATERAL (
    SELECT * FROM deliveries d
    WHERE d.state = 'waiting' AND d.lane = l.lane AND d.destination_id = $2
    ORDER BY d.due_at, d.id LIMIT ${SORTED} + 1
  ) AS d`

/**
 * The same of what waits. A large backlog is where the newest rows are: they are read backwards, to a bound.
 * $1 to $7 as above, $8 types or null
 */
export const listWaitingDeliveries = statement({
  name: 'deliveries.list-waiting',
  text: page(`
    WITH few AS (SELECT count(*) <= ${SORTED} AS is_few FROM (${WAITING}) AS counted)
    (SELECT d.* FROM (${WAITING}) AS d
      WHERE (SELECT is_few FROM few) AND ${OWN} AND ${ofTypes('$8')}
      ORDER BY d.id DESC LIMIT $7)
    UNION ALL
    (SELECT d.* FROM (
        SELECT * FROM deliveries d
        WHERE NOT (SELECT is_few FROM few) AND ${OWN} ORDER BY d.id DESC LIMIT ${LOOKED_THROUGH}
      ) AS d
      WHERE d.state = 'waiting' AND ${ofTypes('$8')}
      ORDER BY d.id DESC LIMIT $7)`),
  row: DeliveryRow,
})

/** $1 owner, $2 destination, $3 id */
export const findDelivery = statement({
  name: 'deliveries.find',
  text: shown('SELECT * FROM deliveries d WHERE d.owner_id = $1 AND d.destination_id = $2 AND d.id = $3'),
  row: DeliveryRow,
})

/** What every way of sending again does: due at once, behind first attempts, with the whole schedule before it. */
export const AGAIN = `state = 'waiting', lane = 1, retries_used = 0, lease_id = NULL`

/**
 * Makes a delivery due at once. An attempt under way loses its lease: it is recorded, but no longer decides.
 * $1 owner, $2 destination, $3 id, $4 now, $5 oldest event that is sent
 */
export const redeliver = statement({
  name: 'deliveries.redeliver',
  text: `
    UPDATE deliveries d SET ${AGAIN}, due_at = $4, next_attempt_at = $4
    FROM events e
    WHERE d.owner_id = $1 AND d.destination_id = $2 AND d.id = $3
      AND e.owner_id = d.owner_id AND e.event_id = d.event_id AND e.created_at >= $5
    RETURNING d.id`,
  row: z.object({ id: z.string() }),
})
