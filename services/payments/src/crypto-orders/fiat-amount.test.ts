import { expect, test } from '@jest/globals'
import { spellFiat } from './fiat-amount.ts'

test.each([
  ['25', 'EUR', '25.00'],
  ['25.5', 'EUR', '25.50'],
  ['25.50', 'USD', '25.50'],
  ['0025.01', 'EUR', '25.01'],
  ['0.1', 'EUR', '0.10'],
  ['1000', 'JPY', '1000'],
  ['1000.00', 'JPY', '1000'],
  ['1000.5', 'JPY', '1000.5'],
  ['7', 'KWD', '7.00'],
  ['1000', 'HUF', '1000.00'],
  ['1000', 'IDR', '1000.00'],
])('formats %s %s as %s', (amount, currency, spelled) => {
  expect(spellFiat(amount, currency)).toBe(spelled)
})
