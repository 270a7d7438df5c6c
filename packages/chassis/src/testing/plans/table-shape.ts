/**
 * Statistics of a column for the planner. For a column that is left out it assumes 200 values, or as many as rows if an
 * index is unique.
 */
export type ColumnShape = Readonly<{
  /** How many values there are. Two numbers: when few owners hold all rows (busy), and when many hold a few (even). */
  distinct?: number | Readonly<{ busy: number; even: number }>
  /** The share of rows in which it is null; left out: 0. */
  nulls?: number
  /** The share of rows of each value, for a column of a few values. */
  shares?: Readonly<Record<string, number>>
}>

/** A table as it is to be planned for; `bytes` is the size of a row. */
export type TableShape = Readonly<{
  rows: number
  bytes: number
  columns?: Readonly<Record<string, ColumnShape>>
}>

/** Shapes by the name of the table, with its schema where that is not `public`. */
export type TableShapes = Readonly<Record<string, TableShape>>

/**
 * Stages at which tables are planned for. Young: they hold a 200th of their rows, and a plan that is made now is kept
 * while they grow. Then all of them: few owners hold them (busy), each holds a few (even), or something in between.
 */
export const STAGES = ['young', 'busy', 'between', 'even'] as const
export type Stage = (typeof STAGES)[number]

export const YOUNG_SHARE = 1 / 200

/** A whole table of at most so many rows may be read in any statement. */
export const SMALL_TABLE_ROWS = 1_000

export const isSmall = (shapes: TableShapes, table: string): boolean =>
  (shapes[table]?.rows ?? Infinity) <= SMALL_TABLE_ROWS
