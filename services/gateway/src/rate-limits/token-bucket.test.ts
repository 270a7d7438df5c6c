import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  createBuckets,
  fullBucket,
  remainingOf,
  resetSecondsOf,
  retryAfterSecondsOf,
  take,
} from './token-bucket.ts'

const settings = { ratePerSecond: 10, burst: 20 }

describe('a bucket', () => {
  test('grants its burst immediately and then refuses', () => {
    const bucket = fullBucket(settings, 0)
    const taken = Array.from({ length: 25 }, () => take(bucket, 0))
    expect(taken.filter(Boolean)).toHaveLength(20)
    expect(remainingOf(bucket)).toBe(0)
    expect(resetSecondsOf(bucket)).toBe(2)
    expect(retryAfterSecondsOf(bucket)).toBe(1)
  })

  test('fills at its rate and never beyond its burst', () => {
    const bucket = fullBucket(settings, 0)
    for (let call = 0; call < 20; call += 1) take(bucket, 0)
    expect(take(bucket, 99)).toBe(false)
    expect(take(bucket, 100)).toBe(true)
    expect(take(bucket, 3_600_000)).toBe(true)
    expect(remainingOf(bucket)).toBe(19)
  })

  test('returns the time until the next token', () => {
    const bucket = fullBucket({ ratePerSecond: 0.1, burst: 1 }, 0)
    take(bucket, 0)
    expect(take(bucket, 4_000)).toBe(false)
    expect(retryAfterSecondsOf(bucket)).toBe(6)
  })

  test('grants at most burst + rate × time over any sequence of calls, even if the clock is set back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 50 }), { maxLength: 300 }), (steps) => {
        const bucket = fullBucket(settings, 0)
        let nowMs = 0
        let latestMs = 0
        let taken = 0
        for (const stepMs of steps) {
          nowMs += stepMs
          latestMs = Math.max(latestMs, nowMs)
          if (take(bucket, nowMs)) taken += 1
        }
        return taken <= settings.burst + (latestMs * settings.ratePerSecond) / 1_000
      }),
    )
  })
})

test('keeps a caller’s bucket until newer callers fill the table', () => {
  const buckets = createBuckets(settings, 2)
  const first = buckets.of('a', 0)
  take(first, 0)
  expect(buckets.of('a', 0)).toBe(first)
  buckets.of('b', 0)
  buckets.of('c', 0)
  expect(remainingOf(buckets.of('a', 0))).toBe(20)
})
