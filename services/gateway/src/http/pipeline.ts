import type { IncomingMessage, ServerResponse } from 'node:http'
import { newId, NotDoneError, span, type Clock, type Logger, type RelayedReply } from '@causeway/chassis'
import type { ErrorDetail } from '@causeway/contracts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import type { CredentialFault, Identity, Realm } from '../auth/identity.ts'
import { realmOf } from '../auth/realms.ts'
import { take } from '../rate-limits/token-bucket.ts'
import {
  admit,
  endpointOf,
  lacksRole,
  refuseRate,
  refuseRole,
  refuseRoute,
  type Admitted,
  type RecordRefusal,
} from './request-checks.ts'
import { readCsv, readJson } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import {
  abandon,
  bucketOf,
  sendData,
  sendError,
  sendNoContent,
  sendRefusal,
  type Exchange,
} from './exchange.ts'
import type { Observer } from './observer.ts'
import { statusOf } from './route.ts'
import type { SecurityLog } from './security-log.ts'
import type { Match } from './router.ts'
import { sendEarly, sendTooLarge } from './early-answer.ts'

export type PipelineDependencies = Readonly<{
  match: (path: string) => Match<Endpoint> | null
  realms: readonly Realm[]
  addressBucket: Exchange['addressBucket']
  guesses: GuessLimit
  callerAddress: (request: IncomingMessage) => string
  dispatch: (admitted: Admitted) => Promise<RelayedReply>
  /** Writes down what a member of the staff may not do but tried to. */
  recordRefusal: RecordRefusal
  /** Carries out what takes a file, whose bytes never travel on the bus. */
  upload: (exchange: Exchange, admitted: Admitted) => Promise<void>
  observer: Observer
  security: SecurityLog
  closing: () => boolean
  clock: Clock
  log: Logger
}>

type Found = Match<Endpoint> | null
type Step = undefined | Promise<void>

const NO_CONTENT = 204

const splitTarget = (target: string): readonly [path: string, search: string] => {
  // The absolute form (RFC 9112 §3.2.2) names the origin too; whose path counts.
  const url = target.startsWith('/') ? null : URL.parse(target)
  const relative = url === null ? target : url.pathname + url.search
  const mark = relative.indexOf('?')
  return mark === -1 ? [relative, ''] : [relative.slice(0, mark), relative.slice(mark + 1)]
}

const begin = (parts: PipelineDependencies, request: IncomingMessage, response: ServerResponse): Exchange => {
  const [path, search] = splitTarget(request.url ?? '/')
  parts.observer.began()
  return {
    request,
    response,
    requestId: newId('request'),
    path,
    search,
    routePath: '',
    client: null,
    clientBucket: null,
    addressBucket: parts.addressBucket,
    startedMs: performance.now(),
    security: parts.security,
    answered: parts.observer.answered,
    closing: parts.closing,
  }
}

const carryOut = async (
  parts: PipelineDependencies,
  exchange: Exchange,
  admitted: Admitted,
): Promise<void> => {
  const answer = await parts.dispatch(admitted)
  const { route } = admitted.endpoint
  if (!answer.ok) {
    sendRefusal(exchange, answer, route.messages[answer.code])
    return
  }
  const status = statusOf(route.status, answer.variant)
  if (status === NO_CONTENT) sendNoContent(exchange)
  else sendData(exchange, status, answer.data, answer.replayedRequestId)
}

const takeBody = async (
  parts: PipelineDependencies,
  exchange: Exchange,
  admitted: Admitted,
): Promise<void> => {
  const read = admitted.endpoint.route.csv ? readCsv : readJson
  const body = await read(exchange.request, exchange.response)
  if (body.ok) return carryOut(parts, exchange, { ...admitted, bodyJson: body.text })
  if (body.code === 'payload_too_large') sendTooLarge(exchange)
  else if (body.code === 'gone') abandon(exchange)
  else sendError(exchange, body.code, body.details)
}

/** Answers 401, or 429 where too many credentials of the address have failed; one that is missing is no guess. */
const refuseCredential = (
  parts: PipelineDependencies,
  exchange: Exchange,
  realm: Realm,
  fault: CredentialFault,
): void => {
  take(bucketOf(exchange), parts.clock.nowMs())
  const presented = fault !== 'missing'
  const retryAfter = presented ? parts.guesses.fail(exchange.request) : null
  exchange.security.refused(exchange, { kind: realm.credential, reason: fault, limited: retryAfter !== null })
  if (retryAfter === null)
    sendError(exchange, 'unauthorized', undefined, ['WWW-Authenticate', realm.challenge(presented)])
  else sendError(exchange, 'rate_limited', undefined, ['Retry-After', retryAfter])
}

/** Refuses the credential of a client that may not call from this address. */
const fromAllowedAddress = (
  parts: PipelineDependencies,
  { request }: Exchange,
  identity: Identity | CredentialFault,
): Identity | CredentialFault => {
  if (typeof identity === 'string' || identity.addressRule === null) return identity
  return identity.addressRule(parts.callerAddress(request)) ? identity : 'elsewhere'
}

/** A caller under a protected prefix: credential, allowance, route, and then the checks of the route. */
const receive = (
  parts: PipelineDependencies,
  exchange: Exchange,
  realm: Realm,
  match: Found,
  authenticated: Identity | CredentialFault,
): Step => {
  const endpoint = endpointOf(exchange, match)
  exchange.routePath = endpoint?.route.path ?? ''
  const identity = fromAllowedAddress(parts, exchange, authenticated)
  if (typeof identity === 'string') {
    refuseCredential(parts, exchange, realm, identity)
    return undefined
  }
  exchange.clientBucket = identity.bucket
  exchange.client = identity.client
  if (!take(identity.bucket, parts.clock.nowMs())) refuseRate(exchange)
  else if (endpoint?.kind !== 'operation') refuseRoute(exchange, match)
  else if (lacksRole(identity, endpoint)) {
    const attempt = { endpoint, identity, values: match?.values ?? [] }
    return refuseRole(exchange, attempt, parts.recordRefusal)
  } else {
    const admitted = admit(exchange, endpoint, match?.values ?? [], identity)
    if (admitted === null) return undefined
    if (endpoint.route.upload) return parts.upload(exchange, admitted)
    return endpoint.takesBody ? takeBody(parts, exchange, admitted) : carryOut(parts, exchange, admitted)
  }
  return undefined
}

const identify = (parts: PipelineDependencies, exchange: Exchange, realm: Realm, match: Found): Step => {
  const identity = realm.authenticate(exchange.request.headers)
  if (!(identity instanceof Promise)) return receive(parts, exchange, realm, match, identity)
  return identity.then(
    (found) => receive(parts, exchange, realm, match, found),
    (error: unknown) => {
      parts.log.warn(
        { event: 'auth.unavailable', error, requestId: exchange.requestId },
        'A credential could not be verified; nothing was done',
      )
      sendError(exchange, 'temporarily_unavailable')
    },
  )
}

/** Answers on a public path: allowance, then route. */
const handlePublic = (parts: PipelineDependencies, exchange: Exchange, match: Found): Step => {
  const endpoint = endpointOf(exchange, match)
  exchange.routePath = endpoint?.route.path ?? ''
  const route = endpoint?.kind === 'public' ? endpoint.route : null
  if (!take(bucketOf(exchange), parts.clock.nowMs()) && route?.unlimited !== true) refuseRate(exchange)
  else if (route === null) refuseRoute(exchange, match)
  else {
    const step = route.handle(exchange, match?.values ?? [])
    if (step instanceof Promise) return step
  }
  return undefined
}

/** Follows a request under the first span of its trace, which continues the caller's (W3C Trace Context). */
const traced = (exchange: Exchange, follow: (exchange: Exchange) => Step): Promise<void> => {
  const { method = '', headers } = exchange.request
  const attributes = { 'http.request.method': method, 'causeway.request_id': exchange.requestId }
  const traceparent = headers['traceparent'] as string | undefined
  return span.root(`HTTP ${method}`, 'server', attributes, traceparent, async () => {
    await follow(exchange)
    const { routePath } = exchange
    const status = { 'http.response.status_code': exchange.response.statusCode }
    if (routePath === '') span.describe(`HTTP ${method}`, status)
    else span.describe(`${method} ${routePath}`, { ...status, 'http.route': routePath })
  })
}

/**
 * Receives every request of the API. Checks in the order of decisions §1: credential (401), allowance (429), route (404, 405),
 * version (400), scope (403), Idempotency-Key (400), body (413, 415, 400); the rest is judged by the operation.
 * Nothing here waits unless it has to, so that a read with a known token costs one asynchronous step.
 */
export const createPipeline = (parts: PipelineDependencies) => {
  const fail = (exchange: Exchange, error: unknown) => {
    const notDone = error instanceof NotDoneError
    const fields = { error: notDone ? (error.cause ?? error) : error, requestId: exchange.requestId }
    if (notDone)
      parts.log.warn(
        { event: 'http.unavailable', ...fields },
        'A request could not be carried out; nothing was done',
      )
    else parts.log.error({ event: 'http.error', ...fields }, 'A request failed unexpectedly')
    if (exchange.response.headersSent) exchange.response.destroy()
    else sendError(exchange, notDone ? 'temporarily_unavailable' : 'internal_error')
  }
  const follow = (exchange: Exchange): Step => {
    const realm = realmOf(parts.realms, exchange.path)
    const match = parts.match(exchange.path)
    return realm === null ? handlePublic(parts, exchange, match) : identify(parts, exchange, realm, match)
  }
  return {
    receive: (request: IncomingMessage, response: ServerResponse): void => {
      const exchange = begin(parts, request, response)
      try {
        const step = parts.observer.isTraced() ? traced(exchange, follow) : follow(exchange)
        step?.catch((error: unknown) => fail(exchange, error))
      } catch (error) {
        fail(exchange, error)
      }
    },
    /** Answers what is no request (see request-fault.ts), and has the connection closed. */
    refuse: (request: IncomingMessage, response: ServerResponse, fault: ErrorDetail): void =>
      sendEarly(begin(parts, request, response), 'invalid_request', [fault]),
  }
}
