import { metrics, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails/cards'
import { randomUUID } from 'node:crypto'
import type { Comparison } from '../compare-refunds.ts'
import type { Differences } from '../differences.ts'
import { createReconciliationRun } from '../run.ts'
import { createRunClaim } from '../run-claim.ts'
import type { ReconciliationSchedule } from '../run-plan.ts'

const EVERY_MS = 1_000
/** Far longer than most pages take; after a replica's death another one continues its run within this time. */
const LEASE_MS = 20_000
const MAX_PAUSE_MS = 60_000
/** Failed turns in a row after which a failing part may be skipped. */
const FAILURES_BEFORE_SKIPPING = 2

const finishedAt = metrics.gauge(
  'causeway_refund_reconciliation_finished_timestamp_seconds',
  'Time at which the last comparison of all refunds with a processor finished, on the replica that made it',
  ['processor'],
)

type ReconciliationDependencies = Readonly<{
  processors: CardProcessors
  schedule: ReconciliationSchedule
  comparison: Comparison
  differences: Pick<Differences, 'updateGauge'>
}>

/**
 * Reconciles every refund with its processor, again and again (docs/REFUNDS.md). A processor that cannot be read is
 * retried with exponential backoff, and the runs of the others continue.
 */
export const startReconciliation = (
  context: ServiceContext,
  { processors, schedule, comparison, differences }: ReconciliationDependencies,
): Loop => {
  const { db, clock, log } = context
  const lease = { holder: randomUUID(), ms: LEASE_MS }
  const { claim, release } = createRunClaim({ db, clock, schedule, lease })
  const continueRun = createReconciliationRun({ db, clock, comparison, lease })
  const failures = new Map<string, { count: number; untilMs: number }>()

  const reconcile = async (processor: string, signal: AbortSignal): Promise<void> => {
    const run = await claim(processor)
    if (!run) return
    const adapter = processors.get(processor)
    const maySkip = (failures.get(processor)?.count ?? 0) >= FAILURES_BEFORE_SKIPPING
    const finished = adapter && (await continueRun(run, { processor: adapter, signal, maySkip }))
    if (!finished) {
      await release(processor)
      return
    }
    finishedAt.set({ processor }, clock.outsideMs() / 1_000)
    const { compared, recorded, isDeep, since, skipped } = finished
    if (skipped.length > 0)
      log.warn(
        { event: 'reconciliation.parts_skipped', processor, skipped },
        'Parts of a processor’s list of refunds could not be read and were skipped; the rest was compared',
      )
    log.debug(
      { event: 'reconciliation.run_finished', processor, compared, recorded, isDeep, since },
      'Reconciliation run with a processor finished',
    )
  }

  const attempt = async (processor: string, signal: AbortSignal): Promise<void> => {
    const failed = failures.get(processor)
    if (failed && clock.outsideMs() < failed.untilMs) return
    try {
      await reconcile(processor, signal)
      failures.delete(processor)
    } catch (error) {
      const count = (failed?.count ?? 0) + 1
      const pauseMs = Math.min(EVERY_MS * 2 ** Math.min(count, 10), MAX_PAUSE_MS)
      failures.set(processor, { count, untilMs: clock.outsideMs() + pauseMs })
      log.warn(
        { event: 'reconciliation.run_failed', error, processor, pauseMs },
        'Reconciliation run with a processor failed and is retried',
      )
      await release(processor)
    }
  }

  return startLoop({
    name: 'refund-reconciliation',
    everyMs: Math.min(EVERY_MS, schedule.everyMs),
    restMs: 0,
    log,
    run: async (signal) => {
      await Promise.all([...processors.keys()].map((processor) => attempt(processor, signal)))
      await differences.updateGauge(processors.keys())
    },
  })
}
