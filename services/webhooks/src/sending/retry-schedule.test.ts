import { describe, expect, test } from '@jest/globals'
import { nextStep, parseRetryAfterMs } from './retry-schedule.ts'
import { outcomeOfStatus } from './attempt.ts'

const MINUTE = 60_000
const policy = { retryDelaysMs: [1, 5, 25, 120, 600, 1440].map((n) => n * MINUTE), timeoutMs: 10_000 }
const at = (retriesUsed: number, retryAfterMs: number | null = null) => ({
  retriesUsed,
  retryAfterMs,
  nowMs: 0,
})

describe('the outcome of a status code', () => {
  test.each([200, 201, 204, 299])('ends the delivery at %d', (status) =>
    expect(outcomeOfStatus(status)).toBe('delivered'),
  )
  test.each([400, 401, 403, 404, 405, 410, 415, 422, 418, 451, 499])('is final at %d', (status) =>
    expect(outcomeOfStatus(status)).toBe('dead'),
  )
  test.each([408, 409, 425, 429, 500, 502, 503, 599, 301, 302, 307, 308, 101, 600, 999, null])(
    'is a retry at %p',
    (status) => expect(outcomeOfStatus(status)).toBe('retry'),
  )
})

describe('the retry schedule', () => {
  test('waits 1m, 5m, 25m, 2h, 10h, 24h and then gives up', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((used) => nextStep('retry', at(used), policy))).toEqual([
      { state: 'waiting', dueMs: 1 * MINUTE },
      { state: 'waiting', dueMs: 5 * MINUTE },
      { state: 'waiting', dueMs: 25 * MINUTE },
      { state: 'waiting', dueMs: 120 * MINUTE },
      { state: 'waiting', dueMs: 600 * MINUTE },
      { state: 'waiting', dueMs: 1440 * MINUTE },
      { state: 'dead' },
    ])
  })
  test.each([
    ['shorter than the step changes nothing', 10_000, 1 * MINUTE],
    ['lengthens the wait', 90_000, 90_000],
    ['lengthens it to twice the step at most', 3_600_000, 2 * MINUTE],
  ])('applies a Retry-After %s', (_title, retryAfterMs, dueMs) => {
    expect(nextStep('retry', at(0, retryAfterMs), policy)).toEqual({ state: 'waiting', dueMs })
  })
  test('ends the delivery at a final response before the schedule ends', () => {
    expect(nextStep('dead', at(0), policy)).toEqual({ state: 'dead' })
    expect(nextStep('delivered', at(6), policy)).toEqual({ state: 'delivered' })
  })
})

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  test.each([
    ['120', 120_000],
    ['0', 0],
    [' 5 ', 5_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', null],
    ['soon', null],
    ['-5', null],
    ['1e9', null],
    [undefined, null],
  ])('turns %p into %p ms', (header, waitMs) => {
    expect(parseRetryAfterMs(header, nowMs)).toBe(waitMs)
  })
})
