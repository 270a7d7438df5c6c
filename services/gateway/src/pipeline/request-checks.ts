import { API_VERSION } from '@causeway/contracts'
import type { Identity } from '../auth/identity.ts'
import { scopeChallenge } from '../auth/realms.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import { sendError } from '../http/answer.ts'
import type { OperationEndpoint } from '../http/endpoint.ts'
import type { Exchange } from '../http/exchange.ts'
import { parseIdempotencyKey } from '../http/idempotency-key.ts'
import { paramsJsonOf, queryJsonOf, unknownParameters } from '../http/input.ts'

/** A request that has passed every check but those of its body. */
export type CheckedRequest = Readonly<{
  requestId: string
  endpoint: OperationEndpoint
  identity: Identity
  idempotencyKey: string | undefined
  paramsJson: string | undefined
  queryJson: string | undefined
  bodyJson: string | undefined
}>

/** Who calls which endpoint. @param values raw values of the path's parameters */
export type IdentifiedCall = Readonly<{
  endpoint: OperationEndpoint
  identity: Identity
  values: readonly string[]
}>

/** Checks version, scopes, Idempotency-Key and the names of query parameters in this order; null when the refusal has been sent. */
export const checkRequest = (
  { security }: Readonly<{ security: SecurityLog }>,
  exchange: Exchange,
  { endpoint, identity, values }: IdentifiedCall,
): CheckedRequest | null => {
  const { headers } = exchange.request
  const { scopes, operation } = endpoint.route
  const version = headers['api-version']
  if (version !== undefined && version !== API_VERSION) {
    sendError(exchange, 'invalid_request', [
      { field: 'api-version', reason: 'unsupported_version', allowed: [API_VERSION] },
    ])
    return null
  }
  if (identity.scopes !== null && !scopes.every((scope) => identity.scopes?.has(scope))) {
    security.forbidden(exchange, scopes)
    sendError(exchange, 'insufficient_scope', undefined, ['WWW-Authenticate', scopeChallenge(scopes)])
    return null
  }
  const key = parseIdempotencyKey(operation, headers['idempotency-key'] as string | undefined)
  if (key?.ok === false) {
    sendError(exchange, key.code, key.details)
    return null
  }
  const unknown = unknownParameters(endpoint, exchange.search)
  if (unknown !== null) {
    sendError(exchange, 'invalid_request', unknown)
    return null
  }
  return {
    requestId: exchange.requestId,
    endpoint,
    identity,
    idempotencyKey: key?.key,
    paramsJson: paramsJsonOf(endpoint.parameterNames, values),
    queryJson: queryJsonOf(endpoint, exchange.search),
    bodyJson: undefined,
  }
}
