import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { purgeRedeliveries } from '../../redeliveries/store.ts'
import { eventIdsBetween } from '../../event-order.ts'
import { FIRST, purgeEvents } from '../retention-store.ts'

const EVERY_MS = 60_000
const REST_MS = 20
/** Events of one statement, so that purging does not slow deliveries. */
const BATCH = 1_000
/** Events are purged an hour after they can last be sent again, so that none is deleted while it is sent. */
const MARGIN_MS = 3_600_000

/** Purges events that are past their retention, with their deliveries, and redeliveries that ended before. */
export const startEventRetention = ({ db, clock, log }: ServiceContext, retentionMs: number): Loop => {
  let after = FIRST
  return startLoop({
    name: 'event-retention',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const oldest = new Date(clock.nowMs() - retentionMs - MARGIN_MS)
      await purgeRedeliveries(db.pooled, { finishedBefore: oldest })
      const { beforeId } = eventIdsBetween(0, oldest.getTime())
      const next = await purgeEvents(db.pooled, {
        oldest,
        beforeId,
        limit: BATCH,
        afterOwnerId: after.ownerId,
        afterEventId: after.eventId,
      })
      after = next ?? FIRST
      return next !== null
    },
  })
}
