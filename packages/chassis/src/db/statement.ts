import type { z } from 'zod'
import { compileParameters, type Arguments, type ParameterTypes } from './parameters.ts'

/** A named prepared statement as the database object runs it. */
export type Statement<R> = Readonly<{
  name: string
  text: string
  row: z.ZodType<R> | null
  bind: (values: Readonly<Record<string, unknown>>) => unknown[]
}>

/** Anything that runs a statement: the database itself or a transaction in it. */
export type Queryable = {
  query<R>(declared: Statement<R>, values: Readonly<Record<string, unknown>>): Promise<R[]>
}

/** Type of the parameters where none are declared. */
type NoParameters = Readonly<Record<string, never>>

type Declaration<P extends ParameterTypes> = Readonly<{
  /** Unique tag of at most 63 characters, such as `orders.insert`. */
  name: string
  /** Types of the parameters, which the text names as `:orderId`; left out where there are none. */
  parameters?: P
  text: string
}>
type DeclarationWithRow<P extends ParameterTypes, R> = Declaration<P> &
  Readonly<{
    /** Shape of a row, its columns in camelCase: `partner_id` comes back as `partnerId`. */
    row: z.ZodType<R>
  }>

type Values<P extends ParameterTypes> = string extends keyof P ? [] : [values: Arguments<P>]

const texts = new Map<string, string>()

/** Texts of all statements that the loaded modules declare, by name: for tests that hold their plans. */
export const declaredStatements = (): ReadonlyMap<string, string> => texts

const declare = <R>(
  { name, text, parameters = {} }: Declaration<ParameterTypes>,
  row: z.ZodType<R> | null,
): Statement<R> => {
  if (name.length > 63) throw new Error(`Statement name ${name} is longer than 63 characters`)
  const compiled = compileParameters(name, text.trim(), parameters)
  const known = texts.get(name)
  if (known !== undefined && known !== compiled.text) throw new Error(`Two statements are named ${name}`)
  texts.set(name, compiled.text)
  // The text begins with the tag, so that the database's own views show where a statement comes from.
  return { name, text: `/* ${name} */ ${compiled.text}`, bind: compiled.bind, row }
}

/**
 * Declares a statement that returns any number of rows, once, at module level. The returned function runs it on a
 * database or in a transaction with its values by name; its `text` is for EXPLAIN.
 * @throws Error immediately for a name that is taken, and for parameters that are not in both the text and the declaration
 */
export const queryMany = <R, const P extends ParameterTypes = NoParameters>(
  declaration: DeclarationWithRow<P, R>,
) => {
  const declared = declare(declaration, declaration.row)
  const run = (db: Queryable, ...[values]: Values<P>): Promise<R[]> => db.query(declared, values ?? {})
  return Object.assign(run, { text: declared.text })
}

/** As {@link queryMany}, for a statement that returns at most one row: the row, or null. */
export const queryOne = <R, const P extends ParameterTypes = NoParameters>(
  declaration: DeclarationWithRow<P, R>,
) => {
  const declared = declare(declaration, declaration.row)
  const run = async (db: Queryable, ...[values]: Values<P>): Promise<R | null> =>
    (await db.query(declared, values ?? {}))[0] ?? null
  return Object.assign(run, { text: declared.text })
}

/** As {@link queryMany}, for a statement that returns no rows. */
export const queryNone = <const P extends ParameterTypes = NoParameters>(declaration: Declaration<P>) => {
  const declared = declare(declaration, null)
  const run = async (db: Queryable, ...[values]: Values<P>): Promise<void> => {
    await db.query(declared, values ?? {})
  }
  return Object.assign(run, { text: declared.text })
}

type Field = Readonly<{ name: string }>

const camelCase = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const keys = new Map<string, string>()
const keyOf = (column: string): string => {
  const key = keys.get(column) ?? camelCase(column)
  keys.set(column, key)
  return key
}

/** Parses rows, which are arrays of values, into the statement's shape. */
export const parseRows = <R>(
  { row }: Statement<R>,
  { fields, rows }: Readonly<{ fields: readonly Field[]; rows: readonly (readonly unknown[])[] }>,
): R[] => {
  if (row === null) return []
  const columns = fields.map((field) => keyOf(field.name))
  return rows.map((values) => {
    const named: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index += 1) named[columns[index] as string] = values[index]
    return row.parse(named)
  })
}
