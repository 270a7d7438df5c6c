import { queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { IS_DISABLED } from '../destinations/store.ts'

/**
 * Purges some of the events that are older, with their deliveries; what still waits for an attempt keeps its event, but
 * for what waits at a disabled destination.
 * Owners are walked through the index, one look-up each. Replicas that purge at the same time take different events.
 */
export const purgeEvents = queryOne({
  name: 'events.purge',
  parameters: { oldest: 'timestamptz', beforeId: 'text', limit: 'integer' },
  text: `
    WITH RECURSIVE owner AS (
      (SELECT owner_id FROM events ORDER BY owner_id LIMIT 1)
      UNION ALL
      SELECT next.owner_id FROM owner CROSS JOIN LATERAL (
        SELECT e.owner_id FROM events e WHERE e.owner_id > owner.owner_id ORDER BY e.owner_id LIMIT 1
      ) AS next
    ), expired AS MATERIALIZED (
      SELECT old.owner_id, old.event_id FROM owner CROSS JOIN LATERAL (
        SELECT e.owner_id, e.event_id FROM events e
        WHERE e.owner_id = owner.owner_id AND e.event_id < :beforeId AND e.created_at < :oldest AND NOT EXISTS (
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
      RETURNING e.event_id
    )
    SELECT count(*)::integer AS deleted FROM deleted_events`,
  row: z.object({ deleted: z.number() }),
})
