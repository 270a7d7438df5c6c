import { queryMany } from '@causeway/chassis'
import { z } from 'zod'
import { IS_DISABLED } from '../destinations/store.ts'
import { TEST_EVENT } from '../destinations/domain.ts'
import { STOPPABLE_RELATIONSHIP } from '../relationships/store.ts'

/** Newest dead deliveries of a destination that are read: those that do not count are among them, and rare. */
const READ = 20

const FailingRow = z.object({
  webhookId: z.string(),
  channel: z.enum(['partner', 'merchant']),
  ownerId: z.string(),
  isFailing: z.boolean(),
})
export type FailingRow = z.infer<typeof FailingRow>

/**
 * The destinations with dead deliveries after an id, and for each whether a delivery was given up since a time. The index of
 * dead deliveries is read by one step for each destination. Not counted: test calls, whose caller saw the response, and
 * deliveries that a revocation ended without an attempt; disabled destinations are not failing.
 */
export const listDestinationsWithDead = queryMany({
  name: 'deliveries.list-destinations-with-dead',
  parameters: { afterId: 'text', since: 'timestamptz', limit: 'integer' },
  text: `
    WITH RECURSIVE step (destination_id) AS (
      (
        SELECT destination_id FROM deliveries WHERE state = 'dead' AND destination_id > :afterId
        ORDER BY destination_id LIMIT 1
      )
      UNION ALL
      SELECT next.destination_id FROM step, LATERAL (
        SELECT d.destination_id FROM deliveries d WHERE d.state = 'dead' AND d.destination_id > step.destination_id
        ORDER BY d.destination_id LIMIT 1
      ) AS next
    )
    SELECT destination.id AS webhook_id, destination.channel, destination.owner_id,
      destination.removed_at IS NULL AND NOT ${IS_DISABLED} AND EXISTS (
        SELECT FROM (
          SELECT d.owner_id, d.event_id, d.due_at, d.event_type FROM deliveries d
          WHERE d.state = 'dead' AND d.destination_id = found.destination_id ORDER BY d.id DESC LIMIT ${READ}
        ) AS d
        JOIN events e ON e.owner_id = d.owner_id AND e.event_id = d.event_id
        LEFT JOIN relationships revoked
          ON revoked.partner_customer_id = ${STOPPABLE_RELATIONSHIP} AND revoked.is_revoked
        WHERE d.due_at >= :since AND d.event_type <> '${TEST_EVENT}' AND revoked.version IS NULL
      ) AS is_failing
    FROM (SELECT destination_id FROM step LIMIT :limit) AS found
    JOIN destinations destination ON destination.id = found.destination_id
    ORDER BY destination.id`,
  row: FailingRow,
})
