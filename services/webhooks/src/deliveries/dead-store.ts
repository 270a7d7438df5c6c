import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

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
