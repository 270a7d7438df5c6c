import type { Logger } from '../log.ts'
import { metrics } from '../metrics.ts'

const LOG_EVERY_MS = 1_000

const dropped = metrics.counter(
  'causeway_bus_requests_dropped_total',
  'Messages on request subjects that were dropped',
  ['reason'],
)

/**
 * Counts dropped messages and logs at most one line a second and reason, with the number since the last line, so that a
 * flood does not fill the log.
 */
export const createDropLog = (log: Logger, nowMs: () => number = () => performance.now()) => {
  const told = new Map<string, { atMs: number; unlogged: number }>()
  return (reason: string, subject: string): void => {
    dropped.inc({ reason })
    const last = told.get(reason)
    if (last && nowMs() - last.atMs < LOG_EVERY_MS) {
      last.unlogged += 1
      return
    }
    told.set(reason, { atMs: nowMs(), unlogged: 0 })
    const fields = { event: 'bus.request_dropped', reason, subject, unlogged: last?.unlogged ?? 0 }
    if (reason === 'deadline') log.info(fields, 'A request arrived after its deadline and was dropped')
    else log.warn(fields, 'A message on a request subject was dropped')
  }
}
