import { expect, test } from '@jest/globals'
import { createSeenNonces } from './seen-nonces.ts'

test('accepts a nonce once until its deadline and forgets it afterwards', () => {
  const seen = createSeenNonces(2)
  expect(seen.add('a', 5_000, 1_000)).toBe('new')
  expect(seen.add('a', 5_000, 4_000)).toBe('seen')
  expect(seen.add('b', 9_000, 4_000)).toBe('new')
  expect(seen.add('c', 9_000, 4_000)).toBe('full')
  expect(seen.add('c', 9_000, 6_000)).toBe('new')
})
