import { startLoop, type Clock, type Db, type Logger } from '@causeway/chassis'
import { eraseEnded } from '../store.ts'

const EVERY_MS = 1_000
const BATCH = 100

/** Erases the content of files whose payouts have ended. Replicas may run it simultaneously. */
export const startFileErasure = ({
  db,
  clock,
  log,
}: Readonly<{ db: Db; clock: Pick<Clock, 'now'>; log: Logger }>) =>
  startLoop({
    name: 'erase-payment-files',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => (await eraseEnded(db.pooled, { now: clock.now(), limit: BATCH })).length === BATCH,
  })
