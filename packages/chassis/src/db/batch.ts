import type { Arguments, ParameterType } from './parameters.ts'

/** TypeScript type of a value of a column, by its type. */
type Values = {
  text: string
  integer: number
  smallint: number
  bigint: number | bigint
  uuid: string
  boolean: boolean
  /** A decimal as text; `numeric` in the statement. */
  decimal: string
  /** Milliseconds since the epoch; `timestamptz` in the statement. */
  time: number
}
type TypeName = keyof Values

/** A column of a batch: its type, with `?` where it may be null, and how a row gives its value. */
type Column<R> =
  | { [T in TypeName]: readonly [type: T, valueOf: (row: R) => Values[T]] }[TypeName]
  | { [T in TypeName]: readonly [type: `${T}?`, valueOf: (row: R) => Values[T] | null] }[TypeName]

/** Columns of a batch by their names; `rateAt` is the column `rate_at`. */
export type BatchColumns<R> = Readonly<Record<string, Column<R>>>

type ArrayType = Extract<ParameterType, `${string}[]`>

/** Rows as arrays, one a column, for one statement. Parameters are named after the batch and the column. */
export type Batch<R, P extends string> = Readonly<{
  /** Names of the columns in SQL, with commas between them: `partner_id, rate_at`. */
  names: string
  /** Parameters that {@link from} names, for the statement's declaration. */
  parameters: Readonly<Record<P, ArrayType>>
  /**
   * SQL: the rows, with the columns of `names`, for a FROM.
   * @param alias name of the rows in the statement
   * @param options.numbered adds the column `n`, the place of the row in the batch from 1
   */
  from: (alias: string, options?: Readonly<{ numbered: boolean }>) => string
  /** The arguments of a call. */
  values: (rows: readonly R[]) => Arguments<Record<P, ArrayType>>
}>

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** How a type is sent: as this type, which the SQL converts. Types that are not listed are sent as they are. */
const SENT = {
  decimal: { as: 'text', read: (name: string) => `${name}::numeric AS ${name}` },
  time: { as: 'float8', read: (name: string) => `to_timestamp(${name} / 1000.0) AS ${name}` },
} as const

const sentOf = (type: string) => {
  const [bare, nullable] = type.endsWith('?') ? [type.slice(0, -1), '?'] : [type, '']
  const sent = (SENT as Partial<Record<string, (typeof SENT)[keyof typeof SENT]>>)[bare]
  return { type: `${sent?.as ?? bare}${nullable}[]` as ArrayType, read: sent?.read ?? String }
}

/**
 * Declares the columns of a batch in one place: from them come the parameters, the values and the column list.
 * @example
 * const ORDERS = batchOf<Order>()('order', { id: ['text', (order) => order.id], createdAt: ['time', (order) => order.createdMs] })
 * queryNone({ parameters: ORDERS.parameters, text: `INSERT INTO orders (${ORDERS.names}) SELECT * FROM ${ORDERS.from('o')}` })
 */
export const batchOf =
  <R>() =>
  <const N extends string, K extends string>(
    name: N,
    columns: Readonly<Record<K, Column<R>>>,
  ): Batch<R, `${N}_${K}`> => {
    const declared = Object.entries<Column<R>>(columns).map(([key, [type, valueOf]]) => ({
      parameter: `${name}_${key}`,
      column: snakeCase(key),
      valueOf: valueOf,
      ...sentOf(type),
    }))
    const names = declared.map(({ column }) => column).join(', ')
    const arrays = declared.map(({ parameter }) => `:${parameter}`).join(', ')
    const read = declared.map(({ column, read: readColumn }) => readColumn(column)).join(', ')
    return {
      names,
      parameters: Object.fromEntries(declared.map(({ parameter, type }) => [parameter, type])) as Record<
        `${N}_${K}`,
        ArrayType
      >,
      from: (alias, { numbered } = { numbered: false }) =>
        numbered
          ? `(SELECT ${read}, n FROM unnest(${arrays}) WITH ORDINALITY AS sent (${names}, n)) AS ${alias}`
          : `(SELECT ${read} FROM unnest(${arrays}) AS sent (${names})) AS ${alias}`,
      values: (rows) =>
        Object.fromEntries(
          declared.map(({ parameter, valueOf }) => [parameter, rows.map((row) => valueOf(row))]),
        ) as Arguments<Record<`${N}_${K}`, ArrayType>>,
    }
  }
