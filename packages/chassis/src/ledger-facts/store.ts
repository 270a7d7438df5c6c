import { DomainEvent, factsOfEvent, WINDOW_FACTS } from '@causeway/contracts'
import { z } from 'zod'
import { queryMany, queryNone, queryOne, type Queryable } from '../db/statement.ts'

/** SQL: the digest of a fact. PostgreSQL writes equal jsonb values in one form, whatever order their keys had. */
export const FACT_DIGEST = "encode(sha256(convert_to(fact::text, 'UTF8')), 'hex')"

/** SQL: the digest of a set of rows with `fact_id` and `digest`. */
export const WINDOW_DIGEST = `encode(sha256(convert_to(
  coalesce(string_agg(fact_id || ' ' || digest, E'\\n' ORDER BY fact_id COLLATE "C"), ''), 'UTF8')), 'hex')`

/** The next facts after a sequence, at most {@link WINDOW_FACTS} and the others of the last one's event, as one digest. */
export const readWindow = queryOne({
  name: 'ledger-facts.window',
  parameters: { after: 'bigint', end: 'bigint' },
  text: `
    WITH next AS (
      SELECT fact_id, seq, ${FACT_DIGEST} AS digest FROM ledger_facts WHERE seq > :after AND seq <= :end
      ORDER BY seq FETCH FIRST ${WINDOW_FACTS} ROWS WITH TIES
    )
    SELECT CASE WHEN count(*) < ${WINDOW_FACTS} THEN greatest(:end, :after) ELSE max(seq) END AS through,
      count(*)::integer AS facts, ${WINDOW_DIGEST} AS digest,
      (SELECT history || '/' || written_by::text FROM outbox_origin) AS origin
    FROM next`,
  row: z.object({
    through: z.number(),
    facts: z.number(),
    digest: z.string(),
    origin: z.string().nullable(),
  }),
})

const KeptRow = z.object({ factId: z.string(), sequence: z.number(), digest: z.string() })

/** The facts of a window. */
export const listWindow = queryMany({
  name: 'ledger-facts.list',
  parameters: { after: 'bigint', through: 'bigint' },
  text: `
    SELECT fact_id, seq AS sequence, ${FACT_DIGEST} AS digest FROM ledger_facts
    WHERE seq > :after AND seq <= :through ORDER BY seq LIMIT ${2 * WINDOW_FACTS}`,
  row: KeptRow,
})

export const getFacts = queryMany({
  name: 'ledger-facts.get',
  parameters: { factIds: 'text[]' },
  text: `
    SELECT fact_id, seq AS sequence, ${FACT_DIGEST} AS digest, fact FROM ledger_facts
    WHERE fact_id = ANY (:factIds)`,
  row: KeptRow.extend({ fact: z.record(z.string(), z.unknown()) }),
})

/** Texts of events that are still in the outbox. */
export const readEvents = queryMany({
  name: 'ledger-facts.events',
  parameters: { seqs: 'bigint[]' },
  text: 'SELECT seq, payload FROM outbox_events WHERE seq = ANY (:seqs)',
  row: z.object({ seq: z.number(), payload: z.string() }),
})

/** The next events in the outbox, of which those with one of these subjects have their texts. */
const listEvents = queryMany({
  name: 'ledger-facts.list-events',
  parameters: { after: 'bigint', subjects: 'text[]', limit: 'integer' },
  text: `
    SELECT seq, CASE WHEN subject = ANY (:subjects) THEN payload END AS payload FROM outbox_events
    WHERE seq > :after ORDER BY seq LIMIT :limit`,
  row: z.object({ seq: z.number(), payload: z.string().nullable() }),
})

const keepFacts = queryNone({
  name: 'ledger-facts.keep',
  parameters: { facts: 'jsonb' },
  text: `
    INSERT INTO ledger_facts (fact_id, seq, fact)
    SELECT f.fact ->> 'fact_id', f.seq, f.fact FROM jsonb_to_recordset(:facts) AS f (seq bigint, fact jsonb)
    ON CONFLICT DO NOTHING`,
})

/** Keeps facts of events that a version without this table has appended. */
export const keepFactsOf = async (
  db: Queryable,
  events: readonly Readonly<{ seq: number; payload: string }>[],
): Promise<void> => {
  const facts = events.flatMap(({ seq, payload }) =>
    factsOfEvent(DomainEvent.parse(JSON.parse(payload))).map((fact) => ({ seq, fact })),
  )
  if (facts.length > 0) await keepFacts(db, { facts: JSON.stringify(facts) })
}

/**
 * Keeps the facts of those of the outbox's next events that have one of these subjects.
 * @param page.subjects without the prefix `events.<service>.`
 * @returns the sequence after which the next page begins; null after the last page
 */
export const keepEmittedFacts = async (
  db: Queryable,
  page: Readonly<{ after: number; subjects: readonly string[]; limit: number }>,
): Promise<number | null> => {
  const events = await listEvents(db, page)
  await keepFactsOf(
    db,
    events.flatMap(({ seq, payload }) => (payload === null ? [] : [{ seq, payload }])),
  )
  return events.length < page.limit ? null : (events.at(-1)?.seq ?? null)
}
