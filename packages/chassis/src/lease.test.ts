import { expect, test } from '@jest/globals'
import { LEASE_MS, RENEW_EVERY_MS } from './lease.ts'

test('lets a killed holder be replaced within five seconds, and a live one miss a renewal', () => {
  expect(LEASE_MS + RENEW_EVERY_MS).toBeLessThan(5_000)
  expect(LEASE_MS).toBeGreaterThan(2 * RENEW_EVERY_MS)
})
