import { SCOPES } from '../primitives.ts'
import { z } from 'zod'

/** Value of `client_assertion_type` (RFC 7523 §2.2). */
export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const BASIC_INSTEAD = 'Unless HTTP Basic is used'

/** Credentials of a client in the body. */
const clientCredentials = {
  client_id: z.string().optional().meta({ description: BASIC_INSTEAD }),
  client_secret: z.string().optional().meta({ description: BASIC_INSTEAD }),
  client_assertion_type: z
    .literal(JWT_BEARER)
    .optional()
    .meta({ description: 'Instead of a secret (RFC 7523 section 2.2)' }),
  client_assertion: z.string().optional().meta({
    description:
      'JWT signed by a key of the client. iss and sub: the client. aud: the issuer or this URL. exp: within 5 minutes. jti: unique',
  }),
}

/** RFC 6749 §4.4.2. */
export const TokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  scope: z.string().optional().meta({ description: 'Space-delimited; default: all scopes of the client' }),
  ...clientCredentials,
})

/** RFC 7009 §2.1. */
export const RevocationRequest = z.object({
  token: z.string(),
  token_type_hint: z.string().optional(),
  ...clientCredentials,
})

/** RFC 6749 §5.1. */
export const TokenReply = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds' }),
  scope: z.string().meta({ description: `Space-delimited, of ${SCOPES.join(', ')}` }),
})
export type TokenReply = z.infer<typeof TokenReply>

/** RFC 6749 §5.2, and `temporarily_unavailable` (RFC 6749 §4.1.2.1) for a client over its rate limit. */
export const OAuthErrorReply = z.object({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unsupported_grant_type',
    'invalid_scope',
    'temporarily_unavailable',
  ]),
  error_description: z.string(),
})
export type OAuthErrorReply = z.infer<typeof OAuthErrorReply>
