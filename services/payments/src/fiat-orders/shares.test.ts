import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { newId } from '@causeway/chassis'
import { maxRefundableCents, splitPrice } from './service-fee.ts'
import { sharesBetween, splitCents } from './shares.ts'

const receivers = Array.from({ length: 20 }, () => newId('relationship'))
const splitsOf = (amounts: readonly number[]) =>
  amounts.map((amount_cents, place) => ({ partner_customer_id: receivers[place] ?? '', amount_cents }))
const orderOf = (
  payer: 'customer' | 'merchant',
  partnerFeeCents: number,
  splits: readonly number[],
  price = 10_000,
) => ({
  ...splitPrice(price, { percent: 2.5, fixedCents: 0 }, payer),
  serviceFeePayer: payer,
  partnerFeeCents,
  splits: splitsOf(splits),
})
const amountsBetween = (order: ReturnType<typeof orderOf>, from: number, to: number) => {
  const { partnerFeeCents, splits } = sharesBetween(order, from, to)
  return [partnerFeeCents, ...splits.map(({ amount_cents: cents }) => cents)]
}

it.each([
  // A tenth of 9,750, which the merchant gets of 10,000
  ['merchant', 975, [97, 49]],
  // Of 10,250 that the customer paid 25 of the fee is returned with 1,025: the shares are those of 1,000 in 10,000
  ['customer', 1_025, [97, 50]],
] as const)(
  'gives back each share in proportion when the %s bears the service fee',
  (payer, refunded, shares) => {
    const order = orderOf(payer, payer === 'merchant' ? 970 : 973, [payer === 'merchant' ? 485 : 496])
    expect(amountsBetween(order, 0, refunded)).toEqual(shares)
  },
)

it('gives back every share when as much is refunded as may be, and no more beyond it', () => {
  const order = orderOf('merchant', 333, [1_000, 2_001])
  expect(amountsBetween(order, 0, 9_750)).toEqual([333, 1_000, 2_001])
  expect(amountsBetween(order, 9_750, 10_000)).toEqual([0])
})

it('takes the difference again when the second sum is smaller', () => {
  const order = orderOf('merchant', 333, [1_000, 2_001])
  expect(amountsBetween(order, 5_000, 1_234)).toEqual(amountsBetween(order, 1_234, 5_000))
})

it('gives back half of twenty shares of one cent when half of the order is refunded', () => {
  const order = {
    ...orderOf('merchant', 0, Array<number>(20).fill(1), 20),
    serviceFeeCents: 0,
    amountCents: 20,
  }
  expect(splitCents(sharesBetween(order, 0, 10))).toBe(10)
  expect(splitCents(sharesBetween(order, 10, 20))).toBe(10)
})

it('leaves to the merchant a part of every amount that is neither negative nor more than it earned', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('customer' as const, 'merchant' as const),
      fc.array(fc.nat(40), { maxLength: 12 }),
      fc.nat(400),
      fc.nat(1_000),
      fc.nat(1_000),
      (payer, amounts, rest, fromThousandths, addedThousandths) => {
        const shares = splitsOf(amounts.filter((amount) => amount > 0))
        const amountCents = splitCents({ splits: shares }) + rest + 1
        const order = {
          ...{ totalCents: amountCents + 3, amountCents, serviceFeeCents: 3, serviceFeePayer: payer },
          ...{ partnerFeeCents: 1, splits: shares },
        }
        const whole = maxRefundableCents(order, payer)
        const from = Math.floor((whole * fromThousandths) / 1_000)
        const to = Math.min(whole, from + Math.floor((whole * addedThousandths) / 1_000))
        const given = sharesBetween(order, from, to)
        const own = to - from - given.partnerFeeCents - splitCents(given)
        expect(own).toBeGreaterThanOrEqual(0)
        expect(own).toBeLessThanOrEqual(rest + order.serviceFeeCents)
      },
    ),
  )
})
