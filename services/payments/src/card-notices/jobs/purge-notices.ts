import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { NOTICE_TOLERANCE_MS } from '@causeway/rails'
import { purgeTaken } from '../store.ts'

const EVERY_MS = 60_000
/** A signature is good for the tolerance before and after its time; then the notice is stale and need not be known. */
const KEPT_MS = 4 * NOTICE_TOLERANCE_MS

/** Forgets notices that would be refused as stale anyway. Their age is counted on the clock that signatures are. */
export const startNoticeForgetting = ({
  db,
  clock,
  log,
}: Pick<ServiceContext, 'db' | 'clock' | 'log'>): Loop =>
  startLoop({
    name: 'notice-forgetting',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => {
      await purgeTaken(db, { before: new Date(clock.outsideMs() - KEPT_MS) })
    },
  })
