import { statement } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Deletes some of the events that are past their time, with their deliveries; what still waits for an attempt keeps
 * its event. Owners are walked through the index, one look-up each. $1 oldest that is kept, $2 how many at most
 */
export const purgeEvents = statement({
  name: 'events.purge',
  text: `
    WITH RECURSIVE owner AS (
      (SELECT owner_id FROM events ORDER BY owner_id LIMIT 1)
      UNION ALL
      SELECT next.owner_id FROM owner CROSS JOIN LATERAL (
        SELECT e.owner_id FROM events e WHERE e.owner_id > owner.owner_id ORDER BY e.owner_id LIMIT 1
      ) AS next
    ), doomed AS MATERIALIZED (
      SELECT old.owner_id, old.event_id FROM owner CROSS JOIN LATERAL (
        SELECT e.owner_id, e.event_id FROM events e
        WHERE e.owner_id = owner.owner_id AND e.created_at < $1 AND NOT EXISTS (
          SELECT FROM deliveries d
          WHERE d.event_id = e.event_id AND d.owner_id = e.owner_id AND d.state = 'waiting')
        ORDER BY e.created_at LIMIT $2
      ) AS old
      LIMIT $2
    ), deliveries_gone AS (
      DELETE FROM deliveries d USING doomed WHERE d.event_id = doomed.event_id AND d.owner_id = doomed.owner_id
    ), events_gone AS (
      DELETE FROM events e USING doomed WHERE e.owner_id = doomed.owner_id AND e.event_id = doomed.event_id
      RETURNING e.event_id
    )
    SELECT count(*)::integer AS deleted FROM events_gone`,
  row: z.object({ deleted: z.number() }),
})
