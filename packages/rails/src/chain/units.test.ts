import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromUnits, toUnits } from './units.ts'

describe('amounts in smallest units', () => {
  test('returns every amount unchanged after converting it in both directions', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.integer({ min: 0, max: 18 }),
        (units, decimals) => {
          expect(toUnits(fromUnits(units, decimals), decimals)).toBe(units)
        },
      ),
    )
  })

  test.each([
    ['0', 8, 0n],
    ['1', 18, 10n ** 18n],
    ['0.00000001', 8, 1n],
    ['0.000000010000', 8, 1n],
    ['123456789012345678901234567890.5', 1, 1234567890123456789012345678905n],
  ])('converts %s at %i decimals', (amount, decimals, units) => {
    expect(toUnits(amount, decimals)).toBe(units)
  })

  test.each(['0.000000001', '-1', '1e3', '', '.5', '5.', '1,5', ' 1', '0x10'])('refuses %j', (amount) => {
    expect(() => toUnits(amount, 8)).toThrow(RangeError)
  })

  test('writes the shortest form, never an exponent', () => {
    expect(fromUnits(100n, 18)).toBe('0.0000000000000001')
    expect(fromUnits(15n * 10n ** 20n, 18)).toBe('1500')
    expect(fromUnits(0n, 8)).toBe('0')
  })
})
