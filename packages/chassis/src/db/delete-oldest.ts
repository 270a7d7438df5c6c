import { z } from 'zod'

/** Parameters of {@link deleteOldest}. */
export const OLDEST = { from: 'timestamptz', before: 'timestamptz', limit: 'integer' } as const

/**
 * SQL: deletes the at most `:limit` oldest rows of a table that are of `:from` or later and from before `:before`. Where
 * there are so many, it returns the time of the youngest, from which the next batch continues: what was deleted stays in
 * the index until that is vacuumed, and while somebody holds a snapshot each batch would read all of it again
 * (ADR 0062). Replicas that run it at the same time delete different rows.
 */
export const deleteOldest = (table: string, time: string): string => `
    WITH deleted AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${time} >= :from AND ${time} < :before ORDER BY ${time}
        LIMIT :limit FOR UPDATE SKIP LOCKED))
      RETURNING ${time} AS at
    )
    SELECT max(at) AS through FROM deleted HAVING count(*) = :limit`
export const Deleted = z.object({ through: z.date() })

/** Before all times. */
export const FROM_THE_FIRST = new Date(0)
