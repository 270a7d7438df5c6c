import type { Destination } from '../../sending/destination.ts'
import { outcomeOfStatus, type Attempt } from '../../sending/attempt.ts'
import { nextStep } from '../../sending/retry-schedule.ts'
import type { Finish } from './finish-store.ts'

/** The change of a delivery by an attempt. */
export type Outcome = Pick<Finish, 'state' | 'retriesUsed' | 'dueMs' | 'nextAttemptMs'>

/** Applies the destination's retry schedule to an attempt. */
export const outcomeOf = (destination: Destination, retriesUsed: number, attempt: Attempt): Outcome => {
  const endedMs = attempt.atMs + attempt.latencyMs
  const step = nextStep(
    outcomeOfStatus(attempt.statusCode),
    { retriesUsed, retryAfterMs: attempt.retryAfterMs, nowMs: endedMs },
    destination.policy,
  )
  if (step.state !== 'waiting') return { state: step.state, retriesUsed, dueMs: endedMs, nextAttemptMs: null }
  return { state: 'waiting', retriesUsed: retriesUsed + 1, dueMs: step.dueMs, nextAttemptMs: step.dueMs }
}
