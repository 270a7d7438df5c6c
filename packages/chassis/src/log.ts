import { pino, type Logger } from 'pino'
import { currentRequestId } from './telemetry/request-id.ts'

export type { Logger } from 'pino'

/** JSON logs, one line an event. No secret may be logged; redacting these paths is the last safeguard. */
const REDACTED = ['secret', 'password', 'authorization', 'client_secret', 'webhook_secret', 'email', 'body']

/** @param level one of pino's levels; `silent` for tests. */
export const createLogger = (options: { service: string; level: string }): Logger =>
  pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    serializers: { error: describeError },
    // Joins the lines of one request across services.
    mixin: () => {
      const requestId = currentRequestId()
      return requestId === null ? {} : { requestId }
    },
  })

/**
 * Writes lines of level `info` from fields that are JSON already, for the one line of each request. The logger costs six
 * times as much, most of it for redaction: so no text of a caller may be among these fields. Null where `info` is off.
 */
export const infoLines = (log: Logger): ((fields: string) => void) | null => {
  if (!log.isLevelEnabled('info')) return null
  const { service } = log.bindings()
  const level = `{"level":${pino.levels.values['info']}`
  const base = `,"service":${JSON.stringify(service)},`
  const stream = (log as unknown as Record<symbol, { write: (line: string) => void }>)[pino.symbols.streamSym]
  return (fields) => stream?.write(`${level}${pino.stdTimeFunctions.isoTime()}${base}${fields}}\n`)
}

/** The fields of an error that may be logged: kind, message and stack; never the rows or values behind it. */
export const describeError = (error: unknown) =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        code: (error as { code?: unknown }).code,
        stack: error.stack,
      }
    : { message: String(error) }
