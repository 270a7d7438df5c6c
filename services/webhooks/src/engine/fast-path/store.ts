import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** Which of these owners' events are not to be sent: recorded already, or of a relationship that is revoked by now. */
export const findSettledEvents = queryMany({
  name: 'events.known',
  parameters: { ownerIds: 'text[]', eventIds: 'text[]', partnerCustomerIds: 'text?[]' },
  text: `
    SELECT asked.owner_id, asked.event_id
    FROM unnest(:ownerIds, :eventIds, :partnerCustomerIds) AS asked (owner_id, event_id, partner_customer_id)
    WHERE EXISTS (SELECT FROM events e WHERE e.owner_id = asked.owner_id AND e.event_id = asked.event_id OFFSET 0)
      OR EXISTS (
        SELECT FROM relationships r WHERE r.partner_customer_id = asked.partner_customer_id AND r.is_revoked OFFSET 0)`,
  row: z.object({ ownerId: z.string(), eventId: z.string() }),
})
