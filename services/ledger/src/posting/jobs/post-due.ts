import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { postDue } from '../store.ts'

/** Well within the 60 s in which the books are complete (decisions §47). */
const EVERY_MS = 1_000
const BATCH = 500

/** Posts what becomes available. Replicas may run it simultaneously: the books post each posting once. */
export const startPostDue = ({
  db,
  clock,
  log,
}: Readonly<{ db: Pick<Db, 'pooled'>; clock: Pick<Clock, 'now'>; log: Logger }>): Loop =>
  startLoop({
    name: 'post-due',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => (await postDue(db.pooled, { now: clock.now(), limit: BATCH }))?.posted === BATCH,
  })
