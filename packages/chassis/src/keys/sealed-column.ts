import { z } from 'zod'
import { queryOne } from '../db/statement.ts'

/** The encryption of a column: the key of its rows, and the context that a value is bound to. */
export type Sealing = Readonly<{
  key: string
  contextOf: (key: string) => string
  /** SQL: the subject whose data key seals the values of a row; what is of before data keys names a key of the ring. */
  subject?: string
}>

/** A column of encrypted values. */
export type SealedColumn = Sealing & Readonly<{ table: string; column: string }>

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
 * Declares the statement that finds a key of the column's values that is not among `keyIds`. Without such a key it reads the
 * whole table.
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
