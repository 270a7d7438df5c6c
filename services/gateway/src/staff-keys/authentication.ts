import { createHash } from 'node:crypto'
import { equalInConstantTime, type Clock, type Db, type Logger, type Vault } from '@causeway/chassis'
import type { Caller, StaffRole } from '@causeway/contracts'
import { createIdentityCache, type Verified } from '../auth/identity-cache.ts'
import type { Authenticated, CredentialFault, Identity } from '../auth/identity.ts'
import { createBuckets, type BucketSettings, type Buckets } from '../rate-limits/token-bucket.ts'
import { macOfStaffKey, STAFF_KEY } from './key.ts'
import { findStaffKey, recordStaffKeyUse, type StaffKeyRecord } from './store.ts'

/** Staff tools work in bulk: a staff key's rate limit is this many times a client's. */
const RATE_LIMIT_FACTOR = 10
/** Most staff keys in the cache, and most of their rate limits in memory. */
const CAPACITY = 10_000
/** A key whose row is deleted by hand is refused after at most this; a revoked one is invalidated at once. */
const CACHED_MS = 30_000
/** At most one write per key and minute: `last_used_at` may be late by this and `CACHED_MS` together. */
const RECORD_EVERY_MS = 60_000
const FINGERPRINT_LENGTH = 8
const BEARER = /^Bearer +(\S+)$/i

type Options = Readonly<{
  /** The key of the setting `OPERATOR_API_KEY`. */
  operatorKey: string
  limits: BucketSettings
  db: Db
  vault: Vault
  clock: Clock
  log: Logger
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

/** Authenticates named staff keys, which are looked up by their keyed hash. */
const createNamedKeys = ({ db, vault, clock, log }: Options, buckets: Buckets) => {
  const cache = createIdentityCache(clock, CAPACITY)

  const recordUse = async ({ staffKeyId, lastUsedAt }: StaffKeyRecord, nowMs: number) => {
    const unlessSince = new Date(nowMs - RECORD_EVERY_MS)
    if (lastUsedAt !== null && lastUsedAt > unlessSince) return
    await recordStaffKeyUse(db, { staffKeyId, now: new Date(nowMs), unlessSince }).catch((error: unknown) =>
      log.warn(
        { event: 'staff_key.use_not_recorded', error, staffKeyId },
        'The use of a staff key was not recorded',
      ),
    )
  }

  const verify = async (keyMac: string): Promise<Verified | CredentialFault> => {
    const row = await findStaffKey(db, { keyMac })
    if (row === null || !equalInConstantTime(row.keyMac, keyMac)) return 'unknown'
    const nowMs = clock.nowMs()
    const identity = identityOf(row.staffKeyId, row.role, buckets, nowMs)
    await recordUse(row, nowMs)
    return { identity, expiresAtMs: nowMs + CACHED_MS, invalidatedBy: keyMac }
  }

  return {
    authenticate(key: string): Authenticated | Promise<Authenticated> {
      if (!STAFF_KEY.test(key)) return 'unknown'
      const keyMac = macOfStaffKey(vault, key)
      return cache.identify(keyMac, () => verify(keyMac))
    },
    invalidate: cache.invalidate,
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()

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
  const fingerprint = expected.toString('hex').slice(0, FINGERPRINT_LENGTH)
  const operatorActor = `operator:${fingerprint}`
  const identity = identityOf(operatorActor, 'admin', buckets, clock.nowMs())
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
    /** How the audit log names the key of the setting. */
    operatorActor,
  }
}
