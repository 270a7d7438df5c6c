import { z } from 'zod'
import { queryMany, queryNone, queryOne, type Queryable } from './db/statement.ts'

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

/** Keeps an event that could not be handled, with its error. */
export const parkEvent = queryNone({
  name: 'inbox.park',
  parameters: {
    consumer: 'text',
    eventId: 'text',
    subject: 'text',
    payload: 'text',
    error: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO parked_events (consumer, event_id, subject, payload, error, parked_at)
    VALUES (:consumer, :eventId, :subject, :payload, :error, :now) ON CONFLICT DO NOTHING`,
})

/** Counts parked events up to a bound. */
export const countParked = queryOne({
  name: 'inbox.count-parked',
  parameters: { bound: 'integer' },
  text: 'SELECT count(*)::integer AS parked FROM (SELECT FROM parked_events LIMIT :bound) AS counted',
  row: z.object({ parked: z.number() }),
})

/** Deletes what is older than the stream keeps events. */
export const deleteOldReceipts = queryNone({
  name: 'inbox.forget-old',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM inbox WHERE received_at < :before',
})
