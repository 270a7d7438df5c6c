import { startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { purgeDeliveries, purgeDestinations, purgeFormerSecrets } from '../store.ts'

const EVERY_MS = 5_000
const REST_MS = 1_000
/** 1,000 rows in 5 s: a million rows of a deleted destination do not slow the deliveries of the others. */
const BATCH = 1_000
/** An hour: past every attempt that was under way, and every replica that had not read the deletion. */
const KEPT_MS = 3_600_000

/** Purges, in the background, what deleted destinations and ended rotations left behind. */
export const startDestinationPurge = ({
  db,
  clock,
  log,
}: Pick<ServiceContext, 'db' | 'clock' | 'log'>): Loop =>
  startLoop({
    name: 'destination-purge',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      await purgeFormerSecrets(db.pooled, { now: clock.now() })
      await purgeDeliveries(db.pooled, { limit: BATCH })
      await purgeDestinations(db.pooled, { deletedBefore: new Date(clock.nowMs() - KEPT_MS) })
    },
  })
