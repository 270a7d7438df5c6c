import { EVENT_RETENTION_MS } from '@causeway/contracts'
import { deleteOldKeys } from './idempotency/store.ts'
import { deleteOldReceipts } from './inbox.ts'
import type { ServiceContext } from './service-context.ts'

const EVERY_MS = 3_600_000

/** Deletes inbox rows and idempotency keys older than 7 days, once an hour and when the time was moved. */
export const startHousekeeping = ({
  db,
  clock,
  log,
}: Pick<ServiceContext, 'db' | 'clock' | 'log'>): { stop: () => void } => {
  const tidy = async () => {
    const before = new Date(clock.nowMs() - EVENT_RETENTION_MS)
    await deleteOldReceipts(db.pooled, { before })
    await deleteOldKeys(db.pooled, { before })
  }
  const run = () =>
    void tidy().catch((error: unknown) =>
      log.warn(
        { event: 'housekeeping.failed', error },
        'Old rows could not be deleted; the next round tries again',
      ),
    )
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  const forgetMoves = clock.onMoved(run)
  return {
    stop() {
      clearInterval(timer)
      forgetMoves()
    },
  }
}
