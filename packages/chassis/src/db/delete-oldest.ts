import { z } from 'zod'

/**
 * SQL: deletes the at most `:limit` oldest rows of a table that are from before `:before`, and returns their number as
 * {@link Deleted}. Replicas that run it at the same time delete different rows.
 */
export const deleteOldest = (table: string, time: string): string => `
    WITH deleted AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${time} < :before ORDER BY ${time} LIMIT :limit FOR UPDATE SKIP LOCKED))
      RETURNING 1
    )
    SELECT count(*)::integer AS deleted FROM deleted`
export const Deleted = z.object({ deleted: z.number() })
