import { metrics, span, type Logger } from '@causeway/chassis'
import type { Exchange } from './exchange.ts'

/** What sees every request: metrics, the log, and the choice of what is traced. */
export type Observer = Readonly<{
  began: () => void
  answered: (exchange: Exchange, status: number) => void
  /** Requests that have not been answered yet. */
  inFlight: () => number
  /** The edge's own choice, request by request; callers cannot make it. */
  isTraced: () => boolean
}>

const MS_PER_SECOND = 1_000
const LEAST_FAULT = 500

const duration = metrics.seconds('http_server_request_duration_seconds', 'Duration of HTTP requests', [
  'http_request_method',
  'http_route',
  'http_response_status_code',
])

export const createObserver = (log: Logger, traceSampleRatio: number): Observer => {
  let begun = 0
  let answered = 0
  const timers = new Map<string, { observe: (seconds: number) => void }>()

  const timerOf = (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`
    const known = timers.get(key)
    if (known !== undefined) return known
    const timer = duration.labels(method, route, String(status))
    timers.set(key, timer)
    return timer
  }

  return {
    began: () => {
      begun += 1
    },
    answered(exchange, status) {
      answered += 1
      const { method = '' } = exchange.request
      const { requestId, routePath } = exchange
      const durationMs = performance.now() - exchange.startedMs
      timerOf(method, routePath, status).observe(durationMs / MS_PER_SECOND)
      if (status >= LEAST_FAULT)
        log.warn(
          { requestId, traceId: span.traceId(), method, route: routePath, status, durationMs },
          'A request failed',
        )
      else if (log.isLevelEnabled('debug'))
        log.debug(
          { requestId, traceId: span.traceId(), method, route: routePath, status, durationMs },
          'Answered',
        )
    },
    inFlight: () => begun - answered,
    isTraced: () => span.enabled() && Math.random() < traceSampleRatio,
  }
}
