import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/** JSON logs, one line an event. Secrets have no business here; these paths are the last net. */
const REDACTED = ['secret', 'password', 'authorization', 'client_secret', 'webhook_secret', 'email', 'body']

/** @param level one of pino's levels; `silent` for tests. */
export const createLogger = (options: { service: string; level: string }): Logger =>
  pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    serializers: { error: describeError },
  })

/** What a log line may say of an error: its kind, message and stack; never the rows or values behind it. */
export const describeError = (error: unknown) =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        code: (error as { code?: unknown }).code,
        stack: error.stack,
      }
    : { message: String(error) }
