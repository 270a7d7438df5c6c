/** One attempt as it is recorded (decisions §12). */
export type Attempt = Readonly<{
  atMs: number
  /** Null when no status line arrived; `error` then says why. */
  statusCode: number | null
  latencyMs: number
  error: string | null
  /** First 8 KiB of the answer as text; null when there was none. */
  responseBody: string | null
  retryAfterMs: number | null
}>

/**
 * The kept bytes of an answer as text that PostgreSQL takes: bytes that are no UTF-8 and NUL become U+FFFD.
 */
export const readableBody = (body: Buffer): string | null =>
  body.length === 0 ? null : body.toString('utf8').replaceAll('\0', '\uFFFD')

/** Effect of an attempt on its delivery. */
export type AttemptOutcome = 'delivered' | 'dead' | 'retry'

/** The 4xx that are retried (decisions §12). */
const RETRYABLE_4XX = new Set([408, 409, 425, 429])

/**
 * Classifies an attempt by its status line alone (decisions §12).
 * @param statusCode null when no status line arrived: network, TLS or name fault, timeout, refused connect
 */
export const outcomeOfStatus = (statusCode: number | null): AttemptOutcome => {
  if (statusCode === null) return 'retry'
  if (statusCode >= 200 && statusCode < 300) return 'delivered'
  if (statusCode >= 400 && statusCode < 500 && !RETRYABLE_4XX.has(statusCode)) return 'dead'
  return 'retry'
}
