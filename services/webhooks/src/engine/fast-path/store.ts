import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** Which of these owners' events are recorded already. */
export const findRecordedEvents = queryMany({
  name: 'events.known',
  parameters: { ownerIds: 'text[]', eventIds: 'text[]' },
  text: `
    SELECT e.owner_id, e.event_id FROM events e
    JOIN unnest(:ownerIds, :eventIds) AS asked (owner_id, event_id)
      ON e.owner_id = asked.owner_id AND e.event_id = asked.event_id`,
  row: z.object({ ownerId: z.string(), eventId: z.string() }),
})
