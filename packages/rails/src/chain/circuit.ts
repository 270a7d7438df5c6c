import { RailError, type RailFailure } from '../rail-error.ts'

/** Failures of an endpoint that is not there, which may take all of their time. One that answers anything is there. */
const ABSENCES: ReadonlySet<RailFailure> = new Set(['timeout', 'unreachable', 'reset'])
/** Failures in a row before an endpoint is skipped. */
const FAILURES_BEFORE_PAUSE = 3
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 300_000

/** From 5 s on, twice as long after each further failure, at most 5 minutes. */
const pauseAfterMs = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (failures - FAILURES_BEFORE_PAUSE), LONGEST_PAUSE_MS)

/** Circuit breaker of one endpoint: one that is not there costs its time once a pause and not at each look. */
export type Circuit = Readonly<{
  /** True while the endpoint must be skipped. */
  isOpen: () => boolean
  /** Asks, and counts how it went. */
  ask: <T>(read: () => Promise<T>) => Promise<T>
}>

/** @param nowMs monotonic */
export const createCircuit = (nowMs: () => number): Circuit => {
  let failures = 0
  let openUntilMs = Number.NEGATIVE_INFINITY
  const open = () => {
    if (failures >= FAILURES_BEFORE_PAUSE) openUntilMs = nowMs() + pauseAfterMs(failures)
  }
  const close = () => {
    failures = 0
    openUntilMs = Number.NEGATIVE_INFINITY
  }
  return {
    isOpen: () => nowMs() < openUntilMs,
    ask: async (read) => {
      const failuresBefore = failures
      // After a pause one request tries the endpoint; concurrent requests still skip it.
      open()
      try {
        const value = await read()
        close()
        return value
      } catch (error) {
        if (!(error instanceof RailError)) throw error
        if (!ABSENCES.has(error.failure)) close()
        // Questions that were asked together fail together, and count as one.
        else if (failures === failuresBefore) {
          failures += 1
          open()
        }
        throw error
      }
    },
  }
}
