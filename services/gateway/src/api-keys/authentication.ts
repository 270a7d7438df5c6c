import { equalInConstantTime, type Clock, type Db, type Vault } from '@causeway/chassis'
import type { Caller } from '@causeway/contracts'
import { createIdentityCache, type Verified } from '../auth/identity-cache.ts'
import type { Authenticated, CredentialFault, Identity } from '../auth/identity.ts'
import type { Buckets } from '../rate-limits/token-bucket.ts'
import { API_KEY, macOfApiKey } from './key.ts'
import { findApiKey } from './store.ts'

/** Most keys in the cache. */
const CAPACITY = 50_000
/** A key whose row is deleted by hand is refused after at most this; a revoked one is invalidated at once. */
const CACHED_MS = 30_000

type Options = Readonly<{ db: Db; vault: Vault; clock: Clock; buckets: Buckets }>

/**
 * Authenticates the merchant API's `x-api-key`. Keys are looked up by their keyed hash, so that the time of a look-up
 * reveals nothing of a key. All keys of a merchant share one rate limit.
 */
export const createMerchantAuthentication = ({ db, vault, clock, buckets }: Options) => {
  const cache = createIdentityCache(clock, CAPACITY)

  const verify = async (keyMac: string): Promise<Verified | CredentialFault> => {
    const row = await findApiKey(db, { keyMac })
    if (row === null || !equalInConstantTime(row.keyMac, keyMac)) return 'unknown'
    const { merchantId, keyId } = row
    const callerJson = JSON.stringify({ kind: 'merchant', merchantId, keyId } satisfies Caller)
    const identity: Identity = {
      client: merchantId,
      callerJson,
      callerWithDefaultsJson: callerJson,
      callerWithLimitsJson: callerJson,
      scopes: null,
      role: null,
      addressRule: null,
      bucket: buckets.of(merchantId, clock.nowMs()),
      actor: null,
    }
    return { identity, expiresAtMs: clock.nowMs() + CACHED_MS, invalidatedBy: keyMac }
  }

  return {
    authenticate(header: string | undefined): Authenticated | Promise<Authenticated> {
      if (header === undefined) return 'missing'
      if (!API_KEY.test(header)) return 'malformed'
      const keyMac = macOfApiKey(vault, header)
      return cache.identify(keyMac, () => verify(keyMac))
    },
    /** Invalidates revoked keys, given by their keyed hashes. */
    invalidate: cache.invalidate,
  }
}
