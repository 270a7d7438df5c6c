import { setTimeout as sleep } from 'node:timers/promises'

/**
 * For how long a database that cannot be reached is tried again. Below the stream's acknowledgement wait: who writes
 * no longer must not find the event sent by another.
 */
export const PATIENCE_MS = 20_000

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** A value that the database will never take (SQLSTATE classes 22 and 23), not a fault that passes. */
export const isDataFault = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: unknown }).code))

/**
 * Repeats what the database did not do, with growing pauses.
 *
 * @throws the last fault, once the time is over, and a fault of the data at once
 */
export const patiently = async (work: () => Promise<void>, patienceMs: number): Promise<void> => {
  const endsAtMs = performance.now() + patienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await work()
      return
    } catch (error) {
      if (isDataFault(error) || performance.now() + pauseMs > endsAtMs) throw error
      await sleep(pauseMs)
    }
  }
}
