import type { AttemptOutcome } from './attempt.ts'

/** Retries and timeout of one channel's deliveries. */
export type ChannelPolicy = Readonly<{
  /** Wait before the first, second, … retry. Its length is the number of retries. */
  retryDelaysMs: readonly number[]
  /** The whole exchange of one attempt. */
  timeoutMs: number
}>

export type NextStep =
  Readonly<{ state: 'delivered' | 'dead' }> | Readonly<{ state: 'waiting'; dueMs: number }>

/**
 * Returns the next step after an attempt.
 * `Retry-After` lengthens the wait, to twice the scheduled step at most, and never shortens it (decisions §12).
 * @param retriesUsed retries of this run of the schedule before this attempt; 0 for a first attempt
 * @param nowMs when the attempt ended
 */
export const nextStep = (
  outcome: AttemptOutcome,
  attempt: Readonly<{ retriesUsed: number; retryAfterMs: number | null; nowMs: number }>,
  policy: ChannelPolicy,
): NextStep => {
  if (outcome !== 'retry') return { state: outcome }
  const delayMs = policy.retryDelaysMs[attempt.retriesUsed]
  if (delayMs === undefined) return { state: 'dead' }
  const askedMs = Math.min(attempt.retryAfterMs ?? 0, 2 * delayMs)
  return { state: 'waiting', dueMs: attempt.nowMs + Math.max(delayMs, askedMs) }
}

/**
 * `Retry-After` in milliseconds from now (RFC 9110, 10.2.3): seconds or an HTTP date.
 * Null when it is absent, invalid, or in the past.
 */
export const parseRetryAfterMs = (header: string | undefined, nowMs: number): number | null => {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}, /.test(text)) return null
  const waitMs = Date.parse(text) - nowMs
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : null
}
