import { EVENT_RETENTION_MS } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import { FROM_THE_FIRST } from './db/delete-oldest.ts'
import { deleteOldKeys } from './idempotency/store.ts'
import { deleteOldReceipts } from './inbox.ts'
import { startLoop } from './loop.ts'
import type { ServiceContext } from './service-context.ts'

const EVERY_MS = 3_600_000
const REST_MS = 20
/** Rows of one statement: about 50 ms, far within a statement's timeout. */
const BATCH = 2_000

/** Deletes inbox rows and idempotency keys older than 7 days, in batches, once an hour and when the time was moved. */
export const startHousekeeping = ({
  db,
  clock,
  log,
}: Pick<ServiceContext, 'db' | 'clock' | 'log'>): { stop: () => Promise<void> } => {
  const loop = startLoop({
    name: 'housekeeping',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run(signal) {
      const before = new Date(clock.nowMs() - EVENT_RETENTION_MS)
      for (const deleteOld of [deleteOldReceipts, deleteOldKeys]) {
        let from: Date | undefined = FROM_THE_FIRST
        while (from !== undefined && !signal.aborted) {
          from = (await deleteOld(db.pooled, { from, before, limit: BATCH }))?.through
          if (from !== undefined) await sleep(REST_MS)
        }
      }
    },
  })
  const forgetMoves = clock.onMoved(loop.wake)
  return {
    async stop() {
      forgetMoves()
      await loop.stop()
    },
  }
}
