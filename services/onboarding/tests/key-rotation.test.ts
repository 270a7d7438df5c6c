import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLogger } from '@causeway/chassis'
import { rotateSealingKey } from '@causeway/chassis/database'
import { eventually } from '@causeway/chassis/testing'
import { SEALED_COLUMNS } from '../src/columns.ts'
import { kybCalls, type KybCalls } from './verifications/kyb-calls.ts'
import { startForTests, type RunningOnboarding } from './running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests({ keyRefreshMs: 20 })
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

it('leaves customers, cases and documents unchanged when the data key is rotated', async () => {
  const customer = await kyb.newPending()
  await kyb.reject(customer.verificationId)
  await kyb.write(customer, { business: { trading_name: 'Compared with the data before' } })
  const read = async () => [
    await onboarding.read(customer.partner, customer.id),
    await kyb.stored(customer),
    await kyb.getCase(customer.verificationId),
  ]
  const before = await read()
  const { clock, db, ring } = onboarding
  const keyBefore = ring.vault.sealingKeyId
  const log = createLogger({ service: 'test', level: 'silent' })
  // The service cannot decrypt with a key that it has not loaded; it reloads the ring within `keyRefreshMs`.
  await rotateSealingKey({
    db,
    ring,
    columns: SEALED_COLUMNS,
    log,
    clock,
    whenAllHaveRead: async () => undefined,
  })
  expect(ring.vault.sealingKeyId).not.toBe(keyBefore)
  await eventually(async () => (await onboarding.read(customer.partner, customer.id)).ok)
  expect(await read()).toEqual(before)
  // Keyed hashes of e-mail addresses do not change.
  const again = await onboarding.signUp(customer.partner, 'another-id', 'KYB-1@example.com')
  expect(again).toMatchObject({ ok: false, code: 'relationship_conflict' })
})
