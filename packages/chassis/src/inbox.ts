import { z } from 'zod'
import type { Queryable } from './db/db.ts'
import { statement } from './db/positional-statement.ts'

const claim = statement({
  name: 'inbox.claim',
  text: `
    INSERT INTO inbox (consumer, event_id, received_at)
    SELECT $1, event_id, $3 FROM unnest($2::text[]) AS event_id
    ON CONFLICT DO NOTHING RETURNING event_id`,
  row: z.object({ event_id: z.string() }),
})

/** Records events in the consumer's own transaction and tells which of them it had not seen before. */
export const claimNew = async (
  tx: Queryable,
  consumer: string,
  eventIds: readonly string[],
  now: Date,
): Promise<Set<string>> => {
  const rows = await tx.query(claim, [consumer, eventIds, now])
  return new Set(rows.map((row) => row.event_id))
}

/** $1 consumer, $2 event id, $3 subject, $4 payload, $5 error, $6 now */
export const parkEvent = statement({
  name: 'inbox.park',
  text: `
    INSERT INTO parked_events (consumer, event_id, subject, payload, error, parked_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
})

/** Deletes what is older than the stream keeps events. $1 before */
export const forgetOld = statement({
  name: 'inbox.forget-old',
  text: 'DELETE FROM inbox WHERE received_at < $1',
})
