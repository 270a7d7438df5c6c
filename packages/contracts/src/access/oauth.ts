import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Timestamp } from '../primitives.ts'

/** Signature algorithm of access tokens (RFC 7518 §3.4). */
export const TOKEN_ALGORITHM = 'ES256'

/** A new signing key is published for this long before it signs; `jwks.json` may be cached half as long. */
export const PUBLISH_LEAD_MS = 10 * 60_000

/** Signature algorithms of client assertions, by the key's type (RFC 7518 §3.1; RFC 8037; RFC 9864). */
export const ASSERTION_ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  EC: ['ES256'],
  OKP: ['EdDSA', 'Ed25519'],
  RSA: ['PS256', 'RS256'],
}

/** Credentials of a client: its secret, or an assertion that one of its keys signed (RFC 7523 §2.2). */
export const PresentedCredentials = z.discriminatedUnion('method', [
  z.object({ method: z.literal('secret'), clientId: z.string(), clientSecret: z.string() }),
  z.object({ method: z.literal('assertion'), clientId: z.string().nullable(), assertion: z.string() }),
])
export type PresentedCredentials = Readonly<z.infer<typeof PresentedCredentials>>

/** An authenticated client. `credential_id`: the secret or the key that it used. */
const AuthenticatedClient = z.object({
  client_id: z.string(),
  credential_id: z.string(),
  /** Null: any address. */
  allowed_addresses: z.array(z.string()).nullable(),
})

/** An access token with the fields of its reply (RFC 6749 §5.1). */
const IssuedToken = z.object({ access_token: z.string(), expires_in: z.number(), scope: z.string() })

/** A public signing key (RFC 7517). */
const SigningKey = z.record(z.string(), z.string())

/** `access.oauth`: access tokens of clients, and the keys that sign them. */
export const accessOauth = resource('access.oauth', {
  authenticateClient: operation({
    summary: 'Authenticate a client; null for an unknown client and for a wrong credential alike',
    caller: 'service',
    services: ['gateway'],
    body: z.object({ credentials: PresentedCredentials }),
    /** `claimed_client_id`: the client that the credentials name, unverified, for the log. */
    reply: z.object({ client: AuthenticatedClient.nullable(), claimed_client_id: z.string().nullable() }),
  }),
  issueToken: operation({
    summary: 'Issue a token for a credential that was just authenticated',
    description: 'The token is null if the client does not hold a scope that it asks for.',
    caller: 'service',
    services: ['gateway'],
    /** Scope null: every scope that the client holds. */
    body: z.object({ client_id: z.string(), credential_id: z.string(), scope: z.string().nullable() }),
    reply: z.object({ token: IssuedToken.nullable() }),
    /** The credential has ended since. */
    refusals: ['resource_not_found'],
  }),
  revokeToken: operation({
    summary: "Revoke a client's valid token; revoking it again changes nothing",
    caller: 'service',
    services: ['gateway'],
    body: z.object({ token_id: z.string(), client_id: z.string(), expires_at: Timestamp }),
    reply: z.object({}),
  }),
  listSigningKeys: operation({
    summary: 'List every key that signs, will sign, or has signed a token that may still be valid',
    caller: 'service',
    services: ['gateway'],
    reply: z.object({ keys: z.array(SigningKey) }),
  }),
})
