import { createCopyEncoder, type CopyColumns } from './binary-copy.ts'

/** Rows on their way into tables: the statement's text, and one encoded stream for each COPY in it. */
export type Copy = Readonly<{ name: string; text: string; streams: readonly Buffer[] }>

/** What copies: the database itself. */
export type CopyTarget = Readonly<{ copy: (copy: Copy) => Promise<void> }>

type Declaration<Rows extends Record<string, object>> = Readonly<{
  /** Tag that opens the statement's text, such as `deliveries.copy-new`. */
  name: string
  /** The columns of each table, in the order in which the tables are written. */
  tables: { readonly [T in keyof Rows]: CopyColumns<Rows[T]> }
}>

/**
 * Declares, once, at module level, rows that go into several tables by binary `COPY`, all of them or none: the
 * statements are one message, which PostgreSQL runs as one transaction. It costs 7 % less CPU there than
 * `INSERT … SELECT FROM unnest(…)` (docs/BENCHMARKS.md), and it has no ON CONFLICT: a row that is there already is a
 * unique violation.
 * @throws Error with the code 22P03, before anything is sent, for a value that is not of its column's type
 */
export const copyInto = <Rows extends Record<string, object>>({ name, tables }: Declaration<Rows>) => {
  const targets = (Object.keys(tables) as (keyof Rows & string)[]).map((table) => ({
    table,
    text: `COPY ${table} (${Object.keys(tables[table]).join(', ')}) FROM STDIN (FORMAT binary)`,
    encode: createCopyEncoder(tables[table]),
  }))
  return async (db: CopyTarget, rows: { readonly [T in keyof Rows]: readonly Rows[T][] }): Promise<void> => {
    const wanted = targets.filter(({ table }) => rows[table].length > 0)
    if (wanted.length === 0) return
    await db.copy({
      name,
      text: `/* ${name} */ ${wanted.map(({ text }) => text).join('; ')}`,
      streams: wanted.map(({ table, encode }) => encode(rows[table])),
    })
  }
}
