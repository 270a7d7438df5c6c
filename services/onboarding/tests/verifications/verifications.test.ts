import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { REQUIRED_DOCUMENT_TYPES, type KybWrite } from '@causeway/contracts'
import { kybCalls, type KybCalls } from './kyb-calls.ts'
import { PERSON } from './kyb-data.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

const notFound = { ok: false, code: 'resource_not_found' }

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

describe('a first POST', () => {
  it('creates a draft without a body that shows every field and all missing ones', async () => {
    const customer = await kyb.newCustomer()
    expect(await kyb.getByCustomer(customer.partner, customer.id)).toEqual(notFound)
    const answer = await kyb.write(customer)
    expect(answer).toMatchObject({
      submitted: false,
      blocked_by: 'validation_failed',
      missing_documents: REQUIRED_DOCUMENT_TYPES,
      verification: {
        partner_customer_id: customer.id,
        status: 'draft',
        rejection_reason: null,
        business: { legal_name: null, website: null },
        directors: [],
        ubos: [],
        ubo_declaration: 'has_ubos',
        consent: { version: null, marketing_opt_in: false },
        additional_data: {},
        updated_at: null,
        submitted_at: null,
        reviewed_at: null,
        expires_at: null,
      },
    })
    expect(answer.incomplete_fields).toHaveLength(21)
    expect(await kyb.stored(customer)).toEqual(answer.verification)
    expect(await kyb.read(customer.partner, answer.verification.verification_id)).toEqual({
      ok: true,
      value: { verification: answer.verification },
    })
  })

  it('treats {} like a missing body', async () => {
    const customer = await kyb.newCustomer()
    expect((await kyb.write(customer, {})).incomplete_fields).toHaveLength(21)
    expect((await kyb.write(customer)).verification.updated_at).toBeNull()
  })
})

describe('writes', () => {
  it('merge over any number of POSTs and return what was written', async () => {
    const customer = await kyb.newCustomer()
    await kyb.write(customer, { business: { legal_name: 'One', website: 'not a url' } })
    onboarding.clock.advance(1_000)
    const { verification } = await kyb.write(customer, {
      business: { trading_name: 'Shop', website: null },
      ubos: [{ ...PERSON, ownership_percent: 33.33 }],
      additional_data: { tier: 'gold', tags: ['a', 1, null, true] },
    })
    expect(verification).toMatchObject({
      business: { legal_name: 'One', trading_name: 'Shop', website: null },
      ubos: [{ ...PERSON, ownership_percent: 33.33 }],
      additional_data: { tier: 'gold', tags: ['a', 1, null, true] },
    })
    expect(verification.updated_at).toBe(onboarding.clock.now().toISOString())
    expect(await kyb.stored(customer)).toEqual(verification)
  })

  it('accept values at their limits', async () => {
    const customer = await kyb.newCustomer()
    const write: KybWrite = {
      directors: Array.from({ length: 20 }, () => PERSON),
      ubos: [
        { ...PERSON, ownership_percent: 25 },
        { ...PERSON, ownership_percent: 100 },
      ],
      commercial: { requested_payment_methods: Array.from({ length: 10 }, () => 'card' as const) },
      additional_data: {
        ...Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`k${n}`, n])),
        ['k'.repeat(100)]: Array.from({ length: 50 }, (_, n) =>
          (n < 30 ? '😀' : 'x').repeat(n < 30 ? 2_000 : 1),
        ),
      },
    }
    expect((await kyb.write(customer, write)).verification).toMatchObject(write)
  })

  it('are refused and not stored when they contradict earlier data', async () => {
    const customer = await kyb.newCustomer()
    await kyb.write(customer, { ubos: [{ ...PERSON, ownership_percent: 40 }] })
    const before = await kyb.stored(customer)
    expect(
      await kyb.submit(customer.partner, customer.id, {
        ubo_declaration: 'no_qualifying_ubo',
        contact: { first_name: 'Half' },
      }),
    ).toEqual({
      ok: false,
      code: 'validation_failed',
      details: [
        {
          field: 'ubos',
          reason: 'invalid_value',
          expected: 'an empty list if ubo_declaration is no_qualifying_ubo',
        },
      ],
    })
    expect(await kyb.stored(customer)).toEqual(before)
  })

  it('are all stored from 32 concurrent calls', async () => {
    const customer = await kyb.newCustomer()
    await Promise.all(
      Array.from({ length: 32 }, (_, n) => kyb.write(customer, { additional_data: { [`k${n}`]: n } })),
    )
    expect(Object.keys((await kyb.stored(customer)).additional_data)).toHaveLength(32)
  })

  it('never exceed 50 keys with 32 concurrent calls', async () => {
    const customer = await kyb.newCustomer()
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        kyb.submit(customer.partner, customer.id, { additional_data: { [`a${n}`]: n, [`b${n}`]: n } }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(25)
    expect(Object.keys((await kyb.stored(customer)).additional_data)).toHaveLength(50)
  })
})
