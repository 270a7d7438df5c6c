import { queryMany } from '@causeway/chassis'
import { z } from 'zod'
import { Priority } from '../due-index.ts'
import { STOPPABLE_RELATIONSHIP } from '../../relationships/store.ts'
import { EARLIEST_DUE } from '../../deliveries/store.ts'

/** A claimed delivery, with the bytes to send. */
const ClaimedDelivery = z.object({
  destinationId: z.string(),
  id: z.string(),
  priority: Priority,
  retriesUsed: z.number(),
  eventId: z.string(),
  body: z.string(),
  bodySealed: z.string().nullable(),
  traceparent: z.string().nullable(),
  /** When it was due before this claim, in milliseconds since the epoch. */
  dueMs: z.number(),
  /** Revision of the destinations at the time of the claim. */
  revision: z.number(),
  /** Its relationship is revoked: it has ended without another attempt. */
  isStopped: z.boolean(),
})
export type ClaimedDelivery = z.infer<typeof ClaimedDelivery>

/** Maximum deliveries of one destination and priority per claim. */
export const MAX_CLAIMED = 128

/**
 * Leases due deliveries: at most `counts` of each destination and priority, so that a backlog on one costs the others
 * nothing. Rows that another replica is claiming are skipped. While a row is leased, its due time is the end of its
 * lease: a row that is not finished by then is due again. The inner limit does not change the result: without a number
 * there the planner expects a tenth of the waiting rows, and reads a whole index to find 64 of a million (ADR 0028).
 * Rows that were due before `fromsMs` are left alone: what was claimed and finished since the oldest snapshot that
 * anybody holds stays in the index, before them, and each claim would read all of it again (ADR 0062).
 * A delivery to the partner of a revoked relationship is not leased: it becomes dead (decisions §3).
 */
export const claimDue = queryMany({
  name: 'deliveries.claim',
  parameters: {
    priorities: 'smallint[]',
    destinationIds: 'text[]',
    counts: 'integer[]',
    leaseEndsMs: 'float8[]',
    fromsMs: 'float8[]',
    nowMs: 'float8',
    leaseId: 'uuid',
  },
  text: `
    WITH asked AS (
      SELECT * FROM unnest(:priorities, :destinationIds, :counts, :leaseEndsMs, :fromsMs)
        AS a (lane, destination_id, n, lease_end_ms, from_ms)
    ), due AS MATERIALIZED (
      SELECT row.destination_id, row.id, row.due_at, asked.lease_end_ms
      FROM asked CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT d.destination_id, d.id, d.due_at FROM deliveries d
          WHERE d.state = 'waiting' AND d.lane = asked.lane AND d.destination_id = asked.destination_id
            AND d.due_at >= to_timestamp(asked.from_ms / 1000.0) AND d.due_at <= to_timestamp(:nowMs / 1000.0)
          ORDER BY d.due_at, d.id
          LIMIT ${MAX_CLAIMED}
          FOR UPDATE SKIP LOCKED
        ) AS front
        LIMIT asked.n
      ) AS row
    )
    UPDATE deliveries d SET
      state = CASE WHEN revoked.version IS NULL THEN d.state ELSE 'dead' END,
      lease_id = CASE WHEN revoked.version IS NULL THEN :leaseId END,
      due_at = CASE WHEN revoked.version IS NULL THEN to_timestamp(due.lease_end_ms / 1000.0) ELSE d.due_at END,
      next_attempt_at = CASE WHEN revoked.version IS NULL THEN d.next_attempt_at END
    FROM due, events e
    LEFT JOIN relationships revoked
      ON revoked.partner_customer_id = ${STOPPABLE_RELATIONSHIP} AND revoked.is_revoked
    WHERE d.destination_id = due.destination_id AND d.id = due.id
      AND e.owner_id = d.owner_id AND e.event_id = d.event_id
    RETURNING d.destination_id, d.id, d.lane AS priority, d.retries_used, e.event_id, e.body, e.body_sealed,
      e.traceparent,
      (extract(epoch FROM due.due_at) * 1000)::float8 AS due_ms,
      (SELECT revision FROM destination_revision) AS revision, revoked.version IS NOT NULL AS is_stopped`,
  row: ClaimedDelivery,
})

const DueRow = z.object({ priority: Priority, destinationId: z.string(), dueMs: z.number() })

/** When the next delivery after `afterMs` is due of each of these destinations and priorities; without those under way. */
export const findNextDue = queryMany({
  name: 'deliveries.next-due',
  parameters: { priorities: 'smallint[]', destinationIds: 'text[]', afterMs: 'float8' },
  text: `
    SELECT asked.lane AS priority, asked.destination_id, (extract(epoch FROM next.due_at) * 1000)::float8 AS due_ms
    FROM unnest(:priorities, :destinationIds) AS asked (lane, destination_id)
    CROSS JOIN LATERAL (
      SELECT d.due_at FROM deliveries d
      WHERE d.state = 'waiting' AND d.lane = asked.lane AND d.destination_id = asked.destination_id
        AND d.due_at > to_timestamp(:afterMs / 1000.0) AND d.lease_id IS NULL
      ORDER BY d.due_at, d.id
      LIMIT 1
    ) AS next`,
  row: DueRow,
})

/** The earliest due time, up to `untilMs`, of every destination and priority that has waiting deliveries. */
export const scanDue = queryMany({
  name: 'deliveries.survey',
  parameters: { untilMs: 'float8' },
  text: `
    ${EARLIEST_DUE}
    SELECT lane AS priority, destination_id, (extract(epoch FROM due_at) * 1000)::float8 AS due_ms FROM front
    WHERE due_at <= to_timestamp(:untilMs / 1000.0)`,
  row: DueRow,
})
