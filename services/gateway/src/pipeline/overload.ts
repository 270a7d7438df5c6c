import { metrics, type Logger } from '@causeway/chassis'
import { sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { createPlaces } from './places.ts'

const LOG_EVERY_MS = 1_000

const refused = metrics.counter(
  'causeway_http_requests_refused_total',
  'Requests answered 503 before anything was begun, because too many were being carried out',
  ['service'],
)

/**
 * Answers 503 with `Retry-After` to a request for which there is no place, and logs it at most once a second, with how
 * many were refused since the last line: a flood must not fill the log.
 */
const createOverloadAnswer = (log: Logger, nowMs: () => number = () => performance.now()) => {
  let loggedMs = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return (exchange: Exchange, service: string): void => {
    refused.inc({ service })
    exchange.isShed = true
    sendError(exchange, 'temporarily_unavailable')
    if (nowMs() - loggedMs < LOG_EVERY_MS) {
      unlogged += 1
      return
    }
    const { requestId, client } = exchange
    log.warn(
      { event: 'http.overloaded', requestId, service, client, unlogged },
      'A request was refused because too many are being carried out',
    )
    loggedMs = nowMs()
    unlogged = 0
  }
}

/** Limits concurrent requests, and responds to those over the limit. */
export const createOverloadBound = ({ maxRequests }: Readonly<{ maxRequests: number }>, log: Logger) => ({
  places: createPlaces(maxRequests),
  refuseOverload: createOverloadAnswer(log),
})
