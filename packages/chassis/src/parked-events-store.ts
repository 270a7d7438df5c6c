import { z } from 'zod'
import { queryMany, queryNone, queryOne } from './db/statement.ts'

const ParkedRow = z.object({
  consumer: z.string(),
  eventId: z.string(),
  subject: z.string(),
  error: z.string(),
  parkedAt: z.date(),
  retriedAt: z.date().nullable(),
  setAsideAt: z.date().nullable(),
  note: z.string().nullable(),
})
export type ParkedRow = z.infer<typeof ParkedRow>

const SHOWN = 'consumer, event_id, subject, error, parked_at, retried_at, set_aside_at, note'
const key = { consumer: 'text', eventId: 'text' } as const
const BY_KEY = 'consumer = :consumer AND event_id = :eventId'

/** Keeps an event that could not be handled, with its error. */
export const parkEvent = queryNone({
  name: 'parked-events.insert',
  parameters: { ...key, subject: 'text', payload: 'text', error: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO parked_events (consumer, event_id, subject, payload, error, parked_at)
    VALUES (:consumer, :eventId, :subject, :payload, :error, :now) ON CONFLICT DO NOTHING`,
})

/** Counts the parked events that wait for a decision, up to a bound. */
export const countParked = queryOne({
  name: 'parked-events.count',
  parameters: { bound: 'integer' },
  text: `
    SELECT count(*)::integer AS parked
    FROM (SELECT FROM parked_events WHERE set_aside_at IS NULL LIMIT :bound) AS counted`,
  row: z.object({ parked: z.number() }),
})

/** Oldest first. */
export const listParked = queryMany({
  name: 'parked-events.list',
  parameters: { isSetAside: 'boolean', at: 'timestamptz', key: 'text', limit: 'integer' },
  text: `
    SELECT ${SHOWN} FROM parked_events
    WHERE (set_aside_at IS NOT NULL) = :isSetAside AND (parked_at, consumer || '/' || event_id) > (:at, :key)
    ORDER BY parked_at, consumer || '/' || event_id LIMIT :limit`,
  row: ParkedRow,
})

/** With the event's text. */
export const findParked = queryOne({
  name: 'parked-events.find',
  parameters: key,
  text: `SELECT ${SHOWN}, payload FROM parked_events WHERE ${BY_KEY}`,
  row: ParkedRow.extend({ payload: z.string() }),
})

/** Deletes an event that has been handled. */
export const deleteParked = queryNone({
  name: 'parked-events.delete',
  parameters: key,
  text: `DELETE FROM parked_events WHERE ${BY_KEY}`,
})

/** Keeps why a further try failed. Null where the event is gone: another try of the same time handled it. */
export const recordFailedRetry = queryOne({
  name: 'parked-events.record-retry',
  parameters: { ...key, error: 'text', now: 'timestamptz' },
  text: `
    UPDATE parked_events SET error = :error, retried_at = :now WHERE ${BY_KEY} RETURNING ${SHOWN}`,
  row: ParkedRow,
})

/** With the time and the note from before, for the audit log. */
export const setParkedAside = queryOne({
  name: 'parked-events.set-aside',
  parameters: { ...key, note: 'text', now: 'timestamptz' },
  text: `
    UPDATE parked_events SET set_aside_at = :now, note = :note WHERE ${BY_KEY}
    RETURNING ${SHOWN}, old.set_aside_at AS set_aside_at_before, old.note AS note_before`,
  row: ParkedRow.extend({ setAsideAtBefore: z.date().nullable(), noteBefore: z.string().nullable() }),
})
