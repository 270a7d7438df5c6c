import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const Kind = z.enum(['absent', 'differs', 'refused'])
export type DifferenceKind = z.infer<typeof Kind>

/** Stores a difference. Null where it is known: its decision by staff is kept. */
export const insertDifference = queryOne({
  name: 'differences.insert',
  parameters: {
    factId: 'text',
    service: 'text',
    sequence: 'bigint',
    kind: 'text',
    reason: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO fact_differences AS known (fact_id, service, seq, kind, reason, found_at)
    VALUES (:factId, :service, :sequence, :kind, :reason, :now)
    ON CONFLICT (fact_id) DO UPDATE
      SET kind = excluded.kind, reason = excluded.reason, found_at = excluded.found_at, accepted_at = NULL, note = NULL
      WHERE known.kind <> excluded.kind
    RETURNING fact_id`,
  row: z.object({ factId: z.string() }),
})

/** Deletes the differences of facts on which source and books agree. */
export const deleteDifferences = queryMany({
  name: 'differences.delete',
  parameters: { factIds: 'text[]' },
  text: 'DELETE FROM fact_differences WHERE fact_id = ANY (:factIds) RETURNING fact_id',
  row: z.object({ factId: z.string() }),
})

const OpenRow = z.object({
  factId: z.string(),
  service: z.string(),
  sequence: z.number(),
  kind: Kind,
  reason: z.string(),
  foundAt: z.date(),
})

/** Differences that nobody has accepted, oldest first. */
export const listOpen = queryMany({
  name: 'differences.list-open',
  parameters: { limit: 'integer' },
  text: `
    SELECT fact_id, service, seq AS sequence, kind, reason, found_at FROM fact_differences
    WHERE accepted_at IS NULL ORDER BY found_at, fact_id LIMIT :limit`,
  row: OpenRow,
})

/** Accepts an open difference with the reason of staff; null where it is not open. */
export const acceptDifference = queryOne({
  name: 'differences.accept',
  parameters: { factId: 'text', note: 'text', now: 'timestamptz' },
  text: `
    UPDATE fact_differences SET accepted_at = :now, note = :note
    WHERE fact_id = :factId AND accepted_at IS NULL RETURNING fact_id`,
  row: z.object({ factId: z.string() }),
})
