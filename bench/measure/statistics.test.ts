import { expect, test } from '@jest/globals'
import { quantile, spreadOf } from './statistics.ts'

test('computes a quantile as the least value that this share of the values does not exceed', () => {
  const sorted = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(quantile(sorted, 0.5)).toBe(50)
  expect(quantile(sorted, 0.99)).toBe(99)
  expect(quantile(sorted, 1)).toBe(100)
  expect(quantile([7], 0.99)).toBe(7)
})

test('computes a spread as the middle value with the least and the greatest, in any order', () => {
  expect(spreadOf([5, 1, 9])).toEqual({ median: 5, low: 1, high: 9 })
  expect(spreadOf([4, 1, 2, 9])).toEqual({ median: 3, low: 1, high: 9 })
})
