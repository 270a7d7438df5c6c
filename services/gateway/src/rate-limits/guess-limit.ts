import type { IncomingMessage } from 'node:http'
import type { Clock } from '@causeway/chassis'
import { createBuckets, hasToken, retryAfterSecondsOf, take, type BucketSettings } from './token-bucket.ts'

/** Most addresses whose failures are counted. */
const ADDRESSES = 100_000

/**
 * Limits guessing: counts failed credentials by address (decisions §18). A failure over the limit is answered 429 instead
 * of 401. Every credential is verified first, so that a valid one always passes.
 */
export type GuessLimit = Readonly<{
  /** Counts a failure. @returns the seconds of `Retry-After` when the address is over its limit, else null */
  recordFailure: (request: IncomingMessage) => number | null
  /** The same without counting a failure: what it would return now. */
  retryAfter: (request: IncomingMessage) => number | null
}>

/** @param addressOf the caller's address; all of an IPv6 /64 counts as one (see http/client-address.ts) */
export const createGuessLimit = (
  settings: BucketSettings,
  clock: Clock,
  addressOf: (request: IncomingMessage) => string,
): GuessLimit => {
  const buckets = createBuckets(settings, ADDRESSES)
  const bucketOf = (request: IncomingMessage) => buckets.of(addressOf(request), clock.nowMs())
  return {
    recordFailure(request) {
      const bucket = bucketOf(request)
      return take(bucket, clock.nowMs()) ? null : retryAfterSecondsOf(bucket)
    },
    retryAfter(request) {
      const bucket = bucketOf(request)
      return hasToken(bucket, clock.nowMs()) ? null : retryAfterSecondsOf(bucket)
    },
  }
}
