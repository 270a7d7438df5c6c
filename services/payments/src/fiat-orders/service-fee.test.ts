import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { maxRefundableCents, splitPrice } from './service-fee.ts'

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
    expect(splitPrice(price, percent, payer)).toEqual(amounts)
  })

  it("is a multiple of the processor's step, so that the whole order can be refunded", () => {
    expect(splitPrice(12_340, 2.5, 'customer', 10)).toEqual({
      totalCents: 12_650,
      amountCents: 12_340,
      serviceFeeCents: 310,
    })
    expect(splitPrice(12_340, 2.5, 'merchant', 10)).toMatchObject({
      amountCents: 12_030,
      serviceFeeCents: 310,
    })
    expect(splitPrice(200, 2.5, 'merchant', 10)).toMatchObject({ serviceFeeCents: 10 })
    expect(splitPrice(190, 2.5, 'merchant', 10)).toMatchObject({ serviceFeeCents: 0 })
  })

  it('is exactly the difference between what the buyer pays and what the merchant receives', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.constantFrom('customer' as const, 'merchant' as const),
        (price, hundredths, payer) => {
          const split = splitPrice(price, hundredths / 100, payer)
          expect(split.totalCents - split.amountCents).toBe(split.serviceFeeCents)
          expect(maxRefundableCents(split, payer)).toBe(
            payer === 'customer' ? split.totalCents : split.amountCents,
          )
        },
      ),
    )
  })
})
