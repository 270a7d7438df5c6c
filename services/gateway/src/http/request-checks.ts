import { API_VERSION, type Operation, type StaffRole } from '@causeway/contracts'
import type { Identity } from '../auth/identity.ts'
import { scopeChallenge } from '../auth/realms.ts'
import { retryAfterSecondsOf } from '../rate-limits/token-bucket.ts'
import type { Endpoint, OperationEndpoint } from './endpoint.ts'
import { bucketOf, sendError, type Exchange } from './exchange.ts'
import { judgeIdempotencyKey } from './idempotency-key.ts'
import { paramsJsonOf, queryJsonOf } from './input.ts'
import { allowOf, type Match } from './router.ts'

/** A request that has passed every check but those of its body. */
export type Admitted = Readonly<{
  requestId: string
  endpoint: OperationEndpoint
  identity: Identity
  idempotencyKey: string | undefined
  paramsJson: string | undefined
  queryJson: string | undefined
  bodyJson: string | undefined
}>

/** Answers 429 (decisions §1, Rate limits). */
export const refuseRate = (exchange: Exchange): void =>
  sendError(exchange, 'rate_limited', undefined, ['Retry-After', retryAfterSecondsOf(bucketOf(exchange))])

/** What the path's table entry has for the request's method. */
export const endpointOf = (exchange: Exchange, match: Match<Endpoint> | null): Endpoint | undefined => {
  const { method } = exchange.request
  return match?.methods.get(method === 'HEAD' ? 'GET' : (method ?? 'GET'))
}

/** Answers 404 for a path that is not in the table, 405 for a method that its path does not take. */
export const refuseRoute = (exchange: Exchange, match: Match<Endpoint> | null): void => {
  if (match === null) sendError(exchange, 'resource_not_found')
  else sendError(exchange, 'method_not_allowed', undefined, ['Allow', allowOf(match.methods)])
}

/** Whether a key of one role may call what needs another (decisions §14): every role reads, `admin` does all. */
const roleAllows = (held: StaffRole, needed: StaffRole): boolean =>
  held === needed || held === 'admin' || needed === 'viewer'

/** Whether a staff key's role is too little for a route (decisions §14). */
export const lacksRole = (identity: Identity, { route }: OperationEndpoint): boolean =>
  route.role !== null && (identity.role === null || !roleAllows(identity.role, route.role))

/** Records an attempt that a key's role does not allow. @throws NotDoneError when it cannot */
export type RecordRefusal = (
  attempt: Readonly<{
    requestId: string
    operation: Operation
    actor: string
    paramsJson: string | undefined
  }>,
) => Promise<void>

type Attempt = Readonly<{ endpoint: OperationEndpoint; identity: Identity; values: readonly string[] }>

/** Answers 403 once the attempt is in the audit log. @throws NotDoneError when it cannot be recorded */
export const refuseRole = async (
  exchange: Exchange,
  { endpoint, identity, values }: Attempt,
  record: RecordRefusal,
): Promise<void> => {
  const { route, parameterNames } = endpoint
  const { requestId } = exchange
  const paramsJson = paramsJsonOf(parameterNames, values)
  await record({ requestId, operation: route.operation, actor: identity.client, paramsJson })
  exchange.security.forbidden(exchange, [route.role ?? ''])
  const challenge = scopeChallenge([route.role ?? ''])
  sendError(exchange, 'insufficient_scope', undefined, ['WWW-Authenticate', challenge])
}

/** Checks version, scopes and Idempotency-Key in this order; null when the refusal has been sent. */
export const admit = (
  exchange: Exchange,
  endpoint: OperationEndpoint,
  values: readonly string[],
  identity: Identity,
): Admitted | null => {
  const { headers } = exchange.request
  const { scopes, operation } = endpoint.route
  const version = headers['api-version']
  if (version !== undefined && version !== API_VERSION) {
    sendError(exchange, 'invalid_request', [{ field: 'api-version', reason: 'unsupported_version' }])
    return null
  }
  if (identity.scopes !== null && !scopes.every((scope) => identity.scopes?.has(scope))) {
    exchange.security.forbidden(exchange, scopes)
    sendError(exchange, 'insufficient_scope', undefined, ['WWW-Authenticate', scopeChallenge(scopes)])
    return null
  }
  const key = operation.idempotent
    ? judgeIdempotencyKey(headers['idempotency-key'] as string | undefined)
    : null
  if (key?.ok === false) {
    sendError(exchange, key.code, key.details)
    return null
  }
  return {
    requestId: exchange.requestId,
    endpoint,
    identity,
    idempotencyKey: key?.key,
    paramsJson: paramsJsonOf(endpoint.parameterNames, values),
    queryJson: queryJsonOf(endpoint.queryNames, exchange.search),
    bodyJson: undefined,
  }
}
