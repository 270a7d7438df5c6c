import { startLoop, type Clock, type Logger, type Loop } from '@causeway/chassis'
import { eraseRelationship, type ErasureParts } from './operations.ts'
import * as store from './store.ts'

/** Relationships at a time, each in a transaction of its own. */
const BATCH = 20
const EVERY_MS = 60_000

type Parts = ErasureParts & Readonly<{ clock: Clock; log: Logger }>

const eraseBatch = async (parts: Parts): Promise<boolean> => {
  const { db, clock, kybRetentionMs } = parts
  const now = clock.now()
  const due = await db.apart.query(store.findDue, [new Date(now.getTime() - kybRetentionMs), BATCH])
  for (const { id } of due) await eraseRelationship(parts, { partnerCustomerId: id, now, cause: 'age' })
  return due.length === BATCH
}

/**
 * Erases the personal data of relationships that ended longer ago than `KYB_RETENTION`. Replicas may do the same one:
 * the second finds it done, because each holds the merchant's row while it looks.
 */
export const startRetention = (parts: Parts): Loop => {
  const loop = startLoop({
    name: 'retention',
    everyMs: EVERY_MS,
    restMs: 0,
    log: parts.log,
    run: async (signal) => {
      while (!signal.aborted && (await eraseBatch(parts)));
    },
  })
  const forgetMoves = parts.clock.onMoved(() => loop.wake())
  return {
    ...loop,
    async stop() {
      forgetMoves()
      await loop.stop()
    },
  }
}
