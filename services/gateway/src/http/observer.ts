import type { IncomingMessage } from 'node:http'
import { infoLines, metrics, span, type Logger } from '@causeway/chassis'
import type { Exchange } from './exchange.ts'

/** Observes every request: metrics, the access log, and the decision whether it is traced. */
export type Observer = Readonly<{
  started: () => void
  answered: (exchange: Exchange, status: number) => void
  /** Requests that have not been answered yet. */
  inFlight: () => number
  /** Decides for one request, by chance; callers cannot influence it. */
  isTraced: () => boolean
}>

const MS_PER_SECOND = 1_000
const FIRST_SERVER_ERROR = 500

const duration = metrics.seconds('http_server_request_duration_seconds', 'Duration of HTTP requests', [
  'http_request_method',
  'http_route',
  'http_response_status_code',
])

type ObserverOptions = Readonly<{
  log: Logger
  traceSampleRatio: number
  /** True if each request is logged. */
  accessLog: boolean
  /** The part of the caller's address that is logged. */
  networkOf: (request: IncomingMessage) => string
}>

const optional = (name: string, value: string | null): string =>
  value === null ? '' : `"${name}":"${value}",`

export const createObserver = (options: ObserverOptions): Observer => {
  const { log, networkOf } = options
  let startedCount = 0
  let answeredCount = 0
  const timers = new Map<string, { observe: (seconds: number) => void }>()
  const writeLine = options.accessLog ? infoLines(log) : null

  const timerOf = (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`
    const known = timers.get(key)
    if (known !== undefined) return known
    const timer = duration.labels(method, route, String(status))
    timers.set(key, timer)
    return timer
  }
  /** Needs no escaping, because callers cannot write its fields: ids, a route of the table, a method that the parser knows. */
  const accessLine = (exchange: Exchange, status: number, durationMs: number): string =>
    `"event":"http.request","requestId":"${exchange.requestId}",${optional('traceId', span.traceId())}` +
    `${optional('client', exchange.client)}"network":"${networkOf(exchange.request)}",` +
    `"method":"${exchange.request.method ?? ''}","route":"${exchange.routePath}","status":${status},` +
    `"durationMs":${durationMs.toFixed(3)},"msg":"Request"`

  return {
    started: () => {
      startedCount += 1
    },
    answered(exchange, status) {
      answeredCount += 1
      const { method = '' } = exchange.request
      const { requestId, routePath } = exchange
      const durationMs = performance.now() - exchange.startedMs
      timerOf(method, routePath, status).observe(durationMs / MS_PER_SECOND)
      writeLine?.(accessLine(exchange, status, durationMs))
      if (status >= FIRST_SERVER_ERROR && !exchange.isShed)
        log.warn(
          {
            event: 'http.failed',
            requestId,
            traceId: span.traceId(),
            method,
            route: routePath,
            status,
            durationMs,
          },
          'A request failed',
        )
    },
    inFlight: () => startedCount - answeredCount,
    isTraced: () => span.enabled() && Math.random() < options.traceSampleRatio,
  }
}
