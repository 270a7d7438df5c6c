import { queryMany, queryNone, queryOne, WINDOW_DIGEST } from '@causeway/chassis'
import { z } from 'zod'

/** Received facts that are posted. A receipt without its posting counts as missing. */
const POSTED = "EXISTS (SELECT FROM books.journal AS j WHERE j.source = fact_id AND j.rule = 'fact')"

const ofSource = { service: 'text' } as const
const window = { ...ofSource, after: 'bigint', through: 'bigint' } as const
const IN_WINDOW = `service = :service AND seq > :after AND seq <= :through AND ${POSTED}`

/** The digest of the posted facts of a window, computed as their source does. */
export const readDigest = queryOne({
  name: 'comparison.digest',
  parameters: window,
  text: `SELECT ${WINDOW_DIGEST} AS digest FROM received_facts WHERE ${IN_WINDOW}`,
  row: z.object({ digest: z.string() }),
})

const HeldRow = z.object({ factId: z.string(), sequence: z.number(), digest: z.string() })

/** The posted facts of a window. */
export const listHeld = queryMany({
  name: 'comparison.list-held',
  parameters: window,
  text: `SELECT fact_id, seq AS sequence, digest FROM received_facts WHERE ${IN_WINDOW}`,
  row: HeldRow,
})

/** Returns the facts of a list that are posted. */
export const findHeld = queryMany({
  name: 'comparison.find-held',
  parameters: { factIds: 'text[]' },
  text: `
    SELECT fact_id, seq AS sequence, digest FROM received_facts WHERE fact_id = ANY (:factIds) AND ${POSTED}`,
  row: HeldRow,
})

/** Sequence before the newest received facts up to one, at most a window of them; 0 where there are no others. */
export const readSweepStart = queryOne({
  name: 'comparison.sweep-start',
  parameters: { ...ofSource, through: 'bigint', offset: 'integer' },
  text: `
    SELECT coalesce((
      SELECT seq FROM received_facts WHERE service = :service AND seq <= :through
      ORDER BY seq DESC OFFSET :offset LIMIT 1), 0) AS after`,
  row: z.object({ after: z.number() }),
})

const Position = z.object({
  beforeSeq: z.number(),
  throughSeq: z.number(),
  sweptSeq: z.number(),
  origin: z.string().nullable(),
})
export type Position = Readonly<z.infer<typeof Position>>

/** Claims the comparison with a source if it is due and no other replica has claimed it. `comparedAt`: of the last one. */
export const claimComparison = queryOne({
  name: 'comparison.claim',
  parameters: { ...ofSource, holder: 'text', now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    INSERT INTO fact_comparisons AS known (service, due_at, holder, lease_until)
    VALUES (:service, :now, :holder, :leaseUntil)
    ON CONFLICT (service) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
      WHERE known.due_at <= :now AND (known.holder IS NULL OR known.lease_until < :now)
    RETURNING before_seq, through_seq, swept_seq, origin, compared_at`,
  row: Position.extend({ comparedAt: z.date().nullable() }),
})

/** Stores the progress of a comparison and renews its lease; null where another replica has claimed it. */
export const saveProgress = queryOne({
  name: 'comparison.save',
  parameters: {
    ...ofSource,
    holder: 'text',
    leaseUntil: 'timestamptz',
    beforeSeq: 'bigint',
    throughSeq: 'bigint',
    sweptSeq: 'bigint',
    origin: 'text?',
  },
  text: `
    UPDATE fact_comparisons SET lease_until = :leaseUntil, before_seq = :beforeSeq, through_seq = :throughSeq,
      swept_seq = :sweptSeq, origin = :origin
    WHERE service = :service AND holder = :holder RETURNING service`,
  row: z.object({ service: z.string() }),
})

/** Ends a comparison. `comparedAt`: null keeps the time of the last one that reached its end. */
export const releaseComparison = queryNone({
  name: 'comparison.release',
  parameters: { ...ofSource, holder: 'text', dueAt: 'timestamptz', comparedAt: 'timestamptz?' },
  text: `
    UPDATE fact_comparisons SET holder = NULL, due_at = :dueAt, compared_at = coalesce(:comparedAt, compared_at)
    WHERE service = :service AND holder = :holder`,
})

/** Time of the oldest last comparison among the sources that were compared, null without any; and the number of open differences. */
export const readState = queryOne({
  name: 'comparison.state',
  parameters: { bound: 'integer' },
  text: `
    SELECT (SELECT min(compared_at) FROM fact_comparisons) AS compared_at, (
      SELECT count(*)::integer
      FROM (SELECT FROM fact_differences WHERE accepted_at IS NULL LIMIT :bound) AS open) AS open`,
  row: z.object({ comparedAt: z.date().nullable(), open: z.number() }),
})
