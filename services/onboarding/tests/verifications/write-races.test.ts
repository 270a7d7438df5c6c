import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { lastModified, verifications } from '@causeway/contracts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'
import { kybCalls, valueOf, type KybCalls, type KybCustomer } from './kyb-calls.ts'
import { COMPLETE, PERSON } from './kyb-data.ts'

// The clock of this service is stopped: every write of a test has the same millisecond.
let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(() => onboarding.stop())

/** Makes a write based on a state, each in a transaction on a separate connection. */
const write = ({ partner, id }: KybCustomer, since: string, body: object) =>
  onboarding.ask(verifications.submit, partner, {
    params: { customerId: id },
    query: { unmodified_since: since },
    body,
  })
const read = async ({ partner, id }: KybCustomer) => {
  const reply = await kyb.getByCustomer(partner, id)
  return reply.ok ? reply.value.verification : null
}

it('stores one of 16 writes made from one state, and reports to the others when it was', async () => {
  const customer = await kyb.newCustomer()
  for (const attempt of ['before the first write', 'after it']) {
    const since = lastModified(await read(customer))
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        write(customer, since, { contact: { first_name: `${attempt} ${n}` } }),
      ),
    )
    const stored = answers.flatMap((answer) => (answer.ok ? [answer.value.verification] : []))
    expect(stored).toHaveLength(1)
    const now = await read(customer)
    expect(now).toEqual(stored[0])
    expect(answers.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 15 }, () => ({
        ok: false,
        code: 'invalid_state',
        details: [{ from: 'draft', to: 'pending', reason: 'modified', modified_at: lastModified(now) }],
      })),
    )
  }
})

it('loses no person when 12 devices each add one concurrently, and repeat it after a refusal', async () => {
  const customer = await kyb.newCustomer()
  const names = Array.from({ length: 12 }, (_, n) => `Person ${n}`)
  const add = async (name: string): Promise<void> => {
    const seen = await read(customer)
    const directors = [...(seen?.directors ?? []), { full_name: name }]
    const answer = await write(customer, lastModified(seen), { directors })
    if (!answer.ok) await add(name)
  }
  await Promise.all(names.map(add))
  const { directors } = await kyb.stored(customer)
  expect(directors.map(({ full_name: name }) => name).sort()).toEqual(names.sort())
})

it('submits what its person has seen, or nothing, when a submission races a change', async () => {
  for (let round = 0; round < 10; round += 1) {
    const customer = await kyb.newCustomer()
    await kyb.addDocuments(customer.partner, customer.id)
    const { consent, ...data } = COMPLETE
    await kyb.write(customer, data)
    const seen = lastModified(await read(customer))
    const [sent, saved] = await Promise.all([
      write(customer, seen, { consent }),
      write(customer, seen, { business: { trading_name: 'Unseen' }, consent: { version: null } }),
    ])
    expect([sent.ok, saved.ok].sort()).toEqual([false, true])
    const { status, business } = await kyb.stored(customer)
    expect([status, business.trading_name]).toEqual(sent.ok ? ['pending', null] : ['draft', 'Unseen'])
  }
})

it('refuses a change made before a decision, because it would submit the case again', async () => {
  const customer = await kyb.newPending()
  await kyb.raiseByStaff(customer.merchant, { kind: 'field', message: 'Who?' })
  const seen = lastModified(await read(customer))
  onboarding.clock.advance(1)
  await kyb.reject(customer.verificationId)
  const late = await write(customer, seen, { directors: [{ ...PERSON, city: 'Cork' }] })
  expect(late).toMatchObject({ ok: false, code: 'invalid_state', details: [{ reason: 'modified' }] })
  expect((await kyb.stored(customer)).status).toBe('rejected')
  const known = lastModified(await read(customer))
  expect(valueOf(await write(customer, known, { directors: [PERSON] })).submitted).toBe(true)
})

it('refuses an invalid time', async () => {
  const customer = await kyb.newCustomer()
  expect(await write(customer, 'yesterday', {})).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'unmodified_since' }],
  })
})
