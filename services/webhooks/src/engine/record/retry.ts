import pRetry from 'p-retry'

/**
 * For how long a database that cannot be reached is tried again: 20 s, below the stream's acknowledgement wait of 30 s,
 * so that the event is not with another replica yet when this one gives up.
 */
export const RETRY_LIMIT_MS = 20_000

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** A value that the database will never take (SQLSTATE classes 22 and 23), not a fault that passes. */
export const isDataFault = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: unknown }).code))

/**
 * Retries writes that the database did not execute, with pauses that double from 50 ms to 1 s.
 *
 * @throws the last error after the time limit, and an error of the data immediately
 */
export const retryTransient = (work: () => Promise<void>, limitMs: number): Promise<void> =>
  pRetry(work, {
    retries: Infinity,
    minTimeout: FIRST_PAUSE_MS,
    maxTimeout: LONGEST_PAUSE_MS,
    maxRetryTime: limitMs,
    shouldRetry: ({ error }) => !isDataFault(error),
  })
