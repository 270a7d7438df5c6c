import { queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Posts a batch, each (source, rule) once; all or nothing. Fails with {@link isContradiction} for other content. */
export const post = queryOne({
  name: 'books.post',
  parameters: { accounts: 'jsonb', postings: 'jsonb', now: 'timestamptz' },
  text: `
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
