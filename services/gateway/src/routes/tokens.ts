import { isId, type Clock } from '@causeway/chassis'
import { SCOPES } from '@causeway/contracts'
import { ASSERTION_ALGORITHMS } from '../auth/client-assertion.ts'
import type { AuthenticateClient } from '../auth/client-authentication.ts'
import type { CredentialFault } from '../auth/identity.ts'
import type { GuessLimit } from '../auth/guess-limit.ts'
import { PUBLISH_LEAD_MS, type Keyring } from '../auth/keyring.ts'
import { take, type createBuckets } from '../auth/token-bucket.ts'
import type { TokenIssuer } from '../auth/token-issuer.ts'
import { parseTokenRequest, type OAuthError } from '../auth/oauth-request.ts'
import { readBody } from '../http/body.ts'
import { abandon, sendJson, type Exchange } from '../http/exchange.ts'
import type { PublicRoute } from '../http/route.ts'
import { sendEarlyJson } from '../http/early-answer.ts'

export type TokenRoutesOptions = Readonly<{
  issuer: TokenIssuer
  authenticate: AuthenticateClient
  keyring: Keyring
  buckets: ReturnType<typeof createBuckets>
  guesses: GuessLimit
  clock: Clock
  baseUrl: string
}>

export const TOKEN_PATH = '/api/oauth/token'
const JWKS_PATH = '/.well-known/jwks.json'
const NO_STORE = ['Cache-Control', 'no-store', 'Pragma', 'no-cache']
const CHALLENGE = ['WWW-Authenticate', 'Basic realm="causeway", charset="UTF-8"']
const TOO_LARGE = JSON.stringify({
  error: 'invalid_request',
  error_description: 'The body is larger than 256 KiB.',
})
const cached = (seconds: number) => ['Cache-Control', `public, max-age=${seconds}`]

/** RFC 6749 §5.2: 401 for a client that did not authenticate, 400 for everything else. */
const sendOAuthError = (exchange: Exchange, fault: OAuthError) => {
  const unauthenticated = fault.error === 'invalid_client'
  const json = JSON.stringify({ error: fault.error, error_description: fault.description })
  sendJson(exchange, unauthenticated ? 401 : 400, json, [...NO_STORE, ...(unauthenticated ? CHALLENGE : [])])
}

const sendSlowDown = (exchange: Exchange, error_description: string, retryAfter: number) => {
  const json = JSON.stringify({ error: 'temporarily_unavailable', error_description })
  sendJson(exchange, 429, json, [...NO_STORE, 'Retry-After', retryAfter])
}

/** A client that did not authenticate; over the limit of its address 429, be it that no credentials came at all. */
const refuseClient = (
  options: TokenRoutesOptions,
  exchange: Exchange,
  fault: OAuthError,
  refused: Readonly<{ reason: CredentialFault; claimed?: string }>,
) => {
  const isGuess = fault.error === 'invalid_client'
  const retryAfter = isGuess ? options.guesses.fail(exchange.request) : null
  if (isGuess)
    exchange.security.refused(exchange, { kind: 'client_secret', ...refused, limited: retryAfter !== null })
  if (retryAfter === null) sendOAuthError(exchange, fault)
  else sendSlowDown(exchange, 'Too many clients failed to authenticate from this address.', retryAfter)
}

const issueToken = async (options: TokenRoutesOptions, exchange: Exchange): Promise<void> => {
  const { headers } = exchange.request
  const body = await readBody(exchange.request, exchange.response)
  if (!body.ok) {
    if (body.why === 'too_large') sendEarlyJson(exchange, 413, TOO_LARGE, NO_STORE)
    else abandon(exchange)
    return
  }
  const presented = { contentType: headers['content-type'], authorization: headers.authorization }
  const request = parseTokenRequest(presented, body.bytes)
  if (!request.ok) {
    refuseClient(options, exchange, request, { reason: 'malformed' })
    return
  }
  const client = await options.authenticate(request.credentials)
  if ('error' in client) {
    const { clientId } = request.credentials
    const claimed = clientId !== null && isId('client', clientId) ? { claimed: clientId } : {}
    refuseClient(options, exchange, client, { reason: 'unknown', ...claimed })
    return
  }
  // The client's own allowance, and only once it has authenticated: a wrong secret is 401, never 429.
  exchange.client = client.client_id
  exchange.clientBucket = options.buckets.of(client.client_id, options.clock.nowMs())
  if (!take(exchange.clientBucket, options.clock.nowMs())) {
    sendSlowDown(exchange, 'The client asks for tokens too often.', 1)
    return
  }
  const issued = await options.issuer.issue(client, request.scope)
  if ('error' in issued) {
    sendOAuthError(exchange, issued)
    return
  }
  const { accessToken, expiresInSeconds, scope } = issued
  const json = JSON.stringify({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    scope,
  })
  sendJson(exchange, 200, json, NO_STORE)
}

/** Authorization server metadata (RFC 8414 §2). */
const metadataOf = (baseUrl: string): string =>
  JSON.stringify({
    issuer: baseUrl,
    token_endpoint: `${baseUrl}${TOKEN_PATH}`,
    jwks_uri: `${baseUrl}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    service_documentation: `${baseUrl}/docs`,
  })

/** The token endpoint, its keys and its metadata (decisions §2). */
export const tokenRoutes = (options: TokenRoutesOptions): readonly PublicRoute[] => {
  const metadata = metadataOf(options.baseUrl)
  const keysLiveSeconds = PUBLISH_LEAD_MS / 2_000
  return [
    {
      kind: 'public',
      method: 'POST',
      path: TOKEN_PATH,
      unlimited: true,
      handle: (exchange) => issueToken(options, exchange),
    },
    {
      kind: 'public',
      method: 'GET',
      path: JWKS_PATH,
      handle: (exchange) =>
        sendJson(exchange, 200, JSON.stringify(options.keyring.jwks()), cached(keysLiveSeconds)),
    },
    {
      kind: 'public',
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      handle: (exchange) => sendJson(exchange, 200, metadata, cached(3_600)),
    },
  ]
}
