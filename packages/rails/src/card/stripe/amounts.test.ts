import { describe, expect, test } from '@jest/globals'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'

describe("Stripe's amounts", () => {
  test.each([
    ['EUR', 1_999, 1_999],
    ['JPY', 1_250, 1_250],
    ['KWD', 12_340, 12_340],
    ['ISK', 990, 99_000],
    ['UGX', 5_000, 500_000],
    ['MGA', 40_000, 400],
  ])('%s %d minor units are %d there, and back', (currency, cents, amount) => {
    expect(toStripeAmount(cents, currency)).toBe(amount)
    expect(fromStripeAmount(amount, currency.toLowerCase())).toBe(cents)
  })

  test.each([
    ['KWD', 12_345],
    ['MGA', 40_001],
    ['QQQ', 100],
  ])('%s %d does not exist there: refused', (currency, cents) => {
    expect(() => toStripeAmount(cents, currency)).toThrow(
      expect.objectContaining({ failure: 'refused', retryable: false }),
    )
  })

  test('a fraction of a minor unit is not believed', () => {
    expect(() => fromStripeAmount(99_050, 'isk')).toThrow(expect.objectContaining({ failure: 'malformed' }))
  })
})
