import type { SealedColumn, Sealing } from './keys/sealed-column.ts'

/** Erasure of a column whose rows are deleted. */
export const WITH_ITS_ROW = 'DELETE'

/** A column with data about people that an erasure removes. */
export type ErasedColumn = Readonly<{
  /** SQL of the value that replaces it, or {@link WITH_ITS_ROW}. */
  erasedTo: string
  /** Field of the export; of an encrypted column, the fields of its plain text. Null: a keyed hash or a token. */
  exportAs: string | ((plain: string) => Readonly<Record<string, unknown>>) | null
  sealed?: Sealing
}>

/** A column with data about people that an erasure keeps, and the reason. */
export type KeptColumn = Readonly<{ keptBecause: string; sealed?: Sealing }>

/** All columns of a table, classified. An unclassified column fails tests/infrastructure/columns.test.ts. */
export type TableColumns = Readonly<{
  personal?: Readonly<Record<string, ErasedColumn | KeptColumn>>
  /** Encrypted values that say nothing about people. */
  secret?: Readonly<Record<string, Sealing>>
  /** Names of all other columns, separated by spaces. */
  plain: string
}>

/** The tables of a service's database, by name; with a schema unless it is `public`. */
export type Tables = Readonly<Record<string, TableColumns>>

/** Returns every encrypted column, in the order of the tables. */
export function sealedColumns(tables: Tables): SealedColumn[] {
  return Object.entries(tables).flatMap(([table, { personal = {}, secret = {} }]) => {
    const sealings = Object.entries(personal).flatMap(([column, { sealed }]) =>
      sealed === undefined ? [] : [[column, sealed] as const],
    )
    return [...sealings, ...Object.entries(secret)].map(([column, sealed]) => ({ table, column, ...sealed }))
  })
}

/** SQL: the assignments that erase the personal columns of a table; empty where its rows are deleted. */
export function erasedValues({ personal = {} }: TableColumns): string {
  return Object.entries(personal)
    .flatMap(([column, rule]) =>
      'erasedTo' in rule && rule.erasedTo !== WITH_ITS_ROW ? [`${column} = ${rule.erasedTo}`] : [],
    )
    .join(', ')
}

/** SQL: arguments of `jsonb_build_object` with the personal columns of a table that are not encrypted. */
export function exportedFields({ personal = {} }: TableColumns, alias: string): string {
  return Object.entries(personal)
    .flatMap(([column, rule]) =>
      'exportAs' in rule && typeof rule.exportAs === 'string'
        ? [`'${rule.exportAs}', ${alias}.${column}`]
        : [],
    )
    .join(', ')
}
