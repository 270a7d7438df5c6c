import type { RelayedReply } from '@causeway/chassis'
import type { Identity, Realm } from '../auth/identity.ts'
import { abandon, sendData, sendError, sendNoContent, sendRefusal } from '../http/answer.ts'
import {
  mayBeLarge,
  readJson,
  readText,
  refuseType,
  textFieldOf,
  type JsonBody,
  type TextField,
} from '../http/body.ts'
import { sendEarly } from '../http/early-answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { HELD, type ErrorCode } from '@causeway/contracts'
import { statusOf } from '@causeway/contracts/http'
import { rateLimitHeaders, refuseRate } from '../rate-limits/answers.ts'
import { take } from '../rate-limits/token-bucket.ts'
import { checkCredential, type CredentialCheckOptions } from './credential-check.ts'
import { checkRequest, type CheckedRequest } from './request-checks.ts'
import { lacksRole, refuseRole, type RoleCheckOptions } from './role-check.ts'
import type { Places } from './places.ts'
import { refuseRoute, type Completion, type FoundRoute } from './found-route.ts'

export type ProtectedRequestOptions = CredentialCheckOptions &
  RoleCheckOptions &
  Readonly<{
    /** Executes the operation in the gateway or in the service that owns it. */
    dispatch: (checked: CheckedRequest) => Promise<RelayedReply>
    /** Bounds the operations that are being carried out. */
    places: Places
    /** Answers 503 to a request for which there is no place. */
    refuseOverload: (exchange: Exchange, service: string) => void
    /** Receives a file, whose bytes never go over the bus, and answers. */
    upload: (exchange: Exchange, checked: CheckedRequest) => Promise<void>
    /** Stores the large file of an import. @returns the body that names it */
    receiveImport: (exchange: Exchange, checked: CheckedRequest, type: TextField) => Promise<JsonBody>
  }>

const NO_CONTENT = 204
/** Refusals of a body that may still be arriving. */
const EARLY = new Set<ErrorCode>(['payload_too_large', 'rate_limited', 'temporarily_unavailable'])
const ACCEPTED = 202

const answer = (exchange: Exchange, { route }: CheckedRequest['endpoint'], reply: RelayedReply): void => {
  if (!reply.ok) {
    sendRefusal(exchange, reply, route.messages[reply.code])
    return
  }
  const status = reply.variant === HELD ? ACCEPTED : statusOf(route.status, reply.variant)
  if (status === NO_CONTENT) sendNoContent(exchange)
  else sendData(exchange, status, reply.data, reply.replayedRequestId)
}

const dispatchAndAnswer = async (
  { dispatch, places, refuseOverload }: ProtectedRequestOptions,
  exchange: Exchange,
  checked: CheckedRequest,
): Promise<void> => {
  const { endpoint, identity } = checked
  if (!places.enter(endpoint.service, identity.client)) {
    refuseOverload(exchange, endpoint.service)
    return
  }
  try {
    answer(exchange, endpoint, await dispatch(checked))
  } finally {
    places.leave(endpoint.service, identity.client)
  }
}

/** The types of file that the body of a route may be; empty: JSON. */
const textFieldsOf = ({ csv, xml }: CheckedRequest['endpoint']['route']): readonly TextField[] => [
  ...(csv ? (['csv'] as const) : []),
  ...(xml ? (['xml'] as const) : []),
]

/** Reads a body that is a file: a small one becomes a field of the body, a large one is stored first. */
const readFileBody = async (
  { receiveImport }: ProtectedRequestOptions,
  exchange: Exchange,
  checked: CheckedRequest,
  fields: readonly TextField[],
): Promise<JsonBody> => {
  const { request, response } = exchange
  const field = textFieldOf(request, fields)
  if (field === undefined) return refuseType(fields)
  return checked.endpoint.route.largeFile && mayBeLarge(request)
    ? receiveImport(exchange, checked, field)
    : readText(request, response, field)
}

const readBodyAndDispatch = async (
  options: ProtectedRequestOptions,
  exchange: Exchange,
  checked: CheckedRequest,
): Promise<void> => {
  const { request, response } = exchange
  const fields = textFieldsOf(checked.endpoint.route)
  const body =
    fields.length > 0
      ? await readFileBody(options, exchange, checked, fields)
      : await readJson(request, response)
  if (body.ok) return dispatchAndAnswer(options, exchange, { ...checked, bodyJson: body.text })
  if (body.code === 'aborted') abandon(exchange)
  else if (EARLY.has(body.code)) sendEarly(exchange, body.code, body.details)
  else sendError(exchange, body.code, body.details)
}

/** Checks of a caller that has authenticated: rate limit, route, role, and those of {@link checkRequest}. */
const handleIdentified = (
  options: ProtectedRequestOptions,
  exchange: Exchange,
  found: FoundRoute,
  identity: Identity,
): Completion => {
  const { bucket, client } = identity
  const { endpoint, values } = found
  exchange.rateLimitHeaders = () => rateLimitHeaders(bucket)
  exchange.client = client
  if (!take(bucket, options.clock.nowMs())) refuseRate(exchange, bucket)
  else if (endpoint?.kind !== 'operation') refuseRoute(exchange, found)
  else if (lacksRole(identity, endpoint)) return refuseRole(options, exchange, { endpoint, identity, values })
  else {
    const checked = checkRequest(options, exchange, { endpoint, identity, values })
    if (checked === null) return undefined
    if (endpoint.route.upload) return options.upload(exchange, checked)
    const handle = endpoint.takesBody ? readBodyAndDispatch : dispatchAndAnswer
    return handle(options, exchange, checked)
  }
  return undefined
}

/** Answers a request under a protected prefix: credential, the caller's checks, body, operation. */
export const handleProtected = (
  options: ProtectedRequestOptions,
  exchange: Exchange,
  realm: Realm,
  found: FoundRoute,
): Completion =>
  checkCredential(options, exchange, realm, (identity) =>
    handleIdentified(options, exchange, found, identity),
  )
