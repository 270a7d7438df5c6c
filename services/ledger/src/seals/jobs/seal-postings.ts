import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { sealPostings } from '../seal.ts'

const EVERY_MS = 60_000
const REST_MS = 1_000

/** Seals the books every minute. */
export const startSealing = ({
  db,
  clock,
  log,
}: Readonly<{ db: Pick<Db, 'pooled'>; clock: Pick<Clock, 'now'>; log: Logger }>): Loop =>
  startLoop({
    name: 'seal-postings',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    run: () => sealPostings(db.pooled, clock.now()),
  })
