import type { RetryOptions } from './retries.ts'

/** Log entry of the client. It contains no token, key, query or body. */
export type LogEvent = Readonly<{ operation: string; attempt: number }> &
  (
    | Readonly<{ event: 'request'; method: string; path: string }>
    | Readonly<{ event: 'response'; status: number; requestId: string | null; durationMs: number }>
    | Readonly<{ event: 'failure'; error: Error; durationMs: number }>
    | Readonly<{ event: 'retry'; error: Error; waitMs: number }>
  )

export type ClientOptions = Readonly<{ [K in keyof RetryOptions]?: RetryOptions[K] | undefined }> &
  Readonly<{
    /** Where the platform is, such as `https://payments.example`. */
    baseUrl: string
    /** Timeout of one attempt including its whole response. Default 30,000; 300,000 for an upload. */
    timeoutMs?: number | undefined
    /** Called at each request, answer, failure and retry. */
    log?: ((event: LogEvent) => void) | undefined
    /** In place of the platform's own `fetch`. */
    fetch?: typeof fetch | undefined
  }>

export const DEFAULTS = { maxRetries: 4, maxRetryAfterMs: 30_000, timeoutMs: 30_000 } as const
export const UPLOAD_TIMEOUT_MS = 300_000
