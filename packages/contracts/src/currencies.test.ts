import { createRequire } from 'node:module'
import { describe, expect, test } from '@jest/globals'
import { CURRENCIES, formatMinorUnits, minorUnitDecimals } from './currencies.ts'
import { fiatOrders } from './payments/fiat-orders.ts'
import { onrampOrders } from './onramp/orders.ts'
import { cryptoOrders } from './payments/crypto-orders.ts'
import { payouts } from './ledger/payouts.ts'

type Tender = Readonly<{ _from?: string; _to?: string; _tender?: 'false' }>
type Supplemental = Readonly<{
  supplemental: { currencyData: { region: Record<string, readonly Record<string, Tender>[]> } }
}>
const file = 'cldr-core/supplemental/currencyData.json'
const { supplemental } = createRequire(import.meta.url)(file) as Supplemental

/** The day as of which the list was compared; later changes need an update here. */
const AS_OF = '2026-11-01'
/** On list one of the standard, though no country's legal tender any more (SVC), or one of two (VED). */
const BEYOND_CLDR = ['SVC', 'VED']

test('lists the currencies that are legal tender according to Unicode CLDR, and two exceptions', () => {
  const tenders = Object.values(supplemental.currencyData.region)
    .flat()
    .flatMap(Object.entries<Tender>)
  const current = tenders
    .filter(
      ([, { _from = '', _to = '9999', _tender }]) => _tender !== 'false' && _from <= AS_OF && AS_OF < _to,
    )
    .map(([code]) => code)
  expect([...CURRENCIES].sort()).toEqual([...new Set([...current, ...BEYOND_CLDR])].sort())
})

describe('every operation that takes a currency', () => {
  /** Withdrawn, funds, metals, testing, none, and no currency at all. */
  const REFUSED = ['BGN', 'HRK', 'DEM', 'CLF', 'CHE', 'USN', 'XDR', 'XAU', 'XTS', 'XXX', 'BTC', 'eur', 'EUR ']
  test.each([
    [
      'currency',
      cryptoOrders.create.body,
      { network: 'BTC', asset: 'BTC', reference: 'a', amount: 1, email: 'a@b.co' },
    ],
    ['currency', fiatOrders.create.body, { integration_id: 'int', amount_cents: 1 }],
    [
      'currency',
      payouts.announce.body,
      { customer_id: `cus_${'0'.repeat(26)}`, amount_cents: 1, scheduled_for: '2026-01-01T00:00:00Z' },
    ],
    ['currency', payouts.announceToPartner.body, { amount_cents: 1, scheduled_for: '2026-01-01T00:00:00Z' }],
    ['fiat', onrampOrders.create.body, {}],
  ])('accepts in %s a currency in circulation, and no other', (field, shape, body) => {
    const takes = (code: string) => shape.safeParse({ ...body, [field]: code }).success
    expect(['EUR', 'JPY', 'KWD', 'XOF'].filter((code) => !takes(code))).toEqual([])
    expect(REFUSED.filter(takes)).toEqual([])
  })
})

describe('minor units', () => {
  test.each([
    ['JPY', 0],
    ['ISK', 0],
    ['UGX', 0],
    ['EUR', 2],
    ['MGA', 2],
    ['MRU', 2],
    ['HUF', 2],
    ['KWD', 3],
    ['IQD', 3],
    ['TND', 3],
  ])('returns for %s %d decimals, as ISO 4217 does', (currency, decimals) => {
    expect(minorUnitDecimals(currency)).toBe(decimals)
  })

  test.each(['eur', 'XXX', 'XAU', 'BTC', 'DEM', '', 'EURO', 'constructor'])(
    'returns null for %j, which is no currency in circulation',
    (code) => {
      expect(minorUnitDecimals(code)).toBeNull()
    },
  )

  test.each([
    [1_234, 'JPY', '1234'],
    [1_234, 'EUR', '12.34'],
    [5, 'EUR', '0.05'],
    [0, 'EUR', '0.00'],
    [-5, 'EUR', '-0.05'],
    [1_234, 'KWD', '1.234'],
    [99_999_999_999, 'USD', '999999999.99'],
  ])('formats %d in %s as %s', (amount, currency, spelt) => {
    expect(formatMinorUnits(amount, currency)).toBe(spelt)
  })
})
