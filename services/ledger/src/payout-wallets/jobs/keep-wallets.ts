import { startLoop, type Clock, type Db, type Logger } from '@causeway/chassis'
import { activeEvent } from '../events.ts'
import { activateDue, eraseDeleted } from '../store.ts'

const EVERY_MS = 1_000
const BATCH = 100

/** Activates destinations whose waiting time is over, and erases what deleted ones named. Replicas may run it simultaneously. */
export const startWalletKeeping = ({
  db,
  clock,
  log,
}: Readonly<{ db: Db; clock: Pick<Clock, 'now'>; log: Logger }>) => {
  const activating = startLoop({
    name: 'activate-payout-wallets',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    async run() {
      const now = clock.now()
      const active = await db.transaction(async (tx) => {
        const rows = await activateDue(tx, { now, limit: BATCH })
        for (const row of rows) tx.emit(activeEvent(row, now))
        return rows.length
      })
      return active === BATCH
    },
  })
  const erasing = startLoop({
    name: 'erase-payout-wallets',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => (await eraseDeleted(db.pooled, { now: clock.now(), limit: BATCH })).length === BATCH,
  })
  return {
    async stop() {
      await Promise.all([activating.stop(), erasing.stop()])
    },
  }
}
