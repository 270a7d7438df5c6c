import { startLoop, type ServiceContext, type Loop, type Transaction } from '@causeway/chassis'
import { disputeThresholdStatusChanged } from '../events.ts'
import * as store from '../threshold-store.ts'
import {
  departuresUntilOver,
  isOverThreshold,
  isSameMeasure,
  measureOf,
  type DisputeTally,
  type DisputeThreshold,
} from '../threshold.ts'

const BATCH = 50
const EVERY_MS = 1_000
/** Interval at which a merchant above the threshold is checked and its share emitted, in addition to when a dispute leaves the window or an order is paid. */
const OVER_EVERY_MS = 60_000

/**
 * Checks merchants against the chargeback threshold whenever the result may have changed: after a dispute or a payment,
 * and when the window moves on. A change is emitted as a fact, from which onboarding derives the capability
 * `payments.fiat_card` (decisions §4). Replicas share the work: each skips what another has locked.
 */
export const startThresholdCheck = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  threshold: DisputeThreshold,
): Loop => {
  let isFirst = true

  /** The next moment at which time alone may change the result; null: none before another dispute. */
  const nextCheckAt = async (
    tx: Transaction,
    merchantId: string,
    result: Readonly<{ tally: DisputeTally; isOver: boolean; now: Date; since: Date }>,
  ): Promise<Date | null> => {
    const { tally, isOver, now, since } = result
    const leavesMs = (at: Date) => at.getTime() + threshold.windowMs
    if (isOver) {
      const oldestMs =
        tally.oldestDisputeAt === null ? Number.POSITIVE_INFINITY : leavesMs(tally.oldestDisputeAt)
      return new Date(Math.min(oldestMs, now.getTime() + OVER_EVERY_MS))
    }
    const departures = departuresUntilOver(tally, threshold)
    if (departures === null) return null
    const last = await store.getPaidAt(tx, { merchantId, since, index: departures - 1 })
    return last ? new Date(leavesMs(last.paidAt)) : null
  }

  const checkBatch = () =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const since = new Date(now.getTime() - threshold.windowMs)
      const due = await store.lockDue(tx, { now, limit: BATCH })
      for (const { merchantId, isOver: wasOver, version: versionBefore, measure: measureBefore } of due) {
        const tally = await store.getTally(tx, { merchantId, since })
        if (!tally) throw new Error('A count returned no row')
        const isOver = isOverThreshold(tally, threshold)
        const checkAt = await nextCheckAt(tx, merchantId, { tally, isOver, now, since })
        const version = isOver === wasOver ? versionBefore : versionBefore + 1
        const measure = isOver ? measureOf(tally, threshold) : null
        await store.update(tx, {
          merchantId,
          isOver,
          version,
          measure: measure && JSON.stringify(measure),
          checkAt,
        })
        if (isOver === wasOver && isSameMeasure(measure, measureBefore)) continue
        tx.emit(disputeThresholdStatusChanged({ merchantId, isOver, version, measure }, now))
        if (isOver === wasOver) continue
        log.info(
          { event: 'dispute_threshold.crossed', merchantId, isOver, ...tally },
          'Merchant crossed the chargeback threshold',
        )
      }
      return due.length === BATCH
    })

  return startLoop({
    name: 'dispute-threshold-check',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => {
      if (isFirst) await store.scheduleAll(db, { now: clock.now() })
      isFirst = false
      // A look without a transaction is one statement instead of three.
      return (await store.lockDue(db, { now: clock.now(), limit: 1 })).length > 0 && checkBatch()
    },
  })
}
