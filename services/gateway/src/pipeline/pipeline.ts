import type { IncomingMessage, ServerResponse } from 'node:http'
import { NotDoneError, span, type Logger } from '@causeway/chassis'
import type { ErrorDetail } from '@causeway/contracts'
import type { NextFunction, Request, Response } from 'express'
import type { Realm } from '../auth/identity.ts'
import { sendError } from '../http/answer.ts'
import { sendEarly } from '../http/early-answer.ts'
import { entriesOf } from '../http/endpoint.ts'
import { createExchange, type Exchange } from '../http/exchange.ts'
import type { Observer } from '../http/observer.ts'
import type { Route } from '../http/route.ts'
import { compileRoutes } from '../http/router.ts'
import { rateLimitHeaders } from '../rate-limits/answers.ts'
import { findRoute, type FoundRoute } from './found-route.ts'
import { handleProtected, type ProtectedRequestOptions } from './protected-request.ts'
import { handlePublic } from './public-request.ts'

export type PipelineOptions = ProtectedRequestOptions &
  Readonly<{
    /** Checks whether the host of a request serves a path. */
    isServedAt: (request: IncomingMessage, path: string) => boolean
    /** Answers a person who opened the base URL. */
    showHome: (exchange: Exchange) => void
    observer: Observer
    closing: () => boolean
  }>

/** A handler or middleware of Express, which catches what a returned promise throws. Everything about a request is in its exchange. */
export type Handler = (
  request: Request,
  response: Response<unknown, { exchange: Exchange }>,
  next: NextFunction,
) => unknown

/** Routes a request in the first span of its trace, which continues the caller's (W3C Trace Context). */
const traced = (exchange: Exchange, route: () => void): Promise<void> => {
  const { request, response } = exchange
  const { method = '', headers } = request
  const attributes = { 'http.request.method': method, 'causeway.request_id': exchange.requestId }
  const traceparent = headers['traceparent'] as string | undefined
  return span.root(`HTTP ${method}`, 'server', attributes, traceparent, async () => {
    const closed = new Promise((resolve) => response.once('close', resolve))
    route()
    await closed
    const { routePath } = exchange
    span.describeAnswer(response.statusCode)
    if (routePath !== '') span.describe(`${method} ${routePath}`, { 'http.route': routePath })
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
 * Receives every request, and handles those of an area. The checks run in the order of decisions §1: credential (401), rate
 * limit (429), route (404, 405), version (400), scope (403), Idempotency-Key (400), body (413, 415, 400); the operation
 * validates the rest. A step is synchronous unless it has to wait, so that a read with a cached token costs one asynchronous
 * step.
 */
export const createPipeline = (options: PipelineOptions) => {
  const { observer, log, isServedAt } = options

  const start = (request: IncomingMessage, response: ServerResponse): Exchange => {
    observer.started()
    return createExchange(request, response, {
      rateLimitHeaders: () => rateLimitHeaders(options.addressBucket(request)),
      answered: observer.answered,
      closing: options.closing,
    })
  }
  /** Finds routes in the compiled table of an area. */
  const finder = (routes: readonly Route[]) => {
    const { match } = compileRoutes(entriesOf(routes))
    return (exchange: Exchange): FoundRoute => {
      const { request, path } = exchange
      return findRoute(exchange, isServedAt(request, path) ? match(path) : null)
    }
  }

  return {
    /**
     * Handles an area of the API: its operations, for callers with a credential of its realm. It is one handler, because a
     * router with one for each step costs a read 6 % of its CPU (ADR 0005).
     */
    api: (realm: Realm, routes: readonly Route[]): Handler => {
      const find = finder(routes)
      return (_request, { locals: { exchange } }) => handleProtected(options, exchange, realm, find(exchange))
    },
    /** Handles an area that needs no credential of the API. */
    open: (routes: readonly Route[]): Handler => {
      const find = finder(routes)
      return (_request, { locals: { exchange } }) => handlePublic(options, exchange, find(exchange))
    },
    /** Passes a request to the areas through `app`, and answers what fails there. */
    receive: (
      request: IncomingMessage,
      response: ServerResponse,
      app: (request: IncomingMessage, response: ServerResponse, end: (error: unknown) => void) => void,
    ): void => {
      const exchange = start(request, response)
      Object.assign(response, { locals: { exchange } })
      const { path, search } = exchange
      // Express routes by `url`, and parses absolute targets differently from us.
      request.url = search === '' ? path : `${path}?${search}`
      const route = () =>
        app(request, response, (error) => sendFailure(log, exchange, error ?? new Error('No area answered')))
      if (observer.isTraced()) void traced(exchange, route)
      else route()
    },
    /** Answers 400 to a message that is not an HTTP request (see request-fault.ts), and closes the connection. */
    refuse: (request: IncomingMessage, response: ServerResponse, fault: ErrorDetail): void =>
      sendEarly(start(request, response), 'invalid_request', [fault]),
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
