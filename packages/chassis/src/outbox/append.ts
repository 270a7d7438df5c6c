import type { DomainEvent } from '@causeway/contracts'
import { statement } from '../db/positional-statement.ts'

/** Subject of an event: `events.<service>.<name>`; the service is set by its outbox's relay. */
export const eventColumns = (events: readonly DomainEvent[]) => ({
  ids: events.map((event) => event.id),
  names: events.map((event) => event.name),
  payloads: events.map((event) => JSON.stringify(event)),
  createdAt: events.map((event) => event.created_at),
})

/** Appends events in the transaction of their effect (transactional outbox). */
export const appendEvents = {
  statement: statement({
    name: 'outbox.append',
    text: `
      INSERT INTO outbox (event_id, subject, payload, created_at, traceparent)
      SELECT event_id, name, payload, created_at, $5
      FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS e (event_id, name, payload, created_at)`,
  }),
  values: (events: readonly DomainEvent[], traceparent: string | null): unknown[] => {
    const columns = eventColumns(events)
    return [columns.ids, columns.names, columns.payloads, columns.createdAt, traceparent]
  },
}
