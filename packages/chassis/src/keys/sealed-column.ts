import { z } from 'zod'
import { statement, type PositionalStatement as Statement } from '../db/positional-statement.ts'

/** A column of sealed values: whose table, which key its rows have, and what a value is bound to. */
export type SealedColumn = Readonly<{
  table: string
  key: string
  column: string
  contextOf: (key: string) => string
  /** SQL: the subject whose data key seals the values of a row; what is of before data keys names a key of the ring. */
  subject?: string
}>

/** Values under a key of the ring name it as their second part. */
export const keyIdIn = (column: string): string => `split_part(${column}, '.', 2)`
/** SQL: whether a value is under a key of the ring. */
export const isUnderRing = (column: string): string => `${column} LIKE 'v1.%'`

const KeyId = z.object({ key_id: z.string() })

/** Some key that values of a column name, none when it is empty. */
export const someKeyIn = ({ table, column }: SealedColumn): Statement<z.infer<typeof KeyId>> =>
  statement({
    name: `keys.some.${table}.${column}`,
    text: `SELECT ${keyIdIn(column)} AS key_id FROM ${table} WHERE ${isUnderRing(column)} LIMIT 1`,
    row: KeyId,
  })

/** Some key that values of a column name and that is not among those given. Reads the whole table when there is none. */
export const otherKeyIn = ({ table, column }: SealedColumn): Statement<z.infer<typeof KeyId>> =>
  statement({
    name: `keys.other.${table}.${column}`,
    text: `
      SELECT ${keyIdIn(column)} AS key_id FROM ${table}
      WHERE ${isUnderRing(column)} AND ${keyIdIn(column)} <> ALL ($1::text[]) LIMIT 1`,
    row: KeyId,
  })
