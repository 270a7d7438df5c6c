import { expect, test } from '@jest/globals'
import { minorUnitsAdvice, readMinorUnits } from './money-input.ts'

test.each([
  ['1250.00', 'EUR', 125_000],
  [' 1250 ', 'EUR', 125_000],
  ['12.5', 'EUR', 1_250],
  ['-0.05', 'EUR', -5],
  ['1250', 'JPY', 1_250],
  ['1.234', 'JOD', 1_234],
  ['9999999999999.99', 'EUR', 999_999_999_999_999],
])('reads %s %s as %d minor units', (entered, currency, expected) => {
  expect(readMinorUnits(entered, currency)).toBe(expected)
})

test.each([
  ['12.345', 'EUR'],
  ['1.0', 'JPY'],
  ['1,250.00', 'EUR'],
  ['1.250,00', 'EUR'],
  ['1e3', 'EUR'],
  ['.5', 'EUR'],
  ['', 'EUR'],
  ['99999999999999.99', 'EUR'],
  ['1', 'XXX'],
])('refuses %s %s instead of guessing', (entered, currency) => {
  expect(readMinorUnits(entered, currency)).toBeNull()
})

test('names the decimals of the currency in its advice', () => {
  expect(minorUnitsAdvice('EUR')).toBe('Enter a number with at most 2 decimals, for example 1250.00.')
  expect(minorUnitsAdvice('JPY')).toBe('Enter a whole number: JPY has no decimals.')
  expect(minorUnitsAdvice('?')).toBe('Enter the currency first, for example EUR.')
})
