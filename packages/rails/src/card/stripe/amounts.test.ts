import { describe, expect, test } from '@jest/globals'
import { CURRENCIES } from '@causeway/contracts'
import { fromStripeAmount, stripeStep, toStripeAmount } from './amounts.ts'

describe("Stripe's amounts", () => {
  test.each([
    ['EUR', 1_999, 1_999],
    ['JPY', 1_250, 1_250],
    ['KWD', 12_340, 12_340],
    ['ISK', 990, 99_000],
    ['UGX', 5_000, 500_000],
    ['MGA', 40_000, 400],
  ])('convert %s %d minor units to %d and back', (currency, cents, amount) => {
    expect(toStripeAmount(cents, currency)).toBe(amount)
    expect(fromStripeAmount(amount, currency.toLowerCase())).toBe(cents)
  })

  test.each([
    ['KWD', 12_345],
    ['MGA', 40_001],
    ['QQQ', 100],
  ])('refuse %s %d, which does not exist at Stripe', (currency, cents) => {
    expect(() => toStripeAmount(cents, currency)).toThrow(
      expect.objectContaining({ failure: 'refused', retryable: false }),
    )
  })

  test('exist for the multiples of each currency’s step, and for no amount between them', () => {
    for (const currency of CURRENCIES) {
      const step = stripeStep(currency)
      expect(Number.isInteger(toStripeAmount(7 * step, currency))).toBe(true)
      if (step > 1)
        expect(() => toStripeAmount(7 * step + 1, currency)).toThrow('Stripe cannot represent this amount')
    }
    expect(['EUR', 'JPY', 'KWD', 'TND', 'ISK', 'MGA'].map(stripeStep)).toEqual([1, 1, 10, 10, 1, 100])
  })

  test('refuse a fraction of a minor unit', () => {
    expect(() => fromStripeAmount(99_050, 'isk')).toThrow(expect.objectContaining({ failure: 'malformed' }))
  })
})
