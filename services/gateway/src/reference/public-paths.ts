import { SCOPES } from '@causeway/contracts'
import type { ApiOperation } from './document.ts'
import { RESPONSE_HEADERS } from './error-responses.ts'

const json = (description: string, schema: Record<string, unknown>) => ({
  description,
  headers: RESPONSE_HEADERS,
  content: { 'application/json': { schema } },
})
const anyObject = { type: 'object', additionalProperties: true }
const envelope = json('The error envelope', { $ref: '#/components/schemas/Error' })

const clientCredentials = {
  client_id: { type: 'string', description: 'Unless the client authenticates by HTTP Basic' },
  client_secret: { type: 'string', description: 'Unless the client authenticates by HTTP Basic' },
  client_assertion_type: {
    type: 'string',
    const: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    description: 'Instead of a secret (RFC 7523 section 2.2)',
  },
  client_assertion: {
    type: 'string',
    description:
      'JWT that a key of the client signed: iss and sub the client, aud the issuer or this address, exp at most 5 minutes ahead, jti used once',
  },
}
const tokenRequest = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', const: 'client_credentials' },
    scope: { type: 'string', description: 'Space-delimited; left out: every scope that the client holds' },
    ...clientCredentials,
  },
}
const revocationRequest = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string' }, token_type_hint: { type: 'string' }, ...clientCredentials },
}
const tokenReply = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  properties: {
    access_token: { type: 'string' },
    token_type: { type: 'string', const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds' },
    scope: { type: 'string', description: `Space-delimited, of ${SCOPES.join(', ')}` },
  },
}
const oauthError = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: {
      type: 'string',
      enum: [
        'invalid_request',
        'invalid_client',
        'invalid_grant',
        'unsupported_grant_type',
        'invalid_scope',
        'temporarily_unavailable',
      ],
    },
    error_description: { type: 'string' },
  },
}

const token: ApiOperation = {
  operationId: 'tokens.issue',
  summary: 'Issue an access token by the client credentials grant',
  description:
    'RFC 6749 section 4.4. The token is a JWT as of RFC 9068. Errors are those of RFC 6749 section 5.2.',
  tags: ['tokens'],
  security: [{ clientBasic: [] }, {}],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: tokenRequest },
      'application/json': { schema: tokenRequest },
    },
  },
  responses: {
    '200': json('The token', tokenReply),
    '400': json('invalid_request, unsupported_grant_type, invalid_scope', oauthError),
    '401': json('invalid_client', oauthError),
    '413': json('invalid_request', oauthError),
    '429': json('temporarily_unavailable', oauthError),
  },
}

const revocation: ApiOperation = {
  operationId: 'tokens.revoke',
  summary: 'End an access token of the client before its expiry, on every replica within a second',
  description: 'RFC 7009. What is no token of this server, or has ended, is answered alike. Errors as there.',
  tags: ['tokens'],
  security: [{ clientBasic: [] }, {}],
  requestBody: {
    required: true,
    content: Object.fromEntries(
      Object.keys(token.requestBody?.content ?? {}).map((type) => [type, { schema: revocationRequest }]),
    ),
  },
  responses: {
    '200': json('The token works no more', { type: 'object' }),
    '400': json('invalid_request, invalid_grant (the token of another client)', oauthError),
    '401': json('invalid_client', oauthError),
    '413': json('invalid_request', oauthError),
    '429': json('temporarily_unavailable', oauthError),
  },
}

const read = (
  operationId: string,
  tag: 'tokens' | 'public',
  summary: string,
  ok: Record<string, unknown>,
  more: Pick<ApiOperation, 'parameters'> & { responses?: Record<string, Record<string, unknown>> } = {},
): Readonly<{ get: ApiOperation }> => {
  const { responses, ...rest } = more
  return {
    get: {
      operationId,
      summary,
      tags: [tag],
      security: [],
      ...rest,
      responses: { '200': ok, '429': envelope, ...responses },
    },
  }
}

const image = {
  description: 'The image',
  headers: RESPONSE_HEADERS,
  content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
}
const page = {
  description: 'The page',
  headers: RESPONSE_HEADERS,
  content: { 'text/html': { schema: { type: 'string' } } },
}
const file = {
  name: 'file',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: '`<orderId>.png`',
}

const bytes = (description: string) => ({
  description,
  headers: RESPONSE_HEADERS,
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
})
const segment = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })

/** A signed post of a card processor, in the processor's own form. */
const callback = (
  operationId: string,
  summary: string,
  data: Record<string, unknown>,
  sender: 'processor' | 'provider' = 'processor',
) => ({
  post: {
    operationId,
    summary,
    tags: ['public'],
    security: [],
    parameters: [segment(sender)],
    requestBody: { required: true, content: { '*/*': { schema: {} } } },
    responses: {
      '200': json('The envelope', {
        type: 'object',
        properties: { request_id: { type: 'string' }, api_version: { type: 'string' }, data },
      }),
      ...Object.fromEntries(['400', '401', '404', '413', '429', '503'].map((status) => [status, envelope])),
    },
  } satisfies ApiOperation,
})
const flag = (name: string) => ({ type: 'object', properties: { [name]: { type: 'boolean' } } })

/** The paths that the gateway answers by itself, outside the envelope. */
export const PUBLIC_PATHS: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>> = {
  '/api/oauth/token': { post: token },
  '/api/oauth/revoke': { post: revocation },
  '/.well-known/jwks.json': read(
    'tokens.keys',
    'tokens',
    'The keys that verify tokens',
    json('A JWK set (RFC 7517)', anyObject),
  ),
  '/.well-known/oauth-authorization-server': read(
    'tokens.metadata',
    'tokens',
    'Metadata of the authorization server',
    json('RFC 8414', anyObject),
  ),
  '/api/callbacks/cards/{processor}': callback(
    'public.cardNotice',
    'Take a signed notice of a card processor',
    flag('received'),
  ),
  '/api/callbacks/cards/{processor}/authorizations': callback(
    'public.cardAuthorization',
    'Tell a card processor whether a payer may pay',
    flag('allowed'),
  ),
  '/api/callbacks/onramp/{provider}': callback(
    'public.onrampNotice',
    'Take a signed notice of an onramp provider',
    flag('received'),
    'provider',
  ),
  '/qr/{file}': read('public.qr', 'public', 'The QR image of a crypto order', image, {
    parameters: [file],
    responses: { '404': envelope, '503': envelope },
  }),
  '/agreements/{agreementId}/{contentHash}': read(
    'public.agreement',
    'public',
    'A published version of an agreement, as document_url names it',
    bytes('The document; its SHA-256 is the hash of its path'),
    {
      parameters: [segment('agreementId'), segment('contentHash')],
      responses: { '404': envelope, '503': envelope },
    },
  ),
  '/downloads/{token}': read(
    'public.download',
    'public',
    'The bytes of a document, as download_url names it',
    bytes('The document, as an attachment'),
    { parameters: [segment('token')], responses: { '404': envelope, '503': envelope } },
  ),
  '/healthz': read('public.health', 'public', 'Whether the process is up', json('It is', anyObject)),
  '/readyz': read(
    'public.readiness',
    'public',
    'Whether database, bus and every service answer',
    json('All do', anyObject),
    {
      responses: { '503': json('Which of them do not', anyObject) },
    },
  ),
  '/openapi.json': read('public.openapi', 'public', 'This document', json('OpenAPI 3.1', anyObject)),
  '/docs': read('public.docs', 'public', 'This document as a page', page),
}
