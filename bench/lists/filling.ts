import { createClock, createLogger, type Db } from '@causeway/chassis'
import { createDb, migrate } from '@causeway/chassis/database'
import { ownerOf, type DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Rows of one table: the text of an INSERT of rows `$1` to `$2`. */
export type Rows = Readonly<{ count: number; insert: string }>

/** A timed statement; `random` returns a whole number from 1 to `most`. */
export type TimedStatement = Readonly<{
  name: string
  run: (db: Db, random: (most: number) => number) => Promise<unknown>
}>

/** A service's tables at their size, and its statements that list or search. */
export type ServiceLists = Readonly<{
  service: DatabaseName
  /** In the order in which they are filled. */
  rows: readonly Rows[]
  /** Rows that are added while there is time, at most `count`. */
  more?: { insert: string; count: number; withinMs: number }
  /** Statements that run after the rows were inserted. */
  after?: readonly string[]
  statements: (filled: number) => readonly TimedStatement[]
}>

/** SQL: the id of row `n`; ids are in the order of their numbers. */
export const idOf = (prefix: string, number = 'n'): string =>
  `'${prefix}_' || lpad((${number})::text, 26, '0')`
export const id = (prefix: string, number: number): string =>
  `${prefix}_${number.toString().padStart(26, '0')}`

const BASE_MS = Date.parse('2026-01-01T00:00:00Z')
/** SQL: the time of row `n`, one a second. */
export const AT = `timestamptz '2026-01-01Z' + n * interval '1 second'`
export const at = (number: number): Date => new Date(BASE_MS + 1_000 * number)

const CHUNK = 100_000
/** The number of cores of the machine on which the figures were measured. */
const WRITERS = 2

const withWriters = async <T>(
  url: string,
  work: (writers: readonly pg.Client[]) => Promise<T>,
): Promise<T> => {
  const writers = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: url }))
  try {
    for (const writer of writers) {
      await writer.connect()
      // Rows are consistent by construction: no foreign key is checked for each.
      await writer.query("SET session_replication_role = 'replica'; SET statement_timeout = 0")
    }
    return await work(writers)
  } finally {
    await Promise.all(writers.map((writer) => writer.end()))
  }
}

/** Inserts rows in chunks, until all are inserted or the time is over. @returns the number of inserted rows */
const fill = async (
  writers: readonly pg.Client[],
  { insert, count }: Rows,
  withinMs = Infinity,
): Promise<number> => {
  const endsAtMs = performance.now() + withinMs
  let begun = 0
  const work = async (writer: pg.Client) => {
    while (begun < count && performance.now() < endsAtMs) {
      const from = begun + 1
      begun = Math.min(count, begun + CHUNK)
      await writer.query(insert, [from, begun])
    }
  }
  await Promise.all(writers.map(work))
  return begun
}

/** Fills a service's empty database, then calls `use` with the number of rows that `more` inserted. */
export const fillService = async (
  url: string,
  { service, rows, more, after = [] }: ServiceLists,
  use: (db: Db, filled: number) => Promise<void>,
): Promise<void> => {
  const log = createLogger({ service: 'bench', level: 'warn' })
  const folder = fileURLToPath(new URL(`../../services/${ownerOf(service)}/migrations`, import.meta.url))
  await migrate({ url, folder, log })
  const filled = await withWriters(url, async (writers) => {
    for (const table of rows) await fill(writers, table)
    const made = more === undefined ? 0 : await fill(writers, more, more.withinMs)
    for (const text of after) await writers[0]?.query(text)
    await writers[0]?.query('VACUUM ANALYZE')
    return made
  })
  const db = createDb({ url, name: service, log, clock: createClock(), poolSize: 2, pipelinedConnections: 1 })
  try {
    await use(db, filled)
  } finally {
    await db.close()
  }
}
