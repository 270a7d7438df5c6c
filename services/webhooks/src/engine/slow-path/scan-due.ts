import type { EngineDependencies } from '../dependencies.ts'
import { scanDue } from './store.ts'

const PAUSE_MS = 500
/**
 * A scan takes a fiftieth of the time at most: while somebody holds a snapshot, it reads every row that was worked off
 * meanwhile.
 */
const PAUSE_SHARE = 50
/** Deliveries that are due later wait for a later scan: thousands of destinations may wait for retries. */
const HORIZON_MS = 30_000
/** Short enough that a later scan finds every delivery before it is due. */
const LONGEST_PAUSE_MS = HORIZON_MS / 2

/** Adds to the due index what other replicas, or this process before its restart, left waiting; again and again. */
export const startDueScan = ({
  db,
  dueIndex,
  clock,
  log,
}: EngineDependencies): Readonly<{ stop: () => Promise<void> }> => {
  let isStopped = false
  let timer: NodeJS.Timeout | null = null
  let scanning: Promise<void> = Promise.resolve()

  const schedule = (delayMs: number): void => {
    if (isStopped) return
    timer = setTimeout(() => {
      scanning = scan()
    }, delayMs)
  }
  const scan = async (): Promise<void> => {
    const begunMs = performance.now()
    try {
      const rows = await scanDue(db.pooled, { untilMs: clock.nowMs() + HORIZON_MS })
      for (const { priority, destinationId, dueMs } of rows) dueIndex.add(priority, destinationId, dueMs)
    } catch (error) {
      log.warn(
        { event: 'webhooks.due_scan_failed', error },
        'The waiting deliveries could not be scanned; the next scan retries',
      )
    }
    const sharedMs = PAUSE_SHARE * (performance.now() - begunMs)
    schedule(Math.max(PAUSE_MS, Math.min(sharedMs, LONGEST_PAUSE_MS)))
  }

  schedule(0)
  return {
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await scanning
    },
  }
}
