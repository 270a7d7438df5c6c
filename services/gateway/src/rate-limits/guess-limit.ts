import type { IncomingMessage } from 'node:http'
import type { Clock } from '@causeway/chassis'
import { createBuckets, hasToken, retryAfterSecondsOf, take, type BucketSettings } from './token-bucket.ts'

/** Most addresses whose failures are remembered. */
const ADDRESSES = 100_000

/**
 * Limits guessing: credentials that fail, by address (decisions §18). A failure over the limit is 429 instead of 401.
 * Whatever is presented is judged first, so that one that is right passes always.
 */
export type GuessLimit = Readonly<{
  /** Counts a failure; the seconds of `Retry-After` when the address is over its limit, else null. */
  fail: (request: IncomingMessage) => number | null
  /** The same without counting: whether a failure now would be over the limit. */
  spent: (request: IncomingMessage) => number | null
}>

/** @param addressOf who calls, an IPv6 network of 64 bits counting as one (see http/client-address.ts) */
export const createGuessLimit = (
  settings: BucketSettings,
  clock: Clock,
  addressOf: (request: IncomingMessage) => string,
): GuessLimit => {
  const buckets = createBuckets(settings, ADDRESSES)
  const bucketOf = (request: IncomingMessage) => buckets.of(addressOf(request), clock.nowMs())
  return {
    fail(request) {
      const bucket = bucketOf(request)
      return take(bucket, clock.nowMs()) ? null : retryAfterSecondsOf(bucket)
    },
    spent(request) {
      const bucket = bucketOf(request)
      return hasToken(bucket, clock.nowMs()) ? null : retryAfterSecondsOf(bucket)
    },
  }
}
