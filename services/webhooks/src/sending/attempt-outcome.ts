/** What an attempt means for its delivery. */
export type Verdict = 'delivered' | 'dead' | 'retry'

/** The 4xx that say "later", not "no" (decisions §12). */
const RETRYABLE_4XX = new Set([408, 409, 425, 429])

/**
 * Judges an attempt by its status line alone (decisions §12).
 * @param statusCode null when no status line arrived: network, TLS or name fault, timeout, refused connect
 */
export const verdictOf = (statusCode: number | null): Verdict => {
  if (statusCode === null) return 'retry'
  if (statusCode >= 200 && statusCode < 300) return 'delivered'
  if (statusCode >= 400 && statusCode < 500 && !RETRYABLE_4XX.has(statusCode)) return 'dead'
  return 'retry'
}
