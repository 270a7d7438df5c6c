import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { NOTICE_TOLERANCE_MS } from '@causeway/rails/cards'
import { purgeTaken } from '../store.ts'

const EVERY_MS = 60_000
/** A signature is valid for the tolerance before and after its time; after that the notice is refused as stale. */
const RETENTION_MS = 4 * NOTICE_TOLERANCE_MS

/** Purges notices that would be refused as stale anyway. Their age is measured on the clock of the signatures. */
export const startNoticePurge = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>): Loop =>
  startLoop({
    name: 'notice-purge',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => purgeTaken(db, { before: new Date(clock.outsideMs() - RETENTION_MS) }),
  })
