import type { IncomingMessage, ServerResponse } from 'node:http'
import { NotDoneError, span, type Logger } from '@causeway/chassis'
import type { ErrorDetail } from '@causeway/contracts'
import type { Realm } from '../auth/identity.ts'
import { realmOf } from '../auth/realms.ts'
import { sendError } from '../http/answer.ts'
import { sendEarly } from '../http/early-answer.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { createExchange, type Exchange } from '../http/exchange.ts'
import type { Observer } from '../http/observer.ts'
import type { Match } from '../http/router.ts'
import { rateLimitHeaders } from '../rate-limits/answers.ts'
import { handleProtected, type ProtectedRequestOptions } from './protected-request.ts'
import { handlePublic } from './public-request.ts'
import { findRoute, type Completion } from './found-route.ts'

export type PipelineOptions = ProtectedRequestOptions &
  Readonly<{
    match: (exchange: Exchange) => Match<Endpoint> | null
    realms: readonly Realm[]
    observer: Observer
    closing: () => boolean
  }>

/** Handles a request in the first span of its trace, which continues the caller's (W3C Trace Context). */
const traced = (exchange: Exchange, handle: (exchange: Exchange) => Completion): Promise<void> => {
  const { method = '', headers } = exchange.request
  const attributes = { 'http.request.method': method, 'causeway.request_id': exchange.requestId }
  const traceparent = headers['traceparent'] as string | undefined
  return span.root(`HTTP ${method}`, 'server', attributes, traceparent, async () => {
    await handle(exchange)
    const { routePath } = exchange
    const status = { 'http.response.status_code': exchange.response.statusCode }
    if (routePath === '') span.describe(`HTTP ${method}`, status)
    else span.describe(`${method} ${routePath}`, { ...status, 'http.route': routePath })
  })
}

/** Answers 503 when provably nothing was done, else 500; closes the connection when an answer has been started. */
const sendFailure = (log: Logger, exchange: Exchange, error: unknown): void => {
  const notDone = error instanceof NotDoneError
  const fields = { error: notDone ? (error.cause ?? error) : error, requestId: exchange.requestId }
  if (notDone) log.warn({ event: 'http.unavailable', ...fields }, 'A request failed before anything was done')
  else log.error({ event: 'http.error', ...fields }, 'A request failed unexpectedly')
  if (exchange.response.headersSent) exchange.response.destroy()
  else sendError(exchange, notDone ? 'temporarily_unavailable' : 'internal_error')
}

/**
 * Receives every request of the API. The checks run in the order of decisions §1: credential (401), rate limit (429),
 * route (404, 405), version (400), scope (403), Idempotency-Key (400), body (413, 415, 400); the operation validates the
 * rest. A step is synchronous unless it has to wait, so that a read with a cached token costs one asynchronous step.
 */
export const createPipeline = (options: PipelineOptions) => {
  const { observer, realms, log } = options

  const start = (request: IncomingMessage, response: ServerResponse): Exchange => {
    observer.started()
    return createExchange(request, response, {
      rateLimitHeaders: () => rateLimitHeaders(options.addressBucket(request)),
      answered: observer.answered,
      closing: options.closing,
    })
  }
  const handle = (exchange: Exchange): Completion => {
    const realm = realmOf(realms, exchange.path)
    const found = findRoute(exchange, options.match(exchange))
    return realm === null
      ? handlePublic(options, exchange, found)
      : handleProtected(options, exchange, realm, found)
  }
  return {
    receive: (request: IncomingMessage, response: ServerResponse): void => {
      const exchange = start(request, response)
      try {
        const completion = observer.isTraced() ? traced(exchange, handle) : handle(exchange)
        completion?.catch((error: unknown) => sendFailure(log, exchange, error))
      } catch (error) {
        sendFailure(log, exchange, error)
      }
    },
    /** Answers 400 to a message that is not an HTTP request (see request-fault.ts), and closes the connection. */
    refuse: (request: IncomingMessage, response: ServerResponse, fault: ErrorDetail): void =>
      sendEarly(start(request, response), 'invalid_request', [fault]),
  }
}
