import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { queryNone } from '@causeway/chassis'
import type { CaseChanges } from '@causeway/contracts'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { PERSON } from '../verifications/kyb-data.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(() => onboarding.stop())

/** Returns the changes that staff see, by relationship. */
const changesOf = async (verificationId: string): Promise<Record<string, CaseChanges | null>> => {
  const { verification } = valueOf(await kyb.getCase(verificationId))
  return Object.fromEntries(
    verification.relationships.map((file) => [file.partner_customer_id, file.changes]),
  )
}
const nowIso = () => onboarding.clock.now().toISOString()
const renamed = (before: string | null, after: string) => [{ field: 'business.trading_name', before, after }]

it('shows what each partner changed in a case that returns after a rejection', async () => {
  const one = await kyb.newPending('came-back@example.com')
  const other = await kyb.newCustomer('came-back@example.com')
  await kyb.raiseByStaff(one.merchant, { kind: 'clarification', message: 'Who else?' })
  await kyb.write(other, { business: { trading_name: 'Theirs' } })
  expect(await changesOf(one.verificationId)).toEqual({ [one.id]: null, [other.id]: null })
  onboarding.clock.advance(1_000)
  const since = nowIso()
  await kyb.reject(one.verificationId)
  const nothing = { since, fields: [], people: [], complete: true }
  expect(await changesOf(one.verificationId)).toEqual({ [one.id]: nothing, [other.id]: nothing })

  onboarding.clock.advance(1_000)
  await kyb.write(one, { business: { trading_name: 'First' } })
  await kyb.raiseByStaff(one.merchant, { kind: 'field', target: 'directors', message: 'Who?' })
  await kyb.write(one, { business: { trading_name: 'Second' }, directors: [{ ...PERSON, city: 'Cork' }] })
  // An answer under review hides nothing of what was changed before it.
  expect(await changesOf(one.verificationId)).toEqual({
    [one.id]: {
      since,
      fields: renamed(null, 'Second'),
      people: [
        {
          list: 'directors',
          change: 'changed',
          full_name: PERSON.full_name,
          fields: [{ field: 'city', before: null, after: 'Cork' }],
        },
      ],
      complete: true,
    },
    [other.id]: nothing,
  })
  // A partner's read of the case does not contain them.
  expect(JSON.stringify(await kyb.stored(other))).not.toMatch(/baseline|changes|Second/)
})

it('shows that a case was sent again without a change', async () => {
  const customer = await kyb.newPending()
  await kyb.reject(customer.verificationId)
  const since = nowIso()
  await kyb.write(customer, { business: { trading_name: 'Changed' } })
  await kyb.reject(customer.verificationId)
  onboarding.clock.advance(1_000)
  await kyb.write(customer)
  expect((await kyb.stored(customer)).status).toBe('pending')
  expect(await changesOf(customer.verificationId)).toEqual({
    [customer.id]: { since, fields: [], people: [], complete: true },
  })
})

it('compares an answer to the first review with what was submitted', async () => {
  const customer = await kyb.newPending()
  const since = nowIso()
  await kyb.raiseByStaff(customer.merchant, { kind: 'field', message: 'Which name?' })
  onboarding.clock.advance(1_000)
  await kyb.write(customer, { business: { trading_name: 'One' } })
  onboarding.clock.advance(1_000)
  await kyb.write(customer, { business: { trading_name: 'Two' } })
  expect(await changesOf(customer.verificationId)).toEqual({
    [customer.id]: { since, fields: renamed(null, 'Two'), people: [], complete: true },
  })
})

const forget = queryNone({
  name: 'test.forget-baselines',
  text: 'UPDATE submissions SET baseline_sealed = NULL, baseline_at = NULL',
})

it('shows no comparison for a case that was decided before copies were kept', async () => {
  const customer = await kyb.newPending()
  await kyb.reject(customer.verificationId)
  await forget(onboarding.db)
  await kyb.write(customer, { business: { trading_name: 'New' } })
  expect(await changesOf(customer.verificationId)).toEqual({ [customer.id]: null })
})
