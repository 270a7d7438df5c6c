import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Facts that a source keeps (ADR 0080), in its own database. */
export const listFacts = queryMany({
  name: 'rebuild.facts',
  parameters: { after: 'bigint', limit: 'integer' },
  text: `
    SELECT seq, fact FROM ledger_facts WHERE seq > :after ORDER BY seq FETCH FIRST (:limit) ROWS WITH TIES`,
  row: z.object({ seq: z.number(), fact: z.record(z.string(), z.unknown()) }),
})

/** False for the database of a service that has never run. */
export const hasFactTable = queryOne({
  name: 'rebuild.has-fact-table',
  text: "SELECT to_regclass('ledger_facts') IS NOT NULL AS has_table",
  row: z.object({ hasTable: z.boolean() }),
})

/** True if the books have received facts of this source. */
export const hasFactsOf = queryOne({
  name: 'rebuild.has-facts-of',
  parameters: { service: 'text' },
  text: 'SELECT EXISTS (SELECT FROM received_facts WHERE service = :service) AS has_facts',
  row: z.object({ hasFacts: z.boolean() }),
})

const KeptPosting = z.object({
  source: z.string(),
  rule: z.string(),
  digest: z.string(),
  /** Its transfers and entries; null while it is scheduled. */
  lines: z.string().nullable(),
})
export type KeptPosting = z.infer<typeof KeptPosting>

/**
 * The postings of these facts, without what depends on the order of the facts: numbers of postings and entries, balances
 * after an entry, and the time of recording.
 */
export const listPostings = queryMany({
  name: 'rebuild.postings',
  parameters: { sources: 'text[]' },
  text: `
    SELECT j.source, j.rule, encode(j.digest, 'hex') AS digest, concat(
      (SELECT string_agg(concat_ws(' ', t.line, d.name, d.class, d.owner_id, c.name, c.class, c.owner_id, t.unit, t.amount),
        E'\\n' ORDER BY t.line)
        FROM books.transfers AS t JOIN books.accounts AS d ON d.id = t.debit JOIN books.accounts AS c ON c.id = t.credit
        WHERE t.seq = j.seq),
      E'\\n',
      (SELECT string_agg(concat_ws(' ', e.line, a.name, a.balance, e.kind, e.amount), E'\\n' ORDER BY e.line, a.name)
        FROM books.entries AS e JOIN books.accounts AS a ON a.id = e.account_id
        WHERE e.seq = j.seq)) AS lines
    FROM books.journal AS j WHERE j.source = ANY (:sources)
    UNION ALL
    SELECT source, rule, encode(digest, 'hex'), NULL FROM books.scheduled WHERE source = ANY (:sources)`,
  row: KeptPosting,
})

/** Number of the last posting; 0 in empty books. */
export const getEnd = queryOne({
  name: 'rebuild.end',
  text: 'SELECT seq::text FROM books.head',
  row: z.object({ seq: z.string() }),
})

/** The next sources of postings up to a number, and of postings that are scheduled. */
export const listSources = queryMany({
  name: 'rebuild.sources',
  parameters: { after: 'text', through: 'bigint', limit: 'integer' },
  text: `
    SELECT DISTINCT source FROM (
      SELECT source FROM books.journal WHERE seq <= :through
      UNION ALL
      SELECT source FROM books.scheduled AS s
      WHERE NOT EXISTS (SELECT FROM books.journal AS j WHERE j.source = s.source AND j.seq > :through)
    ) AS each
    WHERE source > :after ORDER BY source LIMIT :limit`,
  row: z.object({ source: z.string() }),
})

/** The next adjustments, by their ids. */
export const listAdjustments = queryMany({
  name: 'rebuild.adjustments',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT adjustment_id, owner_id, unit, amount::text, is_write_off, created_at FROM adjustments
    WHERE adjustment_id > :after ORDER BY adjustment_id LIMIT :limit`,
  row: z.object({
    adjustmentId: z.string(),
    ownerId: z.string(),
    unit: z.string(),
    amount: z.string(),
    isWriteOff: z.boolean(),
    createdAt: z.date(),
  }),
})
