import { ApiError, ConnectionError } from './errors.ts'

export type RetryOptions = Readonly<{
  /** Most retries of a call; default 4, about 4 s in all. 0: none. */
  maxRetries: number
  /** Longest `Retry-After` that is obeyed; with a longer one the call fails immediately. Default 30,000. */
  maxRetryAfterMs: number
}>

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000

/**
 * Decides whether a call may be retried. After 429 and 503 nothing was done (spec: Errors). After a 500, a response that is
 * not the platform's, or a lost response the outcome is unknown, so only a repeatable call is retried. Any other response
 * is final.
 * @param isRepeatable true if several calls have the effect of one
 */
export const mayRetry = (failure: unknown, isRepeatable: boolean): boolean => {
  if (failure instanceof ConnectionError) return !failure.isSent || isRepeatable
  if (!(failure instanceof ApiError)) return false
  const { status, code } = failure
  if (status === 429) return true
  if (code === 'unexpected_answer') return isRepeatable && (status < 300 || status >= 500)
  return status === 503 || (status === 500 && isRepeatable)
}

/**
 * How long to wait before the next attempt: what the answer asks for, else exponential backoff with full jitter. Null
 * where the call has to fail now.
 * @param attempt 1 for the first
 */
export const waitMsBefore = (
  failure: unknown,
  attempt: number,
  { maxRetries, maxRetryAfterMs }: RetryOptions,
): number | null => {
  if (attempt > maxRetries) return null
  const backoffMs = Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)
  const askedMs = failure instanceof ApiError ? (failure.retryAfterMs ?? 0) : 0
  return askedMs > maxRetryAfterMs ? null : Math.max(askedMs, backoffMs)
}
