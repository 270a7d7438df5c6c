import { createHash } from 'node:crypto'
import { equalInConstantTime, type Clock, type Db, type Logger, type Vault } from '@causeway/chassis'
import type { Caller } from '@causeway/contracts'
import type { Authenticated, Identity } from '../auth/identity.ts'
import { createStaffAuthentication } from './authentication.ts'
import { createBuckets, type BucketSettings } from '../rate-limits/token-bucket.ts'

/** Staff tools work in bulk: their allowance is so many times a client's. */
const ALLOWANCE_FACTOR = 10
/** Most staff keys whose allowances are remembered. */
const BUCKETS = 10_000
const FINGERPRINT_LENGTH = 8
const BEARER = /^Bearer +(\S+)$/i

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/**
 * Authenticates staff: by the key of the setting, whose role is `admin` and whose fingerprint the audit log names, and
 * by named keys. Each has an allowance of its own.
 */
export const createOperatorAuthentication = (
  options: Readonly<{
    operatorKey: string
    limits: BucketSettings
    db: Db
    vault: Vault
    clock: Clock
    log: Logger
  }>,
) => {
  const expected = digestOf(options.operatorKey)
  const actor = `operator:${expected.toString('hex').slice(0, FINGERPRINT_LENGTH)}`
  const callerJson = JSON.stringify({ kind: 'operator', actor } satisfies Caller)
  const limits = {
    ratePerSecond: options.limits.ratePerSecond * ALLOWANCE_FACTOR,
    burst: options.limits.burst * ALLOWANCE_FACTOR,
  }
  const buckets = createBuckets(limits, BUCKETS)
  const identity: Identity = {
    client: actor,
    callerJson,
    callerWithDefaultsJson: callerJson,
    callerWithLimitsJson: callerJson,
    scopes: null,
    role: 'admin',
    addressRule: null,
    bucket: buckets.of(actor, options.clock.nowMs()),
    actor,
  }
  const named = createStaffAuthentication({ ...options, buckets })
  return {
    authenticate: (header: string | undefined): Authenticated | Promise<Authenticated> => {
      if (header === undefined) return 'missing'
      const key = BEARER.exec(header)?.[1]
      if (key === undefined) return 'malformed'
      return equalInConstantTime(digestOf(key), expected) ? identity : named.authenticate(key)
    },
    forget: (macs: readonly string[]) => named.forget(macs),
  }
}
