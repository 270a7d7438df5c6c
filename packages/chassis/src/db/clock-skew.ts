import { z } from 'zod'
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
 * Keeps a clock on the database's time, so that every replica sees due times, leases and expiries alike. The answer
 * counts as given in the middle of its round trip; of three the fastest is used, because it is the most exact.
 * @returns how to stop following
 */
export const followDatabaseTime = async (db: Db, clock: Clock, log: Logger): Promise<() => void> => {
  const measure = async () => {
    let best = { roundTripMs: Number.POSITIVE_INFINITY, skewMs: 0 }
    for (let reading = 0; reading < 3; reading += 1) {
      const sentMs = performance.timeOrigin + performance.now()
      const row = await readTime(db)
      const receivedMs = performance.timeOrigin + performance.now()
      const roundTripMs = receivedMs - sentMs
      if (row && roundTripMs < best.roundTripMs)
        best = { roundTripMs, skewMs: row.ms - (sentMs + receivedMs) / 2 }
    }
    clock.follow(best.skewMs)
  }
  await measure()
  const timer = setInterval(() => {
    measure().catch((error: unknown) =>
      log.warn({ event: 'clock.not_read', error }, 'The database time could not be read'),
    )
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
