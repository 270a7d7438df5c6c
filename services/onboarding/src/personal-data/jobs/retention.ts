import { startLoop, type Clock, type Logger, type Loop } from '@causeway/chassis'
import { eraseRelationship, type ErasureDependencies } from '../erasure.ts'
import * as store from '../store.ts'

/** Relationships per run, each in a separate transaction. */
const BATCH = 20
const EVERY_MS = 60_000

type Dependencies = ErasureDependencies & Readonly<{ clock: Clock; log: Logger }>

const eraseBatch = async (dependencies: Dependencies): Promise<boolean> => {
  const { db, clock, kybRetentionMs } = dependencies
  const now = clock.now()
  const endedBefore = new Date(now.getTime() - kybRetentionMs)
  const due = await store.listDue(db.pooled, { endedBefore, limit: BATCH })
  for (const { partnerCustomerId } of due)
    await eraseRelationship(dependencies, { partnerCustomerId, now, cause: 'age' })
  return due.length === BATCH
}

/**
 * Erases the personal data of relationships that ended longer ago than `KYB_RETENTION`. Of two replicas that take the
 * same relationship, the second waits for the lock of the merchant's row and finds it erased.
 */
export const startRetention = (dependencies: Dependencies): Loop => {
  const { clock, log } = dependencies
  const loop = startLoop({
    name: 'retention',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => eraseBatch(dependencies),
  })
  const stopFollowing = clock.onMoved(() => loop.wake())
  return {
    ...loop,
    async stop() {
      stopFollowing()
      await loop.stop()
    },
  }
}
