import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Statements on the position of one job in the journal. @param table has one row, with `through_seq` */
export const journalPosition = (name: string, table: string) => ({
  /** Numbers of postings as text: the last one that the job has read, and the last one there is. */
  read: queryOne({
    name: `${name}.position`,
    text: `SELECT p.through_seq::text AS through, h.seq::text AS "end" FROM ${table} AS p, books.head AS h`,
    row: z.object({ through: z.string(), end: z.string() }),
  }),
  /** Locks the position. Null: another replica runs the job. */
  lock: queryOne({
    name: `${name}.lock`,
    text: `SELECT through_seq::text AS through FROM ${table} FOR UPDATE SKIP LOCKED`,
    row: z.object({ through: z.string() }),
  }),
  set: queryNone({
    name: `${name}.set-position`,
    parameters: { through: 'bigint' },
    text: `UPDATE ${table} SET through_seq = :through`,
  }),
})
