import { z } from 'zod'
import { queryOne } from '../db/statement.ts'

/** A column of sealed values: whose table, which key its rows have, and what a value is bound to. */
export type SealedColumn = Readonly<{
  table: string
  key: string
  column: string
  contextOf: (key: string) => string
  /** SQL: the subject whose data key seals the values of a row; what is of before data keys names a key of the ring. */
  subject?: string
}>

/** SQL: the key of the ring that a value names as its second part. */
export const keyIdIn = (column: string): string => `split_part(${column}, '.', 2)`
/** SQL: whether a value is sealed with a key of the ring. */
export const isUnderRing = (column: string): string => `${column} LIKE 'v1.%'`

const KeyId = z.object({ keyId: z.string() })

/** Declares the statement that finds some key that values of a column name; null when the column is empty. */
export const someKeyIn = ({ table, column }: SealedColumn) =>
  queryOne({
    name: `keys.some.${table}.${column}`,
    text: `SELECT ${keyIdIn(column)} AS key_id FROM ${table} WHERE ${isUnderRing(column)} LIMIT 1`,
    row: KeyId,
  })

/**
 * Declares the statement that finds some key that values of a column name and that is not among `keyIds`. It reads
 * the whole table when there is none.
 */
export const otherKeyIn = ({ table, column }: SealedColumn) =>
  queryOne({
    name: `keys.other.${table}.${column}`,
    parameters: { keyIds: 'text[]' },
    text: `
      SELECT ${keyIdIn(column)} AS key_id FROM ${table}
      WHERE ${isUnderRing(column)} AND ${keyIdIn(column)} <> ALL (:keyIds) LIMIT 1`,
    row: KeyId,
  })
