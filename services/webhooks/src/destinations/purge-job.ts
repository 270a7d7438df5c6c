import type { ServiceContext } from '@causeway/chassis'
import { purgeDeliveries, purgeDestinations } from './store.ts'

const EVERY_MS = 5_000
/** Paced, so that a million rows of a deleted destination take nothing from the deliveries of the others. */
const ROWS = 1_000
/** Long past any attempt that was under way, and any replica that had not heard. */
const KEPT_MS = 3_600_000

/** Deletes, in the background, what removed destinations left behind. */
export const startPurge = ({
  db,
  clock,
  log,
}: Pick<ServiceContext, 'db' | 'clock' | 'log'>): { stop: () => Promise<void> } => {
  const purge = async () => {
    try {
      await db.apart.query(purgeDeliveries, [ROWS])
      await db.apart.query(purgeDestinations, [new Date(clock.nowMs() - KEPT_MS)])
    } catch (error) {
      log.warn({ error }, 'Rows of removed destinations could not be deleted; the next round tries again')
    }
  }
  let purging = Promise.resolve()
  const timer = setInterval(() => {
    purging = purging.then(purge)
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return purging
    },
  }
}
