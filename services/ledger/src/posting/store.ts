import { FACT_DIGEST, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Posts a batch, each (source, rule) once; all or nothing. Fails with {@link isContradiction} for other content. `received`:
 * `{service, sequence, fact}` of the facts whose sequence is known, which the comparison reads (ADR 0080). `isFetched`: they
 * come from their source, not from the stream.
 */
export const post = queryOne({
  name: 'books.post',
  parameters: {
    accounts: 'jsonb',
    postings: 'jsonb',
    received: 'jsonb',
    isFetched: 'boolean',
    now: 'timestamptz',
  },
  text: `
    WITH received AS (
      INSERT INTO received_facts AS known (fact_id, service, seq, digest)
      SELECT DISTINCT ON (fact ->> 'fact_id') fact ->> 'fact_id', service, sequence, ${FACT_DIGEST}
      FROM jsonb_to_recordset(:received) AS r (service text, sequence bigint, fact jsonb)
      ORDER BY fact ->> 'fact_id', sequence DESC
      ON CONFLICT (fact_id) DO UPDATE SET seq = excluded.seq, digest = excluded.digest WHERE :isFetched
    )
    SELECT posted::integer, scheduled::integer, repeated::integer
    FROM books.post(:accounts, :postings, :now)`,
  row: z.object({ posted: z.number(), scheduled: z.number(), repeated: z.number() }),
})

/** Posts scheduled postings that are due, oldest first. */
export const postDue = queryOne({
  name: 'books.post-due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: 'SELECT books.post_due(:now, :limit)::integer AS posted',
  row: z.object({ posted: z.number() }),
})

const CONTRADICTION = 'LB001'

/** True if the books refused a batch because a fact was posted before with other content. */
export const isContradiction = (error: unknown): boolean =>
  (error as { code?: unknown }).code === CONTRADICTION
