import { differenceOf, rowTextOf, type Databases, type Rows } from '../../contract/database.ts'
import type { TestPlatform } from '../../journeys/platform.ts'

/** Tables whose expired rows access purges once a minute. */
const TABLES = ['sessions', 'portal_links']

/** When rows of these tables expire, by the row's text. */
export const readExpiries = async (databases: Databases): Promise<ReadonlyMap<string, Date>> => {
  const expiries = new Map<string, Date>()
  for (const table of TABLES) {
    const found = await databases.query(
      'gateway',
      `SELECT ${rowTextOf(table)} AS row, expires_at AS "expiresAt" FROM ${table} t`,
      [],
    )
    const rows = (found?.rows ?? []) as { row: string; expiresAt: Date }[]
    for (const { row, expiresAt } of rows) expiries.set(row, expiresAt)
  }
  return expiries
}

/** The platform's time, which differs from the machine's. */
export const timeOf = async ({ sandbox }: TestPlatform): Promise<Date> =>
  new Date(String((await sandbox.get('/control/clock')).body['now']))

/**
 * Returns the differences, except rows that expired by `now`: access may purge those between the two reads, or later. All
 * other deletions and all insertions are differences.
 */
export const differenceApartFromPurged = (
  [before, after]: readonly [Rows, Rows],
  expiries: ReadonlyMap<string, Date>,
  now: Date,
): ReturnType<typeof differenceOf> => {
  const isUnexpired = (row: string) => {
    const expiresAt = expiries.get(row)
    return expiresAt === undefined || expiresAt > now
  }
  const unexpired = (rows: Rows): Rows =>
    new Map([...rows].map(([table, all]) => [table, all.filter(isUnexpired)]))
  return differenceOf(unexpired(before), unexpired(after))
}
