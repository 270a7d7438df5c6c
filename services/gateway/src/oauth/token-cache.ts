import type { Caller } from '@causeway/contracts'
import type { Clock, Db } from '@causeway/chassis'
import { clientStore, type ClientStanding } from '../clients/store.ts'
import { revokedTokenStore } from './store.ts'
import { verifyAccessToken, type Claims } from './access-token.ts'
import { addressRuleOf } from '../auth/allowed-addresses.ts'
import { secretIdOf } from '../clients/secrets.ts'
import type { Authenticated, Identity } from '../auth/identity.ts'
import type { Keyring } from '../signing-keys/keyring.ts'
import type { createBuckets } from '../rate-limits/token-bucket.ts'

/** Verified tokens that are remembered; the oldest leaves first. */
const CAPACITY = 50_000
const MAX_HEADER_LENGTH = 8_192
const MS_PER_SECOND = 1_000
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i

type Session = Readonly<{ identity: Identity; clientId: string; expiresAtMs: number }>

export type SessionOptions = Readonly<{
  db: Db
  clock: Clock
  keyring: Keyring
  buckets: ReturnType<typeof createBuckets>
  issuer: string
}>

/**
 * When a token ends: at its expiry, or with the secret or key that it was issued for; null when that has ended already.
 * A token that does not name one counts as that of any live secret that was there when it was issued.
 */
const endOf = (claims: Claims, { secrets, keys }: ClientStanding): number | null => {
  const isOfKey = keys.some((key) => key.credential_id === claims.credential_id)
  if (isOfKey) return claims.exp * MS_PER_SECOND
  const secret = secrets.find(({ mac, created_at_ms: createdAtMs }) =>
    claims.credential_id === undefined
      ? createdAtMs < (claims.iat + 1) * MS_PER_SECOND
      : secretIdOf(mac) === claims.credential_id,
  )
  if (secret === undefined) return null
  return Math.min(claims.exp * MS_PER_SECOND, secret.expires_at_ms ?? Number.POSITIVE_INFINITY)
}

/** What a token still allows: of its scopes those that client and partner hold now. */
const scopesOf = (claims: Claims, { scopes }: ClientStanding): ReadonlySet<string> => {
  const issued = new Set(claims.scope.split(' '))
  return new Set(scopes.filter((scope) => issued.has(scope)))
}

/**
 * Authenticates bearer tokens. A verified token is remembered under the whole header until it expires or something
 * about its client changes, so that a further request with it costs one look-up.
 */
export const createSessions = (options: SessionOptions) => {
  const { db, clock, buckets } = options
  const sessions = new Map<string, Session>()
  const verifying = new Map<string, Promise<Authenticated>>()
  let timesForgotten = 0

  const remember = (header: string, session: Session) => {
    if (sessions.size >= CAPACITY) {
      const oldest = sessions.keys().next()
      if (!oldest.done) sessions.delete(oldest.value)
    }
    sessions.set(header, session)
  }
  const establish = async (header: string): Promise<Authenticated> => {
    const token = header.length > MAX_HEADER_LENGTH ? undefined : BEARER.exec(header)?.[1]
    const claims = token === undefined ? 'malformed' : await verifyAccessToken(token, options)
    if (typeof claims === 'string') return claims
    const forgottenBefore = timesForgotten
    const [standing, isRevoked] = await Promise.all([
      clientStore.standing(db, claims.client_id, clock.now()),
      revokedTokenStore.isRevoked(db, claims.jti),
    ])
    if (standing?.active !== true || standing.partner_id !== claims.partner_id || isRevoked) return 'ended'
    const expiresAtMs = endOf(claims, standing)
    if (expiresAtMs === null) return 'ended'
    const caller: Caller = { kind: 'partner', partnerId: claims.partner_id, clientId: claims.client_id }
    const limitCents = standing.daily_refund_limit_cents
    const identity: Identity = {
      client: claims.client_id,
      callerJson: JSON.stringify(caller),
      callerWithDefaultsJson: JSON.stringify({
        ...caller,
        defaultCapabilities: standing.default_capabilities,
      } satisfies Caller),
      callerWithLimitsJson: JSON.stringify({
        ...caller,
        ...(limitCents !== null && { dailyRefundLimitCents: limitCents }),
      } satisfies Caller),
      scopes: scopesOf(claims, standing),
      role: null,
      addressRule: addressRuleOf(standing.allowed_addresses),
      bucket: buckets.of(claims.client_id, clock.nowMs()),
      actor: null,
    }
    // A client changed since its standing was read, perhaps this one: nothing is remembered of the old standing.
    if (timesForgotten === forgottenBefore)
      remember(header, { identity, clientId: claims.client_id, expiresAtMs })
    return identity
  }

  return {
    authenticate(header: string | undefined): Authenticated | Promise<Authenticated> {
      if (header === undefined) return 'missing'
      const known = sessions.get(header)
      if (known !== undefined && known.expiresAtMs > clock.nowMs()) return known.identity
      if (known !== undefined) sessions.delete(header)
      const underWay = verifying.get(header)
      if (underWay !== undefined) return underWay
      const started = establish(header).finally(() => verifying.delete(header))
      verifying.set(header, started)
      return started
    },
    /** Forgets every token of these clients; their next call is judged anew. */
    forget(clientIds: readonly string[]) {
      timesForgotten += 1
      const changed = new Set(clientIds)
      for (const [header, session] of sessions) if (changed.has(session.clientId)) sessions.delete(header)
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
