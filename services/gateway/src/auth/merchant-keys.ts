import { createHash } from 'node:crypto'
import type { Clock } from '@causeway/chassis'
import { API_KEY, type Caller } from '@causeway/contracts'
import type { AccessClient } from '../clients/access.ts'
import type { Buckets } from '../rate-limits/token-bucket.ts'
import { createIdentityCache, type Verified } from './identity-cache.ts'
import type { Authenticated, CredentialFault, Identity } from './identity.ts'

/** Most keys in the cache. */
const CAPACITY = 50_000
/**
 * A key whose row is deleted by hand is refused after at most this; a revoked one is invalidated immediately. While access
 * is unavailable a known key stays valid.
 */
const CACHED_MS = 30_000

type Options = Readonly<{ access: Pick<AccessClient, 'findMerchantKey'>; clock: Clock; buckets: Buckets }>

/**
 * Authenticates the merchant API's `x-api-key`. Keys are cached by their hash, so that the time of a look-up reveals
 * nothing of a key, and memory holds none. All keys of a merchant share one rate limit.
 */
export const createMerchantAuthentication = ({ access, clock, buckets }: Options) => {
  const cache = createIdentityCache(clock, CAPACITY)

  const verify = async (key: string): Promise<Verified | CredentialFault> => {
    const found = await access.findMerchantKey(key)
    if (typeof found === 'string') return found
    const { merchant_id: merchantId, key_id: keyId, key_mac: keyMac } = found
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
    return { identity, expiresAtMs: clock.nowMs() + CACHED_MS, invalidatedBy: keyMac, outlastsOutage: true }
  }

  return {
    authenticate(header: string | undefined): Authenticated | Promise<Authenticated> {
      if (header === undefined) return 'missing'
      if (!API_KEY.test(header)) return 'malformed'
      return cache.identify(createHash('sha256').update(header).digest('base64'), () => verify(header))
    },
    /** Invalidates revoked keys, given by their keyed hashes. */
    invalidate: cache.invalidate,
  }
}
