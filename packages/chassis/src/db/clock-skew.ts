import { z } from 'zod'
import { measureSkew } from '../clock-skew.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Db } from './db.ts'
import { queryOne } from './statement.ts'

const readTime = queryOne({
  name: 'chassis.read-time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  row: z.object({ ms: z.number() }),
})
const INTERVAL_MS = 30_000

/**
 * Keeps a clock on the database's time, so that every replica sees due times, leases and expiries alike.
 * @returns how to stop following
 */
export const followDatabaseTime = async (db: Db, clock: Clock, log: Logger): Promise<() => void> => {
  const measure = async () =>
    clock.follow((await measureSkew(async () => (await readTime(db))?.ms ?? null)) ?? 0)
  await measure()
  const timer = setInterval(() => {
    measure().catch((error: unknown) =>
      log.warn({ event: 'clock.not_read', error }, 'The database time could not be read'),
    )
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
