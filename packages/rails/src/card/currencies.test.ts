import { describe, expect, test } from '@jest/globals'
import { formatMinorUnits, minorUnitDecimals } from './currencies.ts'

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
  ])('%s has %d decimals by ISO 4217', (currency, decimals) => {
    expect(minorUnitDecimals(currency)).toBe(decimals)
  })

  test.each(['eur', 'XXX', 'XAU', 'BTC', 'DEM', '', 'EURO', 'constructor'])(
    '%j is no currency in circulation',
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
  ])('%d in %s is %s', (amount, currency, spelt) => {
    expect(formatMinorUnits(amount, currency)).toBe(spelt)
  })
})
