import { pino, type Logger } from 'pino'
import { currentRequestId } from './telemetry/request-id.ts'

export type { Logger } from 'pino'

/** JSON logs, one line an event. No secret may be logged; redacting these paths is the last safeguard. */
const REDACTED = ['secret', 'password', 'authorization', 'client_secret', 'webhook_secret', 'email', 'body']

/**
 * Standard output. Lines that cannot be written, because the disk is full, wait for the next line: without a listener
 * the error would end the process, and there is nowhere to write it to.
 */
const createOutput = () => pino.destination(1).on('error', () => undefined)

/** @param level one of pino's levels; `silent` for tests. */
export const createLogger = (options: { service: string; level: string }): Logger =>
  pino(
    {
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
    },
    createOutput(),
  )

/** How long lines of requests are collected for one write: a write costs as much CPU time as ten lines. */
const WRITE_EVERY_MS = 20

type Lines = Readonly<{ write: (line: string) => void }>

/** Writes lines every 20 ms, and what is left when the process exits. */
const batched = (stream: Lines): Lines => {
  let lines = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    stream.write(lines)
    lines = ''
  }
  // Before the logger's own listener, which writes what its stream still holds.
  process.prependListener('exit', () => {
    if (lines !== '') flush()
  })
  return {
    write(line) {
      lines += line
      timer ??= setTimeout(flush, WRITE_EVERY_MS)
    },
  }
}

/**
 * Writes lines of level `info` from fields that are JSON already, for the one line of each request. The logger costs six
 * times as much, most of it for redaction: so no text of a caller may be among these fields. Null where `info` is off.
 * They come up to 20 ms after lines that the logger itself writes; the time in them is that of the call.
 */
export const infoLines = (log: Logger): ((fields: string) => void) | null => {
  if (!log.isLevelEnabled('info')) return null
  const { service } = log.bindings()
  const level = `{"level":${pino.levels.values['info']}`
  const base = `,"service":${JSON.stringify(service)},`
  const lines = batched((log as unknown as Record<symbol, Lines>)[pino.symbols.streamSym] as Lines)
  return (fields) => lines.write(`${level}${pino.stdTimeFunctions.isoTime()}${base}${fields}}\n`)
}

/** Causes of causes that are logged. */
const MAX_CAUSES = 5

/** The fields of an error that may be logged: kind, message, stack and causes; never the rows or values behind it. */
export const describeError = (error: unknown, causes = MAX_CAUSES): Record<string, unknown> =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        code: (error as { code?: unknown }).code,
        stack: error.stack,
        ...(error.cause !== undefined && causes > 0 && { cause: describeError(error.cause, causes - 1) }),
      }
    : { message: String(error) }
