import { expect, test } from '@jest/globals'
import {
  ASSETS,
  minorUnitDecimals,
  NETWORK_ASSETS,
  NETWORKS,
  type Asset,
  type Network,
} from '@causeway/contracts'
import { ASSET_DECIMALS, quote, toUnits } from '@causeway/rails/networks'
import fc from 'fast-check'
import { addFee, roundHalfUp } from '../price-plans/asset-fee.ts'
import { spellFiat } from './fiat-amount.ts'
import { feeOfCredited } from './service-fee.ts'
import { settledOfCredited, type Valued } from './settled-value.ts'

const order = (change: Partial<Valued> = {}): Valued => ({
  ...{ asset: 'BTC', amount: '0.0005', serviceFee: '0', serviceFeePayer: 'merchant' },
  ...{ settlement: 'order_currency', currency: 'EUR', fiatAmount: '30.00' },
  ...change,
})

test.each([
  ['the price of an order without a fee', order(), 50_000n, 50_000n, 3_000n],
  ['half of it', order(), 25_000n, 25_000n, 1_500n],
  ['what exceeds it, at the same rate', order(), 100_000n, 100_000n, 6_000n],
  [
    'the price less the fee that the merchant pays',
    order({ serviceFee: '0.000005' }),
    50_000n,
    49_500n,
    2_970n,
  ],
  [
    'exactly the price where the customer pays the fee',
    order({ amount: '0.000505', serviceFee: '0.000005', serviceFeePayer: 'customer' }),
    50_500n,
    50_000n,
    3_000n,
  ],
  ['nothing of a fee of the whole price', order({ serviceFee: '0.0005' }), 50_000n, 0n, 0n],
  ['half a cent, rounded up', order({ amount: '0.00006', fiatAmount: '0.60' }), 50n, 50n, 1n],
  ['dust, which has no value', order({ amount: '0.00006', fiatAmount: '0.60' }), 49n, 49n, 0n],
  [
    'a price in a currency without decimals',
    order({ currency: 'JPY', fiatAmount: '6000' }),
    50_000n,
    50_000n,
    6_000n,
  ],
  [
    'a price that its currency cannot express',
    order({ currency: 'JPY', fiatAmount: '1000.50' }),
    50_000n,
    50_000n,
    1_001n,
  ],
  [
    'a price in a currency of three decimals',
    order({ currency: 'KWD', fiatAmount: '10.25' }),
    50_000n,
    50_000n,
    10_250n,
  ],
])('values %s', (_name, valued, credited, units, cents) => {
  expect(settledOfCredited(valued, 'BTC', credited)).toEqual({ units, cents })
})

test('converts nothing of an order that keeps its asset, and no other asset', () => {
  const nothing = { units: 0n, cents: 0n }
  expect(settledOfCredited(order({ settlement: 'asset' }), 'BTC', 50_000n)).toEqual(nothing)
  expect(settledOfCredited(order({ asset: 'USDC' }), 'USDT', 50_000n)).toEqual(nothing)
})

const NETWORK_OF = Object.fromEntries(
  NETWORKS.flatMap((network) => NETWORK_ASSETS[network].map((asset) => [asset, network])),
) as Readonly<Record<Asset, Network>>

/** Any order as it is created: assets of 6 to 18 decimals, currencies of 0, 2 and 3. */
const someOrder = fc
  .record({
    asset: fc.constantFrom(...ASSETS),
    currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
    hundredths: fc.integer({ min: 1, max: 10_000_000 }),
    price: fc.integer({ min: 1, max: 100_000_000 }),
    percent: fc.integer({ min: 0, max: 10_000 }),
    payer: fc.constantFrom('customer' as const, 'merchant' as const),
  })
  .map(({ asset, currency, hundredths, price, percent, payer }) => {
    const fiat = { currency, fiatAmount: (hundredths / 100).toFixed(2) }
    const pair = { network: NETWORK_OF[asset], asset, price: (price / 1_000).toFixed(3), ...fiat }
    const rule = { percent: percent / 100, fixedCents: 0, payer }
    const { amount, serviceFee } = addFee(quote(pair), pair, rule)
    const valued: Valued = {
      ...{ asset, amount, serviceFee, serviceFeePayer: payer, settlement: 'order_currency' },
      ...{ currency, fiatAmount: spellFiat(fiat.fiatAmount, currency) },
    }
    const priceUnits = toUnits(quote(pair).amount, ASSET_DECIMALS[asset])
    return { valued, hundredths: BigInt(hundredths), priceUnits, due: toUnits(amount, ASSET_DECIMALS[asset]) }
  })

test('is worth the whole price in fiat, less the part of it that the fee is of the price in the asset', () => {
  fc.assert(
    fc.property(someOrder, ({ valued, hundredths, priceUnits, due }) => {
      const minor = 10n ** BigInt(minorUnitDecimals(valued.currency) ?? 0)
      const fee = valued.serviceFeePayer === 'customer' ? 0n : feeOfCredited(valued, due)
      const { units, cents } = settledOfCredited(valued, valued.asset, due)
      expect(units).toBe(priceUnits - fee)
      expect(cents).toBe(roundHalfUp(hundredths * minor * (priceUnits - fee), 100n * priceUnits))
    }),
    { numRuns: 2_000 },
  )
})

test('never falls while more is credited, so that no part of it is negative', () => {
  fc.assert(
    fc.property(
      someOrder,
      fc.bigInt(0n, 10n ** 24n),
      fc.bigInt(0n, 10n ** 20n),
      ({ valued }, credited, more) => {
        const before = settledOfCredited(valued, valued.asset, credited)
        const after = settledOfCredited(valued, valued.asset, credited + more)
        expect(after.units >= before.units && after.cents >= before.cents && before.cents >= 0n).toBe(true)
        expect(settledOfCredited(valued, valued.asset, 0n)).toEqual({ units: 0n, cents: 0n })
      },
    ),
    { numRuns: 2_000 },
  )
})
