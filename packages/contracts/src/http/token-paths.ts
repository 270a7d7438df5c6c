import { z } from 'zod'
import { OAuthErrorReply, RevocationRequest, TokenReply, TokenRequest } from './oauth.ts'
import { json, ownPath } from './public-path.ts'

const inFormOrJson = (schema: z.ZodType) => ({
  'application/x-www-form-urlencoded': schema,
  'application/json': schema,
})

/** The token endpoint, its keys and its metadata (decisions §2). */
export const tokenPaths = {
  issue: ownPath('POST', '/api/oauth/token', {
    operationId: 'issueToken',
    tag: 'Tokens',
    summary: 'Issue an access token (client credentials grant)',
    description:
      'Call it first, and again shortly before `expires_in` ends. Authenticate with HTTP Basic, the secret in the body, or an assertion signed by a key of the client. Prefer a form to JSON. RFC 6749 section 4.4. The token is an RFC 9068 JWT. Errors follow RFC 6749 section 5.2.',
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
    summary: 'Revoke an access token of the client on every replica within one second',
    description:
      'Use it when a token may have leaked or is no longer needed. RFC 7009. An expired or unknown token gets the same response. Errors follow RFC 6749 section 5.2.',
    clientBasic: true,
    unlimited: true,
    body: inFormOrJson(RevocationRequest),
    answers: {
      200: json('The token is no longer valid', z.object({})),
      400: json('invalid_request, or invalid_grant for another client’s token', OAuthErrorReply),
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
      'Use it to verify tokens yourself. Keys rotate: reload them when a token names an unknown key.',
    answers: { 200: json('A JWK set (RFC 7517)', z.object({ keys: z.array(z.looseObject({})) })) },
  }),
  metadata: ownPath('GET', '/.well-known/oauth-authorization-server', {
    operationId: 'getServerMetadata',
    tag: 'Tokens',
    summary: 'Metadata of the authorization server',
    description: 'Use it to configure an OAuth library with only the platform’s URL.',
    answers: { 200: json('RFC 8414', z.looseObject({})) },
  }),
}
