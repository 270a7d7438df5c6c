import type { Caller } from '@causeway/contracts'
import type { Clock, Db } from '@causeway/chassis'
import { addressRuleOf } from '../auth/allowed-addresses.ts'
import { createIdentityCache, type Verified } from '../auth/identity-cache.ts'
import type { Authenticated, CredentialFault, Identity } from '../auth/identity.ts'
import { secretIdOf } from '../clients/secrets.ts'
import type { Buckets } from '../rate-limits/token-bucket.ts'
import type { Keyring } from '../signing-keys/keyring.ts'
import { verifyAccessToken, type Claims } from './access-token.ts'
import { findRevokedToken, getEffectiveClient, type EffectiveClient } from './store.ts'

/** Most verified tokens in the cache. */
const CAPACITY = 50_000
const MAX_HEADER_LENGTH = 8_192
const MS_PER_SECOND = 1_000
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i

export type TokenCacheOptions = Readonly<{
  db: Db
  clock: Clock
  keyring: Keyring
  buckets: Buckets
  issuer: string
}>

/**
 * When a token stops being valid: at its expiry, or with the secret or key that it was issued for; null when it already
 * has. A token without the id of a credential belongs to the live secret that existed when it was issued.
 */
const endOf = (claims: Claims, { secrets, keys }: EffectiveClient): number | null => {
  const isOfKey = keys.some((key) => key.credential_id === claims.credential_id)
  if (isOfKey) return claims.exp * MS_PER_SECOND
  const secret = secrets.find(({ mac, createdAtMs }) =>
    claims.credential_id === undefined
      ? createdAtMs < (claims.iat + 1) * MS_PER_SECOND
      : secretIdOf(mac) === claims.credential_id,
  )
  if (secret === undefined) return null
  return Math.min(claims.exp * MS_PER_SECOND, secret.expiresAtMs ?? Number.POSITIVE_INFINITY)
}

/** The scopes of a token that client and partner still hold. */
const scopesOf = (claims: Claims, { scopes }: EffectiveClient): ReadonlySet<string> => {
  const issued = new Set(claims.scope.split(' '))
  return new Set(scopes.filter((scope) => issued.has(scope)))
}

const identityOf = (
  claims: Claims,
  client: EffectiveClient,
  { buckets, clock }: Pick<TokenCacheOptions, 'buckets' | 'clock'>,
): Identity => {
  const { clientId, partnerId, defaultCapabilities, dailyRefundLimitCents } = client
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
    addressRule: addressRuleOf(client.allowedAddresses),
    bucket: buckets.of(clientId, clock.nowMs()),
    actor: null,
  }
}

/**
 * Authenticates bearer tokens. A verified token is cached under the whole header until it expires or something about
 * its client changes, so that a further request with it costs one look-up.
 */
export const createTokenCache = (options: TokenCacheOptions) => {
  const { db, clock } = options
  const cache = createIdentityCache(clock, CAPACITY)

  const verify = async (header: string): Promise<Verified | CredentialFault> => {
    const token = header.length > MAX_HEADER_LENGTH ? undefined : BEARER.exec(header)?.[1]
    const claims = token === undefined ? 'malformed' : await verifyAccessToken(token, options)
    if (typeof claims === 'string') return claims
    const { client_id: clientId, jti } = claims
    const [client, revoked] = await Promise.all([
      getEffectiveClient(db, { clientId, now: clock.now() }),
      findRevokedToken(db, { jti }),
    ])
    if (client?.active !== true || client.partnerId !== claims.partner_id || revoked !== null) return 'ended'
    const expiresAtMs = endOf(claims, client)
    if (expiresAtMs === null) return 'ended'
    return { identity: identityOf(claims, client, options), expiresAtMs, invalidatedBy: clientId }
  }

  return {
    authenticate: (header: string | undefined): Authenticated | Promise<Authenticated> =>
      header === undefined ? 'missing' : cache.identify(header, () => verify(header)),
    /** Invalidates every token of these clients. */
    invalidate: cache.invalidate,
  }
}
