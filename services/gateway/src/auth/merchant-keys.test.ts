import { expect, test } from '@jest/globals'
import { createClock, NotDoneError } from '@causeway/chassis'
import { createBuckets } from '../rate-limits/token-bucket.ts'
import { createMerchantAuthentication } from './merchant-keys.ts'

const KEY = `mk_${'k'.repeat(43)}`
const FOUND = { key_mac: 'mac', key_id: 'key_1', merchant_id: 'cus_1' }
const PAST_CACHE_MS = 31_000

const authenticationWith = () => {
  const clock = createClock()
  const access = { answer: (): typeof FOUND | 'unknown' | 'revoked' => FOUND }
  const merchants = createMerchantAuthentication({
    access: { findMerchantKey: async () => access.answer() },
    clock,
    buckets: createBuckets({ ratePerSecond: 1, burst: 1 }, 10),
  })
  return { clock, access, merchants }
}
const unavailable = () => {
  throw new NotDoneError('access is unavailable')
}

test('keeps a known key valid while access is unavailable, and refuses it once access names it as revoked', async () => {
  const { clock, access, merchants } = authenticationWith()
  const known = await merchants.authenticate(KEY)
  access.answer = unavailable
  clock.advance(PAST_CACHE_MS)
  expect(await merchants.authenticate(KEY)).toBe(known)
  merchants.invalidate(['mac'])
  await expect(merchants.authenticate(KEY)).rejects.toThrow('access is unavailable')
  access.answer = () => 'revoked'
  expect(await merchants.authenticate(KEY)).toBe('revoked')
})

test('refuses a key that access no longer finds, also in a later outage', async () => {
  const { clock, access, merchants } = authenticationWith()
  await merchants.authenticate(KEY)
  access.answer = () => 'unknown'
  clock.advance(PAST_CACHE_MS)
  expect(await merchants.authenticate(KEY)).toBe('unknown')
  access.answer = unavailable
  await expect(merchants.authenticate(KEY)).rejects.toThrow('access is unavailable')
})
