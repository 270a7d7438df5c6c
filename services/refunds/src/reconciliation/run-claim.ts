import type { Clock, Db } from '@causeway/chassis'
import type { RunLease } from './run.ts'
import { planRun, type ReconciliationSchedule } from './run-plan.ts'
import * as store from './runs-store.ts'
import { windowsFrom } from './scan-position.ts'

type ClaimDependencies = Readonly<{
  db: Db
  clock: Clock
  schedule: ReconciliationSchedule
  lease: RunLease
}>

/** Claims runs under a lease, so that one replica at a time reconciles with a processor. */
export const createRunClaim = ({ db, clock, schedule, lease: { holder, ms } }: ClaimDependencies) => ({
  /** The run in progress that no other replica holds, or a new one that is due; null when there is neither. */
  claim: async (processor: string): Promise<store.RunRecord | null> => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + ms)
    const current = await store.claimCurrentRun(db, { processor, holder, now, leaseUntil })
    if (current) return current
    const past = await store.getPastRuns(db, { processor })
    const outside = new Date(clock.outsideMs())
    const plan = past && planRun(past, { now, outside }, schedule)
    if (!plan) return null
    const windows = windowsFrom(plan.since.getTime(), past.skipped)
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
  },

  /** Releases the lease, so that the next turn or another replica continues immediately. */
  release: (processor: string): Promise<void> => store.releaseRun(db, { processor, holder }),
})
