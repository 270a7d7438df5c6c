import type { z } from 'zod'

/** A named prepared statement: its unique tag, its text, and the shape of its rows. */
export type Statement<R> = Readonly<{ name: string; text: string; row: z.ZodType<R> | null }>

const names = new Map<string, string>()

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
}): Statement<R> => {
  const known = names.get(options.name)
  if (options.name.length > 63) throw new Error(`Statement name ${options.name} is over 63 characters`)
  if (known !== undefined && known !== options.text)
    throw new Error(`Two statements are named ${options.name}`)
  names.set(options.name, options.text)
  return {
    name: options.name,
    text: `/* ${options.name} */ ${options.text.trim()}`,
    row: options.row ?? null,
  }
}

/** Parses the rows that came back into the statement's shape. */
export const parseRows = <R>(declared: Statement<R>, rows: readonly unknown[]): R[] => {
  const { row } = declared
  return row === null ? [] : rows.map((raw) => row.parse(raw))
}
