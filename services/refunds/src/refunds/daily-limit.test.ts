import { expect, test } from '@jest/globals'
import { refuseOverLimit, utcDayOf } from './daily-limit.ts'

const reached = (limit: number, remaining: number) => ({
  ok: false,
  code: 'limit_reached',
  details: [
    { resource: 'refunds', limit, remaining, currency: 'EUR', resets_at: '2027-01-01T00:00:00.000Z' },
  ],
})

test.each([
  [100, 100, null, null],
  [100, 40, 100, null],
  [101, 40, 100, reached(100, 39)],
  [1, 1, 0, reached(0, 0)],
  // The limit was lowered under what is counted.
  [101, 1, 50, reached(50, 0)],
])(
  'decides whether a refund fits: %p counted, %p of them now, limit %p',
  (countedCents, amountCents, limit, refusal) => {
    const counted = { countedCents, amountCents, currency: 'EUR', day: '2026-12-31' }
    expect(refuseOverLimit(counted, limit)).toEqual(refusal)
  },
)

test('uses days in UTC', () => {
  expect(utcDayOf(new Date('2026-03-01T00:30:00+02:00'))).toBe('2026-02-28')
})
