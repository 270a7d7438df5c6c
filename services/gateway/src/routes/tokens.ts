import { ASSERTION_ALGORITHMS, PUBLISH_LEAD_MS, SCOPES } from '@causeway/contracts'
import { tokenPaths, type TokenReply } from '@causeway/contracts/http'
import { sendJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { handlePaths } from '../http/public-path.ts'
import type { AccessClient } from '../clients/access.ts'
import { verifyAccessToken } from '../auth/access-token.ts'
import type { SigningKeys } from '../auth/signing-keys.ts'
import { NO_STORE, receiveClient, sendOAuthError, type ClientRequestOptions } from './client-request.ts'
import { grantFault, oauthError } from './oauth-request.ts'

export type TokenRoutesOptions = ClientRequestOptions &
  Readonly<{
    access: Pick<AccessClient, 'authenticateClient' | 'issueToken' | 'revokeToken'>
    signingKeys: SigningKeys
    /** Reads what has changed in access. */
    refreshChanges: () => Promise<void>
    baseUrl: string
  }>

const cached = (seconds: number) => ['Cache-Control', `public, max-age=${seconds}`]

const issueToken = async (options: TokenRoutesOptions, exchange: Exchange): Promise<void> => {
  const request = await receiveClient(options, exchange, 'grant_type', grantFault)
  if (request === null) return
  const issued = await options.access.issueToken(request.client, request.parameters.scope ?? null)
  if (issued === 'ended') {
    request.refuseEnded()
    return
  }
  if (issued === null) {
    sendOAuthError(
      exchange,
      oauthError('invalid_scope', 'The client does not hold a scope that it asks for.'),
    )
    return
  }
  const token: TokenReply = {
    access_token: issued.access_token,
    token_type: 'Bearer',
    expires_in: issued.expires_in,
    scope: issued.scope,
  }
  sendJson(exchange, 200, JSON.stringify(token), NO_STORE)
}

/**
 * RFC 7009 §2.2: 200 whenever the token is not valid any more: an expired one, or text that is not a token of this
 * server, counts as revoked.
 */
const revokeToken = async (options: TokenRoutesOptions, exchange: Exchange): Promise<void> => {
  const request = await receiveClient(options, exchange, 'token')
  if (request === null) return
  const { access, signingKeys, clock, baseUrl: issuer } = options
  const { client_id: clientId } = request.client
  const claims = await verifyAccessToken(request.parameters.token ?? '', { signingKeys, clock, issuer })
  if (typeof claims !== 'string') {
    if (claims.client_id !== clientId) {
      sendOAuthError(exchange, oauthError('invalid_grant', 'The token was issued to another client.'))
      return
    }
    const { jti, exp } = claims
    await access.revokeToken({ tokenId: jti, clientId, expiresAt: new Date(exp * 1_000) })
    await options.refreshChanges()
  }
  sendJson(exchange, 200, '{}', NO_STORE)
}

const ALL_ASSERTION_ALGORITHMS = Object.values(ASSERTION_ALGORITHMS).flat()
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
    token_endpoint_auth_signing_alg_values_supported: ALL_ASSERTION_ALGORITHMS,
    revocation_endpoint: `${baseUrl}${tokenPaths.revoke.path}`,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ALL_ASSERTION_ALGORITHMS,
    service_documentation: `${baseUrl}/docs`,
  })

export const tokenRoutes = (options: TokenRoutesOptions) => {
  const metadata = metadataOf(options.baseUrl)
  const keysLiveSeconds = PUBLISH_LEAD_MS / 2_000
  return handlePaths(tokenPaths, {
    issue: (exchange) => issueToken(options, exchange),
    revoke: (exchange) => revokeToken(options, exchange),
    keys: async (exchange) =>
      sendJson(exchange, 200, JSON.stringify(await options.signingKeys.jwks()), cached(keysLiveSeconds)),
    metadata: (exchange) => sendJson(exchange, 200, metadata, cached(3_600)),
  })
}
