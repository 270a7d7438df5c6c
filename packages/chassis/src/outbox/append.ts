import {
  factsOfEvent,
  foreignPartOf,
  isForeignFact,
  SERVICES,
  type DomainEvent,
  type LedgerFact,
  type ServiceName,
} from '@causeway/contracts'
import { batchOf, type BatchColumns } from '../db/batch.ts'
import { queryNone, type Queryable } from '../db/statement.ts'
import { span } from '../telemetry/span.ts'

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name)

/** @throws Error for an event that another service owns: consumers would drop it (decisions §19) */
export const assertOwned = (service: string, event: DomainEvent): void => {
  const foreign = isService(service) ? foreignPartOf(service, event) : null
  if (foreign !== null) throw new Error(`${service} emits ${foreign}, which belongs to another service`)
}

/** An event as the outbox stores it, with the trace that it belongs to. */
export type OutboxFields = Readonly<{
  eventId: string
  eventName: string
  eventPayload: string
  eventCreatedAt: Date
  eventTraceparent: string | null
  /** JSON: the facts for the ledger; null without any. */
  eventFacts: string | null
}>

export const outboxFields = (event: DomainEvent): OutboxFields => {
  const facts = factsOfEvent(event)
  return {
    eventId: event.id,
    eventName: event.name,
    eventPayload: JSON.stringify(event),
    eventCreatedAt: new Date(event.created_at),
    eventTraceparent: span.traceparent(),
    eventFacts: facts.length === 0 ? null : JSON.stringify(facts),
  }
}

/** Parameters of a statement that appends one event: its values are {@link outboxFields}. */
export const EVENT_PARAMETERS = {
  eventId: 'text',
  eventName: 'text',
  eventPayload: 'text',
  eventCreatedAt: 'timestamptz',
  eventTraceparent: 'text?',
  eventFacts: 'text?',
} as const

/** SQL: the event of {@link EVENT_PARAMETERS}, as a row with the columns that {@link appendedToOutbox} takes. */
export const EVENT_ROW = `(
    SELECT :eventId AS event_id, :eventName AS event_name, :eventPayload AS event_payload,
      :eventCreatedAt AS event_created_at, :eventTraceparent AS event_traceparent, :eventFacts AS event_facts) AS event`

/** Columns of events in a batch, which {@link appendedToOutbox} takes. */
export const EVENT_COLUMNS = {
  eventId: ['text', ({ eventId }) => eventId],
  eventName: ['text', ({ eventName }) => eventName],
  eventPayload: ['text', ({ eventPayload }) => eventPayload],
  eventCreatedAt: ['time', ({ eventCreatedAt }) => eventCreatedAt.getTime()],
  eventTraceparent: ['text?', ({ eventTraceparent }) => eventTraceparent],
  eventFacts: ['text?', ({ eventFacts }) => eventFacts],
} satisfies BatchColumns<OutboxFields>

/**
 * SQL: queries of a WITH that append the events of the rows in `source`, which have the columns of
 * {@link EVENT_COLUMNS}, and keep their facts permanently (ADR 0080). For a statement that writes an effect and its events
 * together; call `db.emitted()` after it. The subject is stored without its prefix `events.<service>.`, which the relay adds.
 *
 * `seq` is the event's sequence (decisions §40): those of one object increase in the order in which its changes commit,
 * because a row gets its number while the row of the object is locked. So `source` has to depend on the query that
 * changes the object.
 */
export const appendedToOutbox = (source: string): string => `
  appended AS (
    INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
    SELECT event_id, event_name, event_payload, event_created_at, event_traceparent FROM ${source}
    RETURNING seq, event_id AS appended_id
  ), unpublished AS (
    INSERT INTO outbox_unpublished (seq) SELECT seq FROM appended
  ), kept_facts AS (
    INSERT INTO ledger_facts (fact_id, seq, fact)
    SELECT fact ->> 'fact_id', appended.seq, fact
    FROM ${source}
    JOIN appended ON appended_id = event_id
    CROSS JOIN jsonb_array_elements(event_facts::jsonb) AS fact
    ON CONFLICT DO NOTHING
  )`

const EVENTS = batchOf<OutboxFields>()('events', EVENT_COLUMNS)

const append = queryNone({
  name: 'outbox.append',
  parameters: EVENTS.parameters,
  text: `WITH ${appendedToOutbox(EVENTS.from('e'))} SELECT`,
})

/**
 * Appends events in the transaction of their effect (transactional outbox). The transaction has locked or changed the
 * row of every object that they are about: see {@link appendedToOutbox}.
 */
export const appendEvents = (tx: Queryable, events: readonly DomainEvent[]): Promise<void> =>
  append(tx, EVENTS.values(events.map(outboxFields)))

const keepOwnFacts = queryNone({
  name: 'outbox.append-facts',
  parameters: { facts: 'jsonb' },
  text: `
    WITH next AS MATERIALIZED (SELECT nextval(pg_get_serial_sequence('outbox_events', 'seq')) AS seq)
    INSERT INTO ledger_facts (fact_id, seq, fact)
    SELECT fact ->> 'fact_id', next.seq, fact FROM next CROSS JOIN jsonb_array_elements(:facts) AS fact
    ON CONFLICT DO NOTHING`,
})

/**
 * Keeps facts in the transaction of their effect, as {@link appendEvents} does, for a service that emits no events: the
 * ledger fetches them when it compares (ADR 0080). They take the next sequence of the outbox. A known fact keeps its content.
 * @throws Error for a fact that another service owns
 */
export const appendFacts = async (
  tx: Queryable,
  service: ServiceName,
  facts: readonly LedgerFact[],
): Promise<void> => {
  const foreign = facts.find(({ kind }) => isForeignFact(service, kind))
  if (foreign !== undefined)
    throw new Error(`${service} keeps ${foreign.kind}, which belongs to another service`)
  if (facts.length > 0) await keepOwnFacts(tx, { facts: JSON.stringify(facts) })
}
