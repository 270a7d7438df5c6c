import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { maxRefundableCents, splitPrice } from './service-fee.ts'

const STANDARD = { percent: 2.5, fixedCents: 0 }

describe('the service fee', () => {
  it.each([
    [10_000, 2.5, 'merchant', { totalCents: 10_000, amountCents: 9_750, serviceFeeCents: 250 }],
    [10_000, 2.5, 'customer', { totalCents: 10_250, amountCents: 10_000, serviceFeeCents: 250 }],
    // 0.5 of a cent rounds up, less does not
    [20, 2.5, 'merchant', { totalCents: 20, amountCents: 19, serviceFeeCents: 1 }],
    [19, 2.5, 'merchant', { totalCents: 19, amountCents: 19, serviceFeeCents: 0 }],
    [1, 0, 'customer', { totalCents: 1, amountCents: 1, serviceFeeCents: 0 }],
    [
      99_999_999_999,
      2.5,
      'customer',
      { totalCents: 102_499_999_999, amountCents: 99_999_999_999, serviceFeeCents: 2_500_000_000 },
    ],
  ] as const)('is computed for %d at %d %% borne by the %s', (price, percent, payer, amounts) => {
    expect(splitPrice(price, { percent, fixedCents: 0 }, payer)).toEqual(amounts)
  })

  it("is a multiple of the processor's step, so that the whole order can be refunded", () => {
    expect(splitPrice(12_340, STANDARD, 'customer', 10)).toEqual({
      totalCents: 12_650,
      amountCents: 12_340,
      serviceFeeCents: 310,
    })
    expect(splitPrice(12_340, STANDARD, 'merchant', 10)).toMatchObject({
      amountCents: 12_030,
      serviceFeeCents: 310,
    })
    expect(splitPrice(200, STANDARD, 'merchant', 10)).toMatchObject({ serviceFeeCents: 10 })
    expect(splitPrice(190, STANDARD, 'merchant', 10)).toMatchObject({ serviceFeeCents: 0 })
  })

  it('is a share of the price and a fixed amount, rounded once', () => {
    const fee = { percent: 1.4, fixedCents: 25 }
    expect(splitPrice(1_999, fee, 'merchant')).toMatchObject({ amountCents: 1_946, serviceFeeCents: 53 })
    expect(splitPrice(1_999, fee, 'customer')).toMatchObject({ totalCents: 2_052, serviceFeeCents: 53 })
    // 27.99 + 5 = 32.99 is nearer to 30 than to 40
    expect(splitPrice(1_990, { ...fee, fixedCents: 5 }, 'merchant', 10)).toMatchObject({
      serviceFeeCents: 30,
    })
  })

  it('is exactly the difference between what the buyer pays and what the merchant receives', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.constantFrom('customer' as const, 'merchant' as const),
        (price, hundredths, fixedCents, payer) => {
          const split = splitPrice(price, { percent: hundredths / 100, fixedCents }, payer)
          expect(split.totalCents - split.amountCents).toBe(split.serviceFeeCents)
          expect(maxRefundableCents(split, payer)).toBe(
            payer === 'customer' ? split.totalCents : split.amountCents,
          )
        },
      ),
    )
  })
})
