import type { z } from 'zod'
import { encodeBinaryArray } from './binary-array.ts'

/** A named prepared statement: its unique tag, its text, and the shape of its rows. */
export type PositionalStatement<R> = Readonly<{
  name: string
  text: string
  row: z.ZodType<R> | null
  /** Element types of the parameters that the text casts to arrays (`$2::text[]`), by index from 0. */
  arrays: readonly (readonly [index: number, type: string])[]
}>

const names = new Map<string, string>()
const ARRAY_PARAMETER = /\$(\d+)::(\w+)\[\]/g

const arraysIn = (text: string): PositionalStatement<never>['arrays'] => [
  ...new Map(
    [...text.matchAll(ARRAY_PARAMETER)].map(([, number, type]) => [Number(number) - 1, String(type)]),
  ),
]

/**
 * Declares a statement once, at module level.
 * @param options.name unique tag of at most 63 characters, such as `orders.insert`; it opens the statement's text,
 *   so that the database's own views tell where a statement comes from
 * @param options.row shape of a row; left out for statements that return none
 */
export const statement = <R = never>(options: {
  name: string
  text: string
  row?: z.ZodType<R>
}): PositionalStatement<R> => {
  const known = names.get(options.name)
  if (options.name.length > 63) throw new Error(`Statement name ${options.name} is over 63 characters`)
  if (known !== undefined && known !== options.text)
    throw new Error(`Two statements are named ${options.name}`)
  names.set(options.name, options.text)
  return {
    name: options.name,
    text: `/* ${options.name} */ ${options.text.trim()}`,
    row: options.row ?? null,
    arrays: arraysIn(options.text),
  }
}

/** The statement as the client takes it. Arrays go in binary: as text each element is escaped here and parsed there. */
export const bindPositional = (declared: PositionalStatement<unknown>, values: readonly unknown[]) => {
  const bound = [...values]
  for (const [index, type] of declared.arrays) {
    const value = bound[index]
    if (Array.isArray(value)) bound[index] = encodeBinaryArray(type, value) ?? value
  }
  return { name: declared.name, text: declared.text, values: bound }
}

/** Parses the rows that came back into the statement's shape. */
export const parsePositionalRows = <R>(declared: PositionalStatement<R>, rows: readonly unknown[]): R[] => {
  const { row } = declared
  return row === null ? [] : rows.map((raw) => row.parse(raw))
}
