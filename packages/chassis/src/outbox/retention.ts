import { EVENT_RETENTION_MS } from '@causeway/contracts'
import { startLoop, type Loop } from '../loop.ts'
import type { ServiceContext } from '../service-context.ts'
import * as store from './retention-store.ts'

const EVERY_MS = 10 * 60_000
const REST_MS = 20
/** Rows of one statement: about 50 ms. */
const BATCH = 5_000
/**
 * Events of a block. At 165 a second it is full within the retention, and dropped; below that its rows are deleted. At
 * 2,000 a second it is full in 14 hours, in which the job may fail before events go into the default partition.
 */
export const BLOCK_EVENTS = 100_000_000

/**
 * Opens blocks of the outbox ahead of time, and removes published events past their retention: full blocks are dropped
 * once all of their events are, rows of the block that is written are deleted.
 * @returns whether there is more
 */
export const keepOutbox = async (
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  size = BLOCK_EVENTS,
): Promise<boolean> => {
  await store.openBlock(db.pooled, { size })
  const old = { before: new Date(clock.nowMs() - EVENT_RETENTION_MS), limit: BATCH }
  const batches = await store.deleteExpiredBatches(db.pooled, old)
  if (batches?.deleted === BATCH) return true
  while ((await store.dropBlock(db.pooled, old)) !== null);
  const rows = await store.deletePastOfWrittenBlock(db.pooled, old)
  const strays = await store.deletePastOutsideBlocks(db.pooled, old)
  return rows?.deleted === BATCH || strays?.deleted === BATCH
}

/** Runs apart from the relay, which a deletion must not hold up. Any replica does it. */
export const startOutboxRetention = (
  context: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
): Pick<Loop, 'stop'> => {
  const loop = startLoop({
    name: 'outbox-retention',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log: context.log,
    run: () => keepOutbox(context),
  })
  const forgetMoves = context.clock.onMoved(loop.wake)
  return {
    async stop() {
      forgetMoves()
      await loop.stop()
    },
  }
}
