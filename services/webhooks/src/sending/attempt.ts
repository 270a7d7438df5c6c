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
