import { queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { IS_DISABLED } from '../destinations/store.ts'

/** The last event that a batch purged; the next one continues behind it. */
export const PurgePosition = z.object({ ownerId: z.string(), eventId: z.string() })
export type PurgePosition = Readonly<z.infer<typeof PurgePosition>>

/** Before all events. */
export const FIRST: PurgePosition = { ownerId: '', eventId: '' }

/**
 * Purges some of the events that are older, with their deliveries; what still waits for an attempt keeps its event, but
 * for what waits at a disabled destination.
 * Owners are walked through the index, one look-up each, from the position on: entries of purged events stay in the
 * index until it is vacuumed, and while somebody holds a snapshot each of them is read again (ADR 0062), as is what
 * waits. Replicas that purge at the same time take different events.
 * @returns the position behind which there may be more; null after the last batch
 */
export const purgeEvents = queryOne({
  name: 'events.purge',
  parameters: {
    oldest: 'timestamptz',
    beforeId: 'text',
    limit: 'integer',
    afterOwnerId: 'text',
    afterEventId: 'text',
  },
  text: `
    WITH RECURSIVE owner AS (
      (SELECT owner_id FROM events WHERE (owner_id, event_id) > (:afterOwnerId, :afterEventId)
        ORDER BY owner_id, event_id LIMIT 1)
      UNION ALL
      SELECT next.owner_id FROM owner CROSS JOIN LATERAL (
        SELECT e.owner_id FROM events e WHERE e.owner_id > owner.owner_id ORDER BY e.owner_id LIMIT 1
      ) AS next
    ), expired AS MATERIALIZED (
      SELECT old.owner_id, old.event_id FROM owner CROSS JOIN LATERAL (
        SELECT e.owner_id, e.event_id FROM events e
        WHERE e.owner_id = owner.owner_id AND e.event_id < :beforeId AND e.created_at < :oldest
          AND e.event_id > CASE WHEN owner.owner_id = :afterOwnerId THEN :afterEventId ELSE '' END
          AND NOT EXISTS (
            SELECT FROM deliveries d
            WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND d.state = 'waiting'
              AND (SELECT NOT ${IS_DISABLED} FROM destinations destination WHERE destination.id = d.destination_id))
        ORDER BY e.event_id LIMIT :limit FOR UPDATE SKIP LOCKED
      ) AS old
      LIMIT :limit
    ), deleted_deliveries AS (
      DELETE FROM deliveries d USING expired WHERE d.event_id = expired.event_id AND d.owner_id = expired.owner_id
    ), deleted_events AS (
      DELETE FROM events e USING expired WHERE e.owner_id = expired.owner_id AND e.event_id = expired.event_id
    )
    SELECT owner_id, event_id FROM expired WHERE (SELECT count(*) FROM expired) = :limit
    ORDER BY owner_id DESC, event_id DESC LIMIT 1`,
  row: PurgePosition,
})
