import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { AGAIN } from '../deliveries/store.ts'
import { TAKES } from './store.ts'

/**
 * Whether an event may be sent to a destination: it may if it was before, or if the destination takes it. No row: one
 * of the two is not the owner's. $1 owner, $2 destination, $3 event, $4 oldest event that is sent
 */
export const judgeResend = statement({
  name: 'deliveries.judge-resend',
  text: `
    SELECT ${TAKES} OR EXISTS (
      SELECT FROM deliveries d WHERE d.event_id = $3 AND d.destination_id = $2 AND d.owner_id = $1) AS allowed
    FROM destinations destination, events e
    WHERE destination.owner_id = $1 AND destination.id = $2 AND destination.removed_at IS NULL
      AND e.owner_id = $1 AND e.event_id = $3 AND e.created_at >= $4`,
  row: z.object({ allowed: z.boolean() }),
})

/**
 * Makes an event due at a destination, whether it was sent there before or not.
 * $1 owner, $2 destination, $3 event, $4 id of a delivery that is new, $5 now
 */
export const resendEvent = statement({
  name: 'deliveries.resend',
  text: `
    INSERT INTO deliveries AS d (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
      next_attempt_at, created_at)
    SELECT $2, $4, owner_id, event_id, type, 'waiting', 1, 0, $5, $5, $5
    FROM events WHERE owner_id = $1 AND event_id = $3
    ON CONFLICT (event_id, destination_id) DO UPDATE SET ${AGAIN}, due_at = $5, next_attempt_at = $5
      WHERE d.owner_id = $1
    RETURNING id`,
  row: z.object({ id: z.string() }),
})
