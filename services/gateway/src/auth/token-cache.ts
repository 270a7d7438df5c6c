import type { Caller, TokenClient } from '@causeway/contracts'
import type { Clock } from '@causeway/chassis'
import type { Buckets } from '../rate-limits/token-bucket.ts'
import { verifyAccessToken, type Claims } from './access-token.ts'
import { addressRuleOf } from './allowed-addresses.ts'
import { createIdentityCache, type Verified } from './identity-cache.ts'
import type { Authenticated, CredentialFault, Identity } from './identity.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { TokenClients } from './token-clients.ts'

/** Most verified tokens in the cache. */
const CAPACITY = 50_000
const MAX_HEADER_LENGTH = 8_192
const MS_PER_SECOND = 1_000
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i

export type TokenCacheOptions = Readonly<{
  signingKeys: Pick<SigningKeys, 'find'>
  clients: Pick<TokenClients, 'find'>
  clock: Clock
  buckets: Buckets
  issuer: string
}>

/**
 * When a token stops being valid: at its expiry, or with the secret or key that it was issued for; null when it already
 * has. A token without the id of a credential belongs to the live secret that existed when it was issued.
 */
const endOf = (claims: Claims, { secrets, key_ids: keyIds }: TokenClient): number | null => {
  if (claims.credential_id !== undefined && keyIds.includes(claims.credential_id))
    return claims.exp * MS_PER_SECOND
  const secret = secrets.find(({ secret_id: secretId, created_at_ms: createdAtMs }) =>
    claims.credential_id === undefined
      ? createdAtMs < (claims.iat + 1) * MS_PER_SECOND
      : secretId === claims.credential_id,
  )
  if (secret === undefined) return null
  return Math.min(claims.exp * MS_PER_SECOND, secret.expires_at_ms ?? Number.POSITIVE_INFINITY)
}

/** The scopes of a token that client and partner still hold. */
const scopesOf = (claims: Claims, { scopes }: TokenClient): ReadonlySet<string> => {
  const issued = new Set(claims.scope.split(' '))
  return new Set(scopes.filter((scope) => issued.has(scope)))
}

const identityOf = (
  claims: Claims,
  client: TokenClient,
  { buckets, clock }: Pick<TokenCacheOptions, 'buckets' | 'clock'>,
): Identity => {
  const { client_id: clientId, partner_id: partnerId, default_capabilities: defaultCapabilities } = client
  const { daily_refund_limit_cents: dailyRefundLimitCents } = client
  const caller: Caller = { kind: 'partner', partnerId, clientId }
  const withDefaults: Caller = { ...caller, defaultCapabilities }
  const withLimits: Caller = { ...caller, ...(dailyRefundLimitCents !== null && { dailyRefundLimitCents }) }
  return {
    client: clientId,
    callerJson: JSON.stringify(caller),
    callerWithDefaultsJson: JSON.stringify(withDefaults),
    callerWithLimitsJson: JSON.stringify(withLimits),
    scopes: scopesOf(claims, client),
    role: null,
    addressRule: addressRuleOf(client.allowed_addresses),
    bucket: buckets.of(clientId, clock.nowMs()),
    actor: null,
  }
}

/**
 * Authenticates bearer tokens. A verified token is cached under the whole header until it expires or something about
 * its client changes, so that a further request with it costs one look-up.
 */
export const createTokenCache = (options: TokenCacheOptions) => {
  const { clients, clock } = options
  const cache = createIdentityCache(clock, CAPACITY)

  const verify = async (header: string): Promise<Verified | CredentialFault> => {
    const token = header.length > MAX_HEADER_LENGTH ? undefined : BEARER.exec(header)?.[1]
    const claims = token === undefined ? 'malformed' : await verifyAccessToken(token, options)
    if (typeof claims === 'string') return claims
    const { client_id: clientId, jti } = claims
    const client = await clients.find(clientId)
    if (client === null || client.partner_id !== claims.partner_id) return 'ended'
    if (client.revoked_token_ids.includes(jti)) return 'ended'
    const expiresAtMs = endOf(claims, client)
    if (expiresAtMs === null || expiresAtMs <= clock.nowMs()) return 'ended'
    return { identity: identityOf(claims, client, options), expiresAtMs, invalidatedBy: clientId }
  }

  return {
    authenticate: (header: string | undefined): Authenticated | Promise<Authenticated> =>
      header === undefined ? 'missing' : cache.identify(header, () => verify(header)),
    /** Invalidates every token of these clients. */
    invalidate: cache.invalidate,
  }
}
