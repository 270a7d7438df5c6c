import { createHash } from 'node:crypto'
import { equalInConstantTime, operatorActorOf, type Clock } from '@causeway/chassis'
import { STAFF_KEY, type Caller, type StaffRole } from '@causeway/contracts'
import type { AccessClient } from '../clients/access.ts'
import { createBuckets, type BucketSettings, type Buckets } from '../rate-limits/token-bucket.ts'
import { createIdentityCache, type Verified } from './identity-cache.ts'
import type { Authenticated, CredentialFault, Identity } from './identity.ts'

/** Staff tools work in bulk: a staff key's rate limit is this many times a client's. */
const RATE_LIMIT_FACTOR = 10
/** Most staff keys in the cache, and most of their rate limits in memory. */
const CAPACITY = 10_000
/** A key whose row is deleted by hand is refused after at most this; a revoked one is invalidated immediately. */
const CACHED_MS = 30_000
const BEARER = /^Bearer +(\S+)$/i

type Options = Readonly<{
  /** The key of the setting `OPERATOR_API_KEY`. */
  operatorKey: string
  limits: BucketSettings
  access: Pick<AccessClient, 'findStaffKey'>
  clock: Clock
}>

const identityOf = (actor: string, role: StaffRole, buckets: Buckets, nowMs: number): Identity => {
  const callerJson = JSON.stringify({ kind: 'operator', actor } satisfies Caller)
  return {
    client: actor,
    callerJson,
    callerWithDefaultsJson: callerJson,
    callerWithLimitsJson: callerJson,
    scopes: null,
    role,
    addressRule: null,
    bucket: buckets.of(actor, nowMs),
    actor,
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Authenticates named staff keys, which are cached by their hash: memory holds none. */
const createNamedKeys = ({ access, clock }: Options, buckets: Buckets) => {
  const cache = createIdentityCache(clock, CAPACITY)

  const verify = async (key: string): Promise<Verified | CredentialFault> => {
    const found = await access.findStaffKey(key)
    if (typeof found === 'string') return found
    const nowMs = clock.nowMs()
    const identity = identityOf(found.staff_key_id, found.role, buckets, nowMs)
    return { identity, expiresAtMs: nowMs + CACHED_MS, invalidatedBy: found.key_mac }
  }

  return {
    authenticate(key: string): Authenticated | Promise<Authenticated> {
      if (!STAFF_KEY.test(key)) return 'unknown'
      return cache.identify(digestOf(key).toString('base64'), () => verify(key))
    },
    invalidate: cache.invalidate,
  }
}

/**
 * Authenticates staff by named keys, or by the key of the setting, whose role is `admin` and which the audit log names by
 * its fingerprint. Each key has its own rate limit.
 */
export const createStaffAuthentication = (options: Options) => {
  const { clock, limits, operatorKey } = options
  const buckets = createBuckets(
    { ratePerSecond: limits.ratePerSecond * RATE_LIMIT_FACTOR, burst: limits.burst * RATE_LIMIT_FACTOR },
    CAPACITY,
  )
  const expected = digestOf(operatorKey)
  const identity = identityOf(operatorActorOf(operatorKey), 'admin', buckets, clock.nowMs())
  const named = createNamedKeys(options, buckets)
  return {
    authenticate: (header: string | undefined): Authenticated | Promise<Authenticated> => {
      if (header === undefined) return 'missing'
      const key = BEARER.exec(header)?.[1]
      if (key === undefined) return 'malformed'
      return equalInConstantTime(digestOf(key), expected) ? identity : named.authenticate(key)
    },
    /** Invalidates revoked keys, given by their keyed hashes. */
    invalidate: named.invalidate,
  }
}
