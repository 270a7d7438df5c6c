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
