import { newId, startLoop, type ServiceContext, type Loop, type Transaction } from '@causeway/chassis'
import type { DisputeStanding, DomainEvent } from '@causeway/contracts'
import {
  departuresUntilOver,
  isOverThreshold,
  type DisputeTally,
  type DisputeThreshold,
} from '../threshold.ts'
import * as store from '../threshold-store.ts'

const BATCH = 50
const EVERY_MS = 250
/** A merchant that is over is looked at this often, beside when a dispute leaves the window or an order is paid. */
const OVER_EVERY_MS = 60_000

const standingChanged = (standing: DisputeStanding, now: Date): DomainEvent => ({
  id: newId('event'),
  name: 'dispute_standing.changed',
  created_at: now.toISOString(),
  partners: [],
  merchant: null,
  fact: { kind: 'dispute_standing', standing },
})

/**
 * Judges merchants by the share of their paid card orders that are disputed, whenever that may have changed: after a
 * dispute or a payment, and when the window moves on. A change is told as a fact; onboarding makes of it what the
 * capability `payments.fiat_card` reads (decisions §4). Replicas share the work: each skips what another holds.
 */
export const startDisputeStanding = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  threshold: DisputeThreshold,
): Loop => {
  let isFirst = true

  /** The next moment at which time alone may change the verdict; null: none before another dispute. */
  const nextJudgement = async (
    tx: Transaction,
    merchantId: string,
    told: Readonly<{ tally: DisputeTally; isOver: boolean; now: Date; since: Date }>,
  ): Promise<Date | null> => {
    const { tally, isOver, now, since } = told
    const leaves = (at: Date) => at.getTime() + threshold.windowMs
    if (isOver) {
      const leavesMs =
        tally.oldestDisputeAt === null ? Number.POSITIVE_INFINITY : leaves(tally.oldestDisputeAt)
      return new Date(Math.min(leavesMs, now.getTime() + OVER_EVERY_MS))
    }
    const departures = departuresUntilOver(tally, threshold)
    if (departures === null) return null
    const last = await store.getPaidAt(tx, { merchantId, since, index: departures - 1 })
    return last ? new Date(leaves(last.paidAt)) : null
  }

  const judgeBatch = () =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const since = new Date(now.getTime() - threshold.windowMs)
      const due = await store.lockDue(tx, { now, limit: BATCH })
      for (const { merchantId, isOver: wasOver, version } of due) {
        const tally = await store.getTally(tx, { merchantId, since })
        if (!tally) throw new Error('A count has no row')
        const isOver = isOverThreshold(tally, threshold)
        const next = await nextJudgement(tx, merchantId, { tally, isOver, now, since })
        const known = isOver === wasOver ? version : version + 1
        await store.update(tx, { merchantId, isOver, version: known, checkAt: next })
        if (isOver === wasOver) continue
        tx.emit(standingChanged({ customer_id: merchantId, over_threshold: isOver, version: known }, now))
        log.info({ merchantId, isOver, ...tally }, 'A merchant has crossed the chargeback threshold')
      }
      return due.length === BATCH
    })

  return startLoop({
    name: 'dispute-standing',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      if (isFirst) await store.scheduleAll(db, { now: clock.now() })
      isFirst = false
      while (!signal.aborted && (await judgeBatch()));
    },
  })
}
