import { SCOPES } from '@causeway/contracts'
import { ASSERTION_ALGORITHMS } from '../oauth/client-assertion.ts'
import { PUBLISH_LEAD_MS, type Keyring } from '../signing-keys/keyring.ts'
import { grantFault } from '../oauth/request.ts'
import type { TokenIssuer } from '../oauth/token-issuer.ts'
import type { RevokeToken } from '../oauth/token-revocation.ts'
import { sendJson, type Exchange } from '../http/exchange.ts'
import type { PublicRoute } from '../http/route.ts'
import {
  NO_STORE,
  receiveClient,
  sendOAuthError,
  type ClientRequestOptions,
} from '../oauth/client-request.ts'

export type TokenRoutesOptions = ClientRequestOptions &
  Readonly<{ issuer: TokenIssuer; revoke: RevokeToken; keyring: Keyring; baseUrl: string }>

export const TOKEN_PATH = '/api/oauth/token'
export const REVOCATION_PATH = '/api/oauth/revoke'
const JWKS_PATH = '/.well-known/jwks.json'
const cached = (seconds: number) => ['Cache-Control', `public, max-age=${seconds}`]

const issueToken = async (options: TokenRoutesOptions, exchange: Exchange): Promise<void> => {
  const request = await receiveClient(options, exchange, 'grant_type', grantFault)
  if (request === null) return
  const issued = await options.issuer.issue(request.client, request.parameters.scope ?? null)
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

/** RFC 7009 §2: 200 whenever the token works no more, whether it ever did. */
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
    token_endpoint: `${baseUrl}${TOKEN_PATH}`,
    jwks_uri: `${baseUrl}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint: `${baseUrl}${REVOCATION_PATH}`,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
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
      method: 'POST',
      path: REVOCATION_PATH,
      unlimited: true,
      handle: (exchange) => revokeToken(options, exchange),
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
