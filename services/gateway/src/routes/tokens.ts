import { SCOPES } from '@causeway/contracts'
import { z } from 'zod'
import { sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { handlePaths, json, ownPath } from '../http/public-path.ts'
import { ASSERTION_ALGORITHMS } from '../oauth/client-assertion.ts'
import {
  NO_STORE,
  receiveClient,
  sendOAuthError,
  type ClientRequestOptions,
} from '../oauth/client-request.ts'
import { grantFault } from '../oauth/request.ts'
import { OAuthErrorReply, RevocationRequest, TokenReply, TokenRequest } from '../oauth/schemas.ts'
import type { TokenIssuer } from '../oauth/token-issuer.ts'
import type { RevokeToken } from '../oauth/token-revocation.ts'
import { PUBLISH_LEAD_MS } from '../signing-keys/domain.ts'
import type { Keyring } from '../signing-keys/keyring.ts'

export type TokenRoutesOptions = ClientRequestOptions &
  Readonly<{ issuer: TokenIssuer; revoke: RevokeToken; keyring: Keyring; baseUrl: string }>

const inFormOrJson = (schema: z.ZodType) => ({
  'application/x-www-form-urlencoded': schema,
  'application/json': schema,
})

/** The token endpoint, its keys and its metadata (decisions §2). */
export const tokenPaths = {
  issue: ownPath('POST', '/api/oauth/token', {
    operationId: 'issueToken',
    tag: 'Tokens',
    summary: 'Issue an access token by the client credentials grant',
    description:
      'Call it first, and again shortly before `expires_in` is over. Authenticate by HTTP Basic, by the secret in the body, or by an assertion that a key of the client signed; a form is preferred over JSON. RFC 6749 section 4.4; the token is a JWT as of RFC 9068. Errors are those of RFC 6749 section 5.2.',
    clientBasic: true,
    unlimited: true,
    body: inFormOrJson(TokenRequest),
    answers: {
      200: json('The token', TokenReply),
      400: json('invalid_request, unsupported_grant_type, invalid_scope', OAuthErrorReply),
      401: json('invalid_client', OAuthErrorReply),
      413: json('invalid_request', OAuthErrorReply),
      429: json('temporarily_unavailable', OAuthErrorReply),
    },
  }),
  revoke: ownPath('POST', '/api/oauth/revoke', {
    operationId: 'revokeToken',
    tag: 'Tokens',
    summary: 'Revoke an access token of the client before its expiry, on every replica within a second',
    description:
      'Use it when a token may be known to others, or is not needed any more. RFC 7009. An expired or unknown token gets the same answer. Errors are those of RFC 6749 section 5.2.',
    clientBasic: true,
    unlimited: true,
    body: inFormOrJson(RevocationRequest),
    answers: {
      200: json('The token is not valid any more', z.object({})),
      400: json('invalid_request, invalid_grant (the token of another client)', OAuthErrorReply),
      401: json('invalid_client', OAuthErrorReply),
      413: json('invalid_request', OAuthErrorReply),
      429: json('temporarily_unavailable', OAuthErrorReply),
    },
  }),
  keys: ownPath('GET', '/.well-known/jwks.json', {
    operationId: 'getSigningKeys',
    tag: 'Tokens',
    summary: 'The keys that verify tokens',
    description:
      'Use it to verify a token yourself: keys change, so read them again when a token names an unknown one.',
    answers: { 200: json('A JWK set (RFC 7517)', z.object({ keys: z.array(z.looseObject({})) })) },
  }),
  metadata: ownPath('GET', '/.well-known/oauth-authorization-server', {
    operationId: 'getServerMetadata',
    tag: 'Tokens',
    summary: 'Metadata of the authorization server',
    description: 'Use it to configure an OAuth library by the address of the platform alone.',
    answers: { 200: json('RFC 8414', z.looseObject({})) },
  }),
}

/** Audiences of client assertions that this server accepts. */
export const assertionAudience = (baseUrl: string): string[] =>
  ['', tokenPaths.issue.path, tokenPaths.revoke.path].map((path) => `${baseUrl}${path}`)

const cached = (seconds: number) => ['Cache-Control', `public, max-age=${seconds}`]

const issueToken = async (options: TokenRoutesOptions, exchange: Exchange): Promise<void> => {
  const request = await receiveClient(options, exchange, 'grant_type', grantFault)
  if (request === null) return
  const issued = await options.issuer.issue(request.client, request.parameters.scope ?? null)
  if ('error' in issued) {
    sendOAuthError(exchange, issued)
    return
  }
  const token: TokenReply = {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresInSeconds,
    scope: issued.scope,
  }
  sendJson(exchange, 200, JSON.stringify(token), NO_STORE)
}

/** RFC 7009 §2: 200 whenever the token is not valid, even if it never was. */
const revokeToken = async (options: TokenRoutesOptions, exchange: Exchange): Promise<void> => {
  const request = await receiveClient(options, exchange, 'token')
  if (request === null) return
  const fault = await options.revoke(request.client.clientId, request.parameters.token ?? '')
  if (fault === null) sendJson(exchange, 200, '{}', NO_STORE)
  else sendOAuthError(exchange, fault)
}

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** Authorization server metadata (RFC 8414 §2). */
const metadataOf = (baseUrl: string): string =>
  JSON.stringify({
    issuer: baseUrl,
    token_endpoint: `${baseUrl}${tokenPaths.issue.path}`,
    jwks_uri: `${baseUrl}${tokenPaths.keys.path}`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint: `${baseUrl}${tokenPaths.revoke.path}`,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    service_documentation: `${baseUrl}/docs`,
  })

export const tokenRoutes = (options: TokenRoutesOptions) => {
  const metadata = metadataOf(options.baseUrl)
  const keysLiveSeconds = PUBLISH_LEAD_MS / 2_000
  return handlePaths(tokenPaths, {
    issue: (exchange) => issueToken(options, exchange),
    revoke: (exchange) => revokeToken(options, exchange),
    keys: (exchange) =>
      sendJson(exchange, 200, JSON.stringify(options.keyring.jwks()), cached(keysLiveSeconds)),
    metadata: (exchange) => sendJson(exchange, 200, metadata, cached(3_600)),
  })
}
