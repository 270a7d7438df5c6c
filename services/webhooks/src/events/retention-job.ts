import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { purgeEvents } from './retention-store.ts'
import { purgeRedeliveries } from '../redeliveries/store.ts'

const EVERY_MS = 600_000
const REST_MS = 1_000
/** So few at a time, that a month's events go without the deliveries' notice. */
const BATCH = 1_000
/** Events leave this long after nothing can be sent of them any more: nobody is sending one that is being deleted. */
const AFTERWARDS_MS = 3_600_000

/** Deletes events that are past their retention, with their deliveries, and redeliveries that ended before. */
export const startEventRetention = ({ db, clock, log }: ServiceContext, retentionMs: number): Loop => {
  const loop = startLoop({
    name: 'event-retention',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const oldest = new Date(clock.nowMs() - retentionMs - AFTERWARDS_MS)
      await db.apart.query(purgeRedeliveries, [oldest])
      const [purged] = await db.apart.query(purgeEvents, [oldest, BATCH])
      if (purged?.deleted === BATCH) loop.wake()
    },
  })
  return loop
}
