import { metrics, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails'
import { randomUUID } from 'node:crypto'
import { windowsFrom } from '../scan-position.ts'
import { planRun, type ReconciliationSchedule } from '../run-plan.ts'
import { createReconciliationRun } from '../run.ts'
import type { Comparison } from '../compare.ts'
import type { Differences } from '../differences.ts'
import * as store from '../runs-store.ts'

const EVERY_MS = 1_000
/** Longer than a page takes by far most often; another replica goes on so long after this one's death. */
const LEASE_MS = 20_000
const LONGEST_PAUSE_MS = 60_000
/** So often in a row a run fails at one place before that is looked into. */
const PATIENCE = 2

const finishedAt = metrics.gauge(
  'causeway_refund_reconciliation_finished_timestamp_seconds',
  'When the last comparison of all refunds with a processor was finished, by the replica that made it',
  ['processor'],
)

type Parts = Readonly<{
  processors: CardProcessors
  schedule: ReconciliationSchedule
  comparison: Comparison
  differences: Differences
}>

/**
 * The standing comparison of every refund with its processor (docs/REFUNDS.md). Replicas share it: one at a time has a
 * processor's run, by a lease, and another goes on from where it was left. A processor that cannot be read is asked
 * ever less often and holds up none of the others.
 */
export const startReconciliation = (context: ServiceContext, parts: Parts): Loop => {
  const { db, clock, log } = context
  const { processors, schedule, comparison, differences } = parts
  const holder = randomUUID()
  const lease = { holder, ms: LEASE_MS }
  const carryOn = createReconciliationRun({ db, clock, comparison, lease })
  const failures = new Map<string, { count: number; untilMs: number }>()

  /** The run under way that no other replica has, or a new one that is due. */
  const claim = async (processor: string): Promise<store.RunRecord | null> => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const current = await store.claimCurrentRun(db, { processor, holder, now, leaseUntil })
    if (current) return current
    const past = await store.getPastRuns(db, { processor })
    const outside = new Date(clock.outsideMs())
    const plan = past && planRun(past, { now, outside }, schedule)
    if (!plan) return null
    const windows = windowsFrom(plan.since.getTime(), past.leftOut)
    return store.insertRun(db, {
      processor,
      isDeep: plan.isDeep,
      since: plan.since,
      coversUntil: outside,
      now,
      holder,
      leaseUntil,
      lastStartedAt: past.startedAt,
      windows: windows && JSON.stringify(windows),
    })
  }

  const release = (processor: string) => store.releaseRun(db, { processor, holder })

  const reconcile = async (processor: string, signal: AbortSignal): Promise<void> => {
    const run = await claim(processor)
    if (!run) return
    const adapter = processors.get(processor)
    const isPatient = (failures.get(processor)?.count ?? 0) < PATIENCE
    const finished = adapter && (await carryOn(run, { processor: adapter, signal, isPatient }))
    if (!finished) {
      await release(processor)
      return
    }
    finishedAt.set({ processor }, clock.outsideMs() / 1_000)
    const { compared, recorded, isDeep, since, leftOut } = finished
    if (leftOut.length > 0)
      log.warn({ processor, leftOut }, 'A processor does not tell all of its refunds: the rest was compared')
    log.debug({ processor, compared, recorded, isDeep, since }, 'Refunds were compared with their processor')
  }

  const attempt = async (processor: string, signal: AbortSignal): Promise<void> => {
    const failed = failures.get(processor)
    if (failed && clock.outsideMs() < failed.untilMs) return
    try {
      await reconcile(processor, signal)
      failures.delete(processor)
    } catch (error) {
      const count = (failed?.count ?? 0) + 1
      const pauseMs = Math.min(EVERY_MS * 2 ** Math.min(count, 10), LONGEST_PAUSE_MS)
      failures.set(processor, { count, untilMs: clock.outsideMs() + pauseMs })
      log.warn({ error, processor, pauseMs }, 'Refunds could not be compared with their processor now')
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
      await differences.show(processors.keys())
    },
  })
}
