import { expect, test } from '@jest/globals'
import { ASSETS, NETWORK_ASSETS, NETWORKS, type Asset, type Network } from '@causeway/contracts'
import { ASSET_DECIMALS, quote, toUnits } from '@causeway/rails/networks'
import fc from 'fast-check'
import type { FeeRule } from '../price-plans/rules.ts'
import { addFee, priceOf } from '../price-plans/asset-fee.ts'
import { feeOfCredited, fiatDueOf } from './service-fee.ts'

const NETWORK_OF = Object.fromEntries(
  NETWORKS.flatMap((network) => NETWORK_ASSETS[network].map((asset) => [asset, network])),
) as Readonly<Record<Asset, Network>>

const merchant = (percent: number, fixedCents = 0): FeeRule => ({ percent, fixedCents, payer: 'merchant' })
const customer = (percent: number, fixedCents = 0): FeeRule => ({ percent, fixedCents, payer: 'customer' })
type Priced = Parameters<typeof quote>[0] & Readonly<{ currency: string }>
const quoteWithFee = (order: Priced, rule: FeeRule) => addFee(quote(order), order, rule)

const btc = { network: 'BTC', asset: 'BTC', currency: 'EUR', fiatAmount: '30.00', price: '60000' } as const

test.each([
  ['percent of the price', merchant(1), '0.0005', '0.000005'],
  ['a fixed amount at the rate', merchant(0, 60), '0.0005', '0.00001'],
  ['both together, rounded once', merchant(0.25, 1), '0.0005', '0.00000142'],
  ['on top of the price where the customer pays', customer(1), '0.000505', '0.000005'],
] as const)('quotes a fee as %s', (_name, rule, amount, serviceFee) => {
  expect(quoteWithFee(btc, rule)).toMatchObject({ amount, serviceFee, isTooBig: false })
})

test('counts the fixed amount in the minor unit of the currency, which has 0, 2 or 3 decimals', () => {
  const feeIn = (currency: string, fixedCents: number) =>
    quoteWithFee({ ...btc, currency, fiatAmount: '6000', price: '60000' }, merchant(0, fixedCents)).serviceFee
  expect([feeIn('JPY', 600), feeIn('EUR', 600), feeIn('KWD', 600)]).toEqual(['0.01', '0.0001', '0.00001'])
})

test('adds a fee of the customer to the total that leaves the wallet', () => {
  expect(quoteWithFee(btc, customer(1)).totalToSend).toBe('0.000525')
})

test('takes a fee of exactly the price, and names one above it too big', () => {
  expect(quoteWithFee(btc, merchant(100))).toMatchObject({ serviceFee: '0.0005', isTooBig: false })
  expect(quoteWithFee(btc, merchant(100, 1)).isTooBig).toBe(true)
})

test('names the price in fiat with the fee of the customer, rounded up', () => {
  const order = { ...btc, ...quoteWithFee(btc, customer(1.5)), serviceFeePayer: 'customer' as const }
  expect([priceOf(order), fiatDueOf(order)]).toEqual(['0.0005', '30.45'])
  expect(fiatDueOf({ ...order, serviceFeePayer: 'merchant' })).toBe('30.00')
})

const someQuote = fc.record({
  asset: fc.constantFrom(...ASSETS),
  cents: fc.integer({ min: 1, max: 10_000_000 }),
  price: fc.integer({ min: 1, max: 100_000_000 }),
  hundredths: fc.integer({ min: 0, max: 10_000 }),
  fixedCents: fc.oneof(fc.constant(0), fc.nat(10_000)),
  payer: fc.constantFrom('customer' as const, 'merchant' as const),
})

test('leaves the merchant exactly the price where the customer pays, and the price less the fee where it pays', () => {
  fc.assert(
    fc.property(someQuote, ({ asset, cents, price, hundredths, fixedCents, payer }) => {
      const input = {
        ...{ network: NETWORK_OF[asset], asset, currency: 'EUR' },
        ...{ fiatAmount: (cents / 100).toFixed(2), price: (price / 1_000).toFixed(3) },
      }
      const rule = { percent: hundredths / 100, fixedCents, payer }
      const { amount, serviceFee, isTooBig } = quoteWithFee(input, rule)
      fc.pre(!isTooBig)
      const units = (decimal: string) => toUnits(decimal, ASSET_DECIMALS[asset])
      const priced = units(quote(input).amount)
      const fee = feeOfCredited({ asset, amount, serviceFee }, units(amount))
      expect(fee).toBe(units(serviceFee))
      expect(units(amount) - fee).toBe(payer === 'customer' ? priced : priced - fee)
    }),
    { numRuns: 2_000 },
  )
})

test('never takes more than what is credited, in assets of 6, 8, 9 and 18 decimals', () => {
  const some = fc.record({
    asset: fc.constantFrom(...ASSETS),
    due: fc.bigInt(1n, 10n ** 24n),
    part: fc.nat(),
  })
  fc.assert(
    fc.property(some, fc.bigInt(0n, 10n ** 24n), ({ asset, due, part }, credited) => {
      const decimal = (units: bigint) => {
        const digits = units.toString().padStart(ASSET_DECIMALS[asset] + 1, '0')
        return `${digits.slice(0, -ASSET_DECIMALS[asset])}.${digits.slice(-ASSET_DECIMALS[asset])}`
      }
      const order = {
        asset,
        amount: decimal(due),
        serviceFee: decimal((due * BigInt(part)) / 2_147_483_647n),
      }
      const [fee, more] = [feeOfCredited(order, credited), feeOfCredited(order, credited + 1n)]
      expect(fee >= 0n && fee <= credited && more >= fee && more - fee <= 1n).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
