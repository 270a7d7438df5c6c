import { z } from 'zod'
import { deleteOldest, Deleted, OLDEST } from './db/delete-oldest.ts'
import { queryMany, queryOne, type Queryable } from './db/statement.ts'

const claim = queryMany({
  name: 'inbox.claim',
  parameters: { consumer: 'text', eventIds: 'text[]', now: 'timestamptz' },
  text: `
    INSERT INTO inbox (consumer, event_id, received_at)
    SELECT :consumer, event_id, :now FROM unnest(:eventIds) AS event_id
    ON CONFLICT DO NOTHING RETURNING event_id`,
  row: z.object({ eventId: z.string() }),
})

/** Records events in the consumer's own transaction. @returns the ids of those that it had not seen before */
export const claimNew = async (
  tx: Queryable,
  consumer: string,
  eventIds: readonly string[],
  now: Date,
): Promise<Set<string>> => {
  const rows = await claim(tx, { consumer, eventIds, now })
  return new Set(rows.map((row) => row.eventId))
}

/** Deletes a batch of receipts that are older than the stream keeps events; skips those that another replica is deleting. */
export const deleteOldReceipts = queryOne({
  name: 'inbox.delete-old',
  parameters: OLDEST,
  text: deleteOldest('inbox', 'received_at'),
  row: Deleted,
})
