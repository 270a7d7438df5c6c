import type { Clock } from '@causeway/chassis'
import type { IncomingMessage } from 'node:http'
import { addressRuleOf } from '../auth/allowed-addresses.ts'
import {
  claimedClient,
  refusedCredentials,
  type AuthenticateClient,
  type AuthenticatedClient,
} from './client-authentication.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import type { CredentialFault } from '../auth/identity.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import {
  parseClientRequest,
  type ClientRequest,
  type OAuthError,
  type PresentedCredentials,
} from './request.ts'
import { take, type Buckets } from '../rate-limits/token-bucket.ts'
import { readBody } from '../http/body.ts'
import { sendEarlyJson } from '../http/early-answer.ts'
import { abandon, sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { rateLimitHeaders } from '../rate-limits/answers.ts'

export type ClientRequestOptions = Readonly<{
  authenticate: AuthenticateClient
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

const sendSlowDown = (exchange: Exchange, error_description: string, retryAfter: number) => {
  const json = JSON.stringify({ error: 'temporarily_unavailable', error_description })
  sendJson(exchange, 429, json, [...NO_STORE, 'Retry-After', retryAfter])
}

/**
 * A client that did not authenticate; over the limit of its address 429, be it that no credentials came at all.
 * @param credentials what it presented; null when they could not be read
 */
const refuseClient = (
  options: ClientRequestOptions,
  exchange: Exchange,
  fault: OAuthError,
  reason: CredentialFault,
  credentials: PresentedCredentials | null = null,
) => {
  const isGuess = fault.error === 'invalid_client'
  const retryAfter = isGuess ? options.guesses.fail(exchange.request) : null
  if (isGuess) {
    const claimed = credentials === null ? null : claimedClient(credentials)
    options.security.refused(exchange, {
      kind: credentials?.method === 'assertion' ? 'client_assertion' : 'client_secret',
      reason,
      ...(claimed === null ? {} : { claimed }),
      limited: retryAfter !== null,
    })
  }
  if (retryAfter === null) sendOAuthError(exchange, fault)
  else sendSlowDown(exchange, 'Too many clients failed to authenticate from this address.', retryAfter)
}

/** A request of a client that has authenticated and is within its allowance. */
export type OwnRequest = Readonly<{
  client: AuthenticatedClient
  parameters: ClientRequest['parameters']
}>

/**
 * Receives what a client asks in its own name at the token and the revocation endpoint: body, credentials, allowance.
 * @param required the parameter without which the request makes no sense
 * @param judge refuses a request before its client is looked up
 * @returns null when the refusal has been sent
 */
export const receiveClient = async (
  options: ClientRequestOptions,
  exchange: Exchange,
  required: 'grant_type' | 'token',
  judge: (request: ClientRequest) => OAuthError | null = () => null,
): Promise<OwnRequest | null> => {
  const { headers } = exchange.request
  const body = await readBody(exchange.request, exchange.response)
  if (!body.ok) {
    if (body.why === 'too_large') sendEarlyJson(exchange, 413, TOO_LARGE, NO_STORE)
    else abandon(exchange)
    return null
  }
  const presented = { contentType: headers['content-type'], authorization: headers.authorization }
  const request = parseClientRequest(presented, body.bytes, required)
  const fault = request.ok ? judge(request) : request
  if (fault !== null || !request.ok) {
    if (fault !== null) refuseClient(options, exchange, fault, 'malformed')
    return null
  }
  const { credentials } = request
  const client = await options.authenticate(credentials)
  if ('error' in client) {
    refuseClient(options, exchange, client, 'unknown', credentials)
    return null
  }
  const mayCall = addressRuleOf(client.allowedAddresses)
  if (mayCall !== null && !mayCall(options.callerAddress(exchange.request))) {
    refuseClient(options, exchange, refusedCredentials(credentials), 'elsewhere', credentials)
    return null
  }
  // The client's own allowance, and only once it has authenticated: a wrong secret is 401, never 429.
  exchange.client = client.clientId
  const bucket = options.buckets.of(client.clientId, options.clock.nowMs())
  exchange.rateLimitHeaders = () => rateLimitHeaders(bucket)
  if (!take(bucket, options.clock.nowMs())) {
    sendSlowDown(exchange, 'The client asks for tokens too often.', 1)
    return null
  }
  return { client, parameters: request.parameters }
}
