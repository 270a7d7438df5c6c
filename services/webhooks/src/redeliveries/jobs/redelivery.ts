import { newIdAt, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { claimLeaseMs } from '../../engine/dependencies.ts'
import type { Engine } from '../../engine/engine.ts'
import { eventIdsBetween } from '../../event-order.ts'
import { advanceRedelivery, claimRedeliveries, type ClaimedRedelivery } from '../store.ts'

/** The unit of the pace; a redelivery is claimed once in it, by whichever replica. */
const TURN_MS = 1_000
const EVERY_MS = 500
const REST_MS = 50
/** Redeliveries that one replica advances at a time. */
const MAX_CLAIMED = 20
/** A redelivery pauses while its destination has this many retries and redeliveries that are due or under way. */
const MAX_WAITING = 1_000
/** Events that one statement scans, and statements a turn: 40,000 events a second where few match the filter. */
const SCAN_LIMIT = 2_000
const STATEMENTS = 20

type Options = Readonly<{
  context: Pick<ServiceContext, 'db' | 'clock' | 'log'>
  engine: Pick<Engine, 'due'>
  eventRetentionMs: number
  /** The longest that an attempt may take. */
  attemptTimeoutMs: number
}>

/**
 * Sends events again in bulk, at each redelivery's pace. Its position is in its row: any replica advances it, and a
 * restart loses and repeats nothing. What it makes due is claimed after first attempts.
 */
export const startRedeliveryJob = ({
  context: { db, clock, log },
  engine,
  eventRetentionMs,
  attemptTimeoutMs,
}: Options): Loop => {
  const advance = async (claimed: ClaimedRedelivery, now: Date): Promise<void> => {
    const oldestEvent = new Date(now.getTime() - eventRetentionMs)
    const fromMs = Math.max(claimed.reachedAt.getTime(), oldestEvent.getTime())
    const ids = eventIdsBetween(fromMs, claimed.until.getTime())
    let left = Math.min(claimed.perSecond, MAX_WAITING - claimed.waiting)
    for (let count = 0; count < STATEMENTS && left > 0; count += 1) {
      const newIds = Array.from({ length: left }, () => newIdAt('delivery', now.getTime()))
      const step = { id: claimed.id, now, scanLimit: SCAN_LIMIT, newIds, oldestEvent, ...ids }
      const progress = await advanceRedelivery(db.pooled, step)
      if (progress && progress.sent > 0) engine.due(claimed.destinationId)
      if (!progress?.isRunning) return
      left -= progress.sent
    }
  }

  return startLoop({
    name: 'redeliverer',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const now = clock.now()
      const claimed = await claimRedeliveries(db.pooled, {
        now,
        nextAt: new Date(now.getTime() + TURN_MS),
        dueUntil: new Date(now.getTime() + claimLeaseMs(attemptTimeoutMs)),
        limit: MAX_CLAIMED,
        waitingBound: MAX_WAITING,
      })
      await Promise.all(claimed.map((redelivery) => advance(redelivery, now)))
    },
  })
}
