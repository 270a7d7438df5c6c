import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** Facts that a source keeps (ADR 0080), in its own database. */
export const listFacts = queryMany({
  name: 'rebuild.facts',
  parameters: { after: 'bigint', limit: 'integer' },
  text: `
    SELECT seq, fact FROM ledger_facts WHERE seq > :after ORDER BY seq FETCH FIRST (:limit) ROWS WITH TIES`,
  row: z.object({ seq: z.number(), fact: z.record(z.string(), z.unknown()) }),
})

const Posting = z.object({
  source: z.string(),
  rule: z.string(),
  digest: z.string(),
  /** Its transfers and entries; null while it is scheduled. */
  lines: z.string().nullable(),
})
export type Posting = z.infer<typeof Posting>

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
  row: Posting,
})
