import { createHash } from 'node:crypto'
import { equalInConstantTime, type Clock } from '@causeway/chassis'
import type { Caller } from '@causeway/contracts'
import type { Identity } from './identity.ts'
import { fullBucket, type BucketSettings } from './token-bucket.ts'

/** Staff tools work in bulk: their allowance is so many times a client's. */
const ALLOWANCE_FACTOR = 10
const FINGERPRINT_LENGTH = 8
const BEARER = /^Bearer +(\S+)$/i

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Authenticates staff by the operator key. The audit log names the key by its fingerprint. */
export const createOperatorAuthentication = (
  options: Readonly<{ operatorKey: string; limits: BucketSettings; clock: Clock }>,
) => {
  const expected = digestOf(options.operatorKey)
  const actor = `operator:${expected.toString('hex').slice(0, FINGERPRINT_LENGTH)}`
  const callerJson = JSON.stringify({ kind: 'operator', actor } satisfies Caller)
  const limits = {
    ratePerSecond: options.limits.ratePerSecond * ALLOWANCE_FACTOR,
    burst: options.limits.burst * ALLOWANCE_FACTOR,
  }
  const identity: Identity = {
    client: actor,
    callerJson,
    callerWithDefaultsJson: callerJson,
    scopes: null,
    bucket: fullBucket(limits, options.clock.nowMs()),
    actor,
  }
  return {
    authenticate: (header: string | undefined): Identity | null => {
      const key = BEARER.exec(header ?? '')?.[1]
      return key !== undefined && equalInConstantTime(digestOf(key), expected) ? identity : null
    },
  }
}
