import { atMostEntries } from '@causeway/chassis'
import { LRUCache } from 'lru-cache'

/** A rate limit: how many tokens a bucket holds, and how fast it is refilled. One token is one request. */
export type BucketSettings = Readonly<{ ratePerSecond: number; burst: number }>

/** The token bucket of one caller. `tokens` is what it held at `atMs`. */
export type Bucket = { tokens: number; atMs: number; readonly settings: BucketSettings }

export const fullBucket = (settings: BucketSettings, nowMs: number): Bucket => ({
  tokens: settings.burst,
  atMs: nowMs,
  settings,
})

/** Refills the bucket up to now; whether it has a whole token. */
export const hasToken = (bucket: Bucket, nowMs: number): boolean => {
  const { ratePerSecond, burst } = bucket.settings
  const gained = (Math.max(0, nowMs - bucket.atMs) * ratePerSecond) / 1_000
  bucket.tokens = Math.min(burst, bucket.tokens + gained)
  bucket.atMs = Math.max(bucket.atMs, nowMs)
  return bucket.tokens >= 1
}

/** Refills the bucket up to now and takes one token; false when it has no whole one. */
export const take = (bucket: Bucket, nowMs: number): boolean => {
  if (!hasToken(bucket, nowMs)) return false
  bucket.tokens -= 1
  return true
}

/** Whole tokens left: `RateLimit-Remaining`. */
export const remainingOf = (bucket: Bucket): number => Math.floor(bucket.tokens)

/** Seconds until the bucket is full again, rounded up: `RateLimit-Reset`. */
export const resetSecondsOf = (bucket: Bucket): number =>
  Math.ceil((bucket.settings.burst - bucket.tokens) / bucket.settings.ratePerSecond)

/** Seconds until the next whole token, rounded up: `Retry-After`. */
export const retryAfterSecondsOf = (bucket: Bucket): number =>
  Math.max(1, Math.ceil((1 - bucket.tokens) / bucket.settings.ratePerSecond))

/** Buckets by caller. */
export type Buckets = Readonly<{ of(key: string, nowMs: number): Bucket }>

/**
 * Keeps buckets by caller, at most `capacity` of them: the least recently used one is evicted first, and its caller starts
 * again with a full one.
 */
export const createBuckets = (settings: BucketSettings, capacity: number): Buckets => {
  const buckets = new LRUCache<string, Bucket>(atMostEntries(capacity))
  return {
    of(key, nowMs) {
      const known = buckets.get(key)
      if (known !== undefined) return known
      const bucket = fullBucket(settings, nowMs)
      buckets.set(key, bucket)
      return bucket
    },
  }
}
