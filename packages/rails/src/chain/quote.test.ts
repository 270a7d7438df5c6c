import { describe, expect, test } from '@jest/globals'
import { ASSETS } from '@causeway/contracts'
import fc from 'fast-check'
import { ASSET_DECIMALS } from './networks.ts'
import { fiatWorth, quote, quoteDecimals } from './quote.ts'
import { fromUnits, toUnits } from './units.ts'

const decimal = (maxDigits: number, maxScale: number) =>
  fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** BigInt(maxDigits) }), fc.integer({ min: 0, max: maxScale }))
    .map(([value, scale]) => fromUnits(value, scale))
const SCALE = 40

describe('quote', () => {
  test('returns the smallest amount that is worth the fiat amount', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ASSETS), decimal(14, 2), decimal(16, 12), (asset, fiatAmount, price) => {
        const { amount } = quote({ network: 'ETH', asset, fiatAmount, price })
        const steps = toUnits(amount, quoteDecimals(asset))
        const worth = (n: bigint) => n * toUnits(price, SCALE)
        const wanted = toUnits(fiatAmount, SCALE + quoteDecimals(asset))
        expect(worth(steps) >= wanted).toBe(true)
        expect(worth(steps - 1n) < wanted).toBe(true)
      }),
    )
  })

  test('returns no amount finer than its chain can represent', () => {
    for (const asset of ASSETS) expect(quoteDecimals(asset)).toBeLessThanOrEqual(ASSET_DECIMALS[asset])
  })

  test('adds the network fee to the amount to get the total that leaves the wallet', () => {
    expect(quote({ network: 'BTC', asset: 'BTC', fiatAmount: '25.00', price: '60000' })).toEqual({
      amount: '0.00041667',
      networkFee: '0.00002',
      totalToSend: '0.00043667',
    })
  })

  test('states no network fee for a token, because its network charges ETH', () => {
    expect(quote({ network: 'ETH', asset: 'USDT', fiatAmount: '92', price: '0.92' })).toEqual({
      amount: '100',
      networkFee: null,
      totalToSend: '100',
    })
  })

  test.each([
    ['0', '1'],
    ['1', '0'],
    ['1', '-1'],
    ['1', '1e3'],
  ])('refuses the fiat amount %s at the price %s', (fiatAmount, price) => {
    expect(() => quote({ network: 'BTC', asset: 'BTC', fiatAmount, price })).toThrow(RangeError)
  })
})

test.each([
  ['0.00000294', '60000', 2, '0.18'],
  ['0.0000294', '75', 2, '0.01'],
  ['1', '0.92', 2, '0.92'],
  ['0.00000294', '0.0000001', 2, '0.01'],
  ['2', '100.5', 0, '201'],
])('prices %s of an asset at %s with %s decimals, rounded up: %s', (amount, price, decimals, worth) => {
  expect(fiatWorth(amount, price, decimals)).toBe(worth)
})
