import { statement } from '@causeway/chassis'
import { z } from 'zod'

const AttemptRow = z.object({
  at: z.string(),
  status_code: z.number().nullable(),
  latency_ms: z.number(),
  error: z.string().nullable(),
  response_body: z.string().nullable(),
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

const SHOWN = `
  d.id, d.event_id, e.type AS event_type, d.state, d.next_attempt_at, d.created_at,
  (SELECT json_agg(json_build_object(
      'at', to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status_code', a.status_code,
      'latency_ms', a.latency_ms, 'error', a.error, 'response_body', a.response_body) ORDER BY a.at)
    FROM (
      SELECT * FROM attempts
      -- A first attempt is made before its delivery is written down, by seconds; the days before it are not looked at.
      WHERE delivery_id = d.id AND at >= d.created_at - interval '1 hour'
      ORDER BY at DESC LIMIT ${SHOWN_ATTEMPTS}
    ) AS a
  ) AS attempts`

/**
 * Newest first. $1 owner, $2 destination, $3 before this id, $4 limit, $5 state, $6 created since, $7 created before;
 * null leaves a filter out
 */
export const listDeliveries = statement({
  name: 'deliveries.list',
  text: `
    SELECT ${SHOWN}
    FROM deliveries d JOIN events e ON e.owner_id = d.owner_id AND e.event_id = d.event_id
    WHERE d.owner_id = $1 AND d.destination_id = $2 AND d.id < $3
      AND ($5::text IS NULL OR d.state = $5)
      AND ($6::timestamptz IS NULL OR d.created_at >= $6)
      AND ($7::timestamptz IS NULL OR d.created_at < $7)
    ORDER BY d.id DESC LIMIT $4`,
  row: DeliveryRow,
})

/** $1 owner, $2 destination, $3 id */
export const findDelivery = statement({
  name: 'deliveries.find',
  text: `
    SELECT ${SHOWN}
    FROM deliveries d JOIN events e ON e.owner_id = d.owner_id AND e.event_id = d.event_id
    WHERE d.owner_id = $1 AND d.destination_id = $2 AND d.id = $3`,
  row: DeliveryRow,
})

/**
 * Makes a delivery due at once, with the whole schedule before it. An attempt under way loses its lease: it is
 * recorded, but no longer decides. $1 owner, $2 destination, $3 id, $4 now
 */
export const redeliver = statement({
  name: 'deliveries.redeliver',
  text: `
    UPDATE deliveries SET state = 'waiting', lane = 1, retries_used = 0, lease_id = NULL, due_at = $4,
      next_attempt_at = $4
    WHERE owner_id = $1 AND destination_id = $2 AND id = $3
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

/**
 * The same for ended deliveries of a time, oldest first. $1 owner, $2 destination, $3 after this id, $4 limit,
 * $5 states, $6 created since, $7 created before or null, $8 now
 */
export const redeliverSince = statement({
  name: 'deliveries.redeliver-since',
  text: `
    WITH chosen AS MATERIALIZED (
      SELECT d.id FROM deliveries d
      WHERE d.owner_id = $1 AND d.destination_id = $2 AND d.id > $3 AND d.state = ANY ($5::text[])
        AND d.created_at >= $6 AND ($7::timestamptz IS NULL OR d.created_at < $7)
      ORDER BY d.id LIMIT $4
      FOR UPDATE
    ), moved AS (
      UPDATE deliveries d SET state = 'waiting', lane = 1, retries_used = 0, lease_id = NULL, due_at = $8,
        next_attempt_at = $8
      FROM chosen WHERE d.destination_id = $2 AND d.id = chosen.id
    )
    SELECT count(*)::integer AS redelivered, max(id) AS last FROM chosen`,
  row: z.object({ redelivered: z.number(), last: z.string().nullable() }),
})
