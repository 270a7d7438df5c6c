import type { Clock } from '@causeway/chassis'
import type { IncomingMessage } from 'node:http'
import { addressRuleOf } from '../auth/allowed-addresses.ts'
import type { PresentedCredentials } from '@causeway/contracts'
import type { AccessClient } from '../clients/access.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import type { CredentialFault } from '../auth/identity.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import { oauthError, parseClientRequest, type ClientRequest, type OAuthError } from './oauth-request.ts'
import { take, type Buckets } from '../rate-limits/token-bucket.ts'
import { readBody } from '../http/body.ts'
import { sendEarlyJson } from '../http/early-answer.ts'
import { abandon, sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { rateLimitHeaders } from '../rate-limits/answers.ts'

export type ClientRequestOptions = Readonly<{
  access: Pick<AccessClient, 'authenticateClient'>
  buckets: Buckets
  guesses: GuessLimit
  callerAddress: (request: IncomingMessage) => string
  security: SecurityLog
  clock: Clock
}>

export const NO_STORE = ['Cache-Control', 'no-store', 'Pragma', 'no-cache']
const CHALLENGE = ['WWW-Authenticate', 'Basic realm="causeway", charset="UTF-8"']
const TOO_LARGE = JSON.stringify({
  error: 'invalid_request',
  error_description: 'The body is larger than 256 KiB.',
})

/** RFC 6749 §5.2: 401 for a client that did not authenticate, 400 for everything else. */
export const sendOAuthError = (exchange: Exchange, fault: OAuthError) => {
  const unauthenticated = fault.error === 'invalid_client'
  const json = JSON.stringify({ error: fault.error, error_description: fault.description })
  sendJson(exchange, unauthenticated ? 401 : 400, json, [...NO_STORE, ...(unauthenticated ? CHALLENGE : [])])
}

/** The descriptions of `invalid_client`, which list all possible reasons, so that none is revealed. */
const REFUSALS: Readonly<Record<PresentedCredentials['method'], string>> = {
  secret: 'The client is unknown or disabled, its secret is wrong, or it may not call from this address.',
  assertion:
    'The assertion is refused. A registered key of an active client must have signed it, with iss and sub the client id, aud the issuer or the address of this endpoint, exp at most 5 minutes ahead, and a jti that was never used; and the client must be allowed to call from this address.',
}

/** The refusal of credentials, which does not reveal the reason. */
const refusedCredentials = ({ method }: PresentedCredentials): OAuthError =>
  oauthError('invalid_client', REFUSALS[method])

const sendRateLimited = (exchange: Exchange, error_description: string, retryAfter: number) => {
  const json = JSON.stringify({ error: 'temporarily_unavailable', error_description })
  sendJson(exchange, 429, json, [...NO_STORE, 'Retry-After', retryAfter])
}

/**
 * Refuses a request. A failed authentication counts against the limit of the address, over which the answer is 429.
 * @param presented null when the credentials could not be read
 */
const refuseClient = (
  options: ClientRequestOptions,
  exchange: Exchange,
  fault: OAuthError,
  reason: CredentialFault,
  presented: Readonly<{ method: PresentedCredentials['method']; claimed: string | null }> | null = null,
) => {
  const isFailedAuthentication = fault.error === 'invalid_client'
  const retryAfter = isFailedAuthentication ? options.guesses.recordFailure(exchange.request) : null
  if (isFailedAuthentication) {
    const claimed = presented?.claimed ?? undefined
    options.security.refused(exchange, {
      kind: presented?.method === 'assertion' ? 'client_assertion' : 'client_secret',
      reason,
      ...(claimed === undefined ? {} : { claimed }),
      limited: retryAfter !== null,
    })
  }
  if (retryAfter === null) sendOAuthError(exchange, fault)
  else sendRateLimited(exchange, 'Too many clients failed to authenticate from this address.', retryAfter)
}

type AuthenticatedClient = NonNullable<Awaited<ReturnType<AccessClient['authenticateClient']>>['client']>

/** A request of an authenticated client that is within its rate limit. */
export type AuthenticatedRequest = Readonly<{
  client: AuthenticatedClient
  /** Refuses the request because its credential has ended since. */
  refuseEnded: () => void
  parameters: ClientRequest['parameters']
}>

/**
 * Receives a client's request at the token or the revocation endpoint: reads the body, authenticates the client, and
 * applies its address list and its rate limit.
 * @param required the parameter that must be present
 * @param validate refuses a request before its client is looked up
 * @returns null when the refusal has been sent
 */
export const receiveClient = async (
  options: ClientRequestOptions,
  exchange: Exchange,
  required: 'grant_type' | 'token',
  validate: (request: ClientRequest) => OAuthError | null = () => null,
): Promise<AuthenticatedRequest | null> => {
  const { headers } = exchange.request
  const body = await readBody(exchange.request, exchange.response)
  if (!body.ok) {
    if (body.why === 'too_large') sendEarlyJson(exchange, 413, TOO_LARGE, NO_STORE)
    else abandon(exchange)
    return null
  }
  const { 'content-type': contentType, authorization } = headers
  const request = parseClientRequest({ contentType, authorization }, body.bytes, required)
  const fault = request.ok ? validate(request) : request
  if (fault !== null || !request.ok) {
    if (fault !== null) refuseClient(options, exchange, fault, 'malformed')
    return null
  }
  const { credentials } = request
  const { client, claimed_client_id: claimed } = await options.access.authenticateClient(credentials)
  const refuse = (reason: CredentialFault) =>
    refuseClient(options, exchange, refusedCredentials(credentials), reason, {
      method: credentials.method,
      claimed,
    })
  if (client === null) {
    refuse('unknown')
    return null
  }
  const mayCall = addressRuleOf(client.allowed_addresses)
  if (mayCall !== null && !mayCall(options.callerAddress(exchange.request))) {
    refuse('elsewhere')
    return null
  }
  // The client's own rate limit counts only once it has authenticated: a wrong secret is 401 however busy the client is.
  exchange.client = client.client_id
  const bucket = options.buckets.of(client.client_id, options.clock.nowMs())
  exchange.rateLimitHeaders = () => rateLimitHeaders(bucket)
  if (!take(bucket, options.clock.nowMs())) {
    sendRateLimited(exchange, 'The client asks for tokens too often.', 1)
    return null
  }
  return { client, refuseEnded: () => refuse('ended'), parameters: request.parameters }
}
