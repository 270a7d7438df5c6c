import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createVault, resealColumn } from '@causeway/chassis'
import { SEALED_COLUMNS } from '../src/sealed-columns.ts'
import { kybCalls, type KybCalls } from './kyb-calls.ts'
import { ENCRYPTION_KEY, startForTests, type RunningOnboarding } from './running-onboarding.ts'

const newKey = Buffer.alloc(32, 8)

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

const resealAll = async (vault: ReturnType<typeof createVault>) => {
  const counts: Record<string, number> = {}
  for (const sealed of SEALED_COLUMNS)
    counts[sealed.column] = await resealColumn(onboarding.db, vault, sealed)
  return counts
}

it('a rotation to a new key and back leaves customers, cases and documents as they read', async () => {
  const customer = await kyb.newPending()
  const read = async () => [
    await onboarding.read(customer.partner, customer.id),
    await kyb.stored(customer),
    await kyb.examine(customer.verificationId),
  ]
  const before = await read()
  const counts = await resealAll(createVault(ENCRYPTION_KEY, [newKey]))
  expect(counts).toMatchObject({ email_sealed: 1, data_sealed: 1, file_name_sealed: 5 })
  expect(await kyb.readOfCustomer(customer.partner, customer.id)).toEqual({
    ok: false,
    code: 'internal_error',
  })
  expect(await resealAll(createVault(ENCRYPTION_KEY, [ENCRYPTION_KEY, newKey]))).toEqual(counts)
  expect(await read()).toEqual(before)
})
