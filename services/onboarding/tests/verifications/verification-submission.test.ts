import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { kybCalls, valueOf, type KybCalls } from './kyb-calls.ts'
import { COMPLETE, PERSON } from './kyb-data.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

describe('submission', () => {
  it('happens automatically once the data and the five documents are there, in any order', async () => {
    const customer = await kyb.newCustomer()
    expect(await kyb.write(customer, COMPLETE)).toMatchObject({
      submitted: false,
      blocked_by: 'missing_documents',
      missing_documents: REQUIRED_DOCUMENT_TYPES,
      incomplete_fields: [],
      verification: { status: 'draft' },
    })
    await kyb.addDocument(customer.partner, customer.id, 'other')
    await kyb.addDocument(customer.partner, customer.id, 'director_id')
    expect((await kyb.write(customer)).missing_documents).toEqual(
      REQUIRED_DOCUMENT_TYPES.filter((type) => type !== 'director_id'),
    )
    await kyb.addDocuments(customer.partner, customer.id)
    const answer = await kyb.write(customer)
    expect(answer).toMatchObject({
      submitted: true,
      blocked_by: null,
      missing_documents: [],
      incomplete_fields: [],
      verification: { status: 'pending', submitted_at: onboarding.clock.now().toISOString() },
    })
  })

  it('stores values that cannot be parsed, and is blocked by them with their paths', async () => {
    const customer = await kyb.newCustomer()
    await kyb.addDocuments(customer.partner, customer.id)
    const answer = await kyb.write(customer, {
      ...COMPLETE,
      contact: { ...COMPLETE.contact, email: 'ada at engines' },
      directors: [{ ...PERSON, date_of_birth: 'yesterday' }],
    })
    expect(answer).toMatchObject({ submitted: false, blocked_by: 'validation_failed', missing_documents: [] })
    expect(answer.incomplete_fields).toEqual([
      { path: ['contact', 'email'], message: 'This is not an e-mail address.' },
      { path: ['directors', '0', 'date_of_birth'], message: 'This is not a date such as 2019-04-30.' },
    ])
    expect((await kyb.stored(customer)).contact.email).toBe('ada at engines')
  })

  it("sets the customer's name and country, and emits one event to the partner, without them", async () => {
    const customer = await kyb.newPending()
    expect(await onboarding.read(customer.partner, customer.id)).toMatchObject({
      value: { customer: { name: 'Analytical Engines Ltd', country: 'GB' } },
    })
    await kyb.write(customer)
    expect(await kyb.noticesTo(customer)).toEqual([
      {
        partner_id: customer.partner.partnerId,
        partner_customer_id: customer.id,
        type: 'customer.updated',
        data: {
          partner_customer_id: customer.id,
          customer_id: customer.merchant,
          relationship_status: 'active',
        },
      },
      {
        partner_id: customer.partner.partnerId,
        partner_customer_id: customer.id,
        type: 'verification.pending',
        data: {
          partner_customer_id: customer.id,
          verification_id: customer.verificationId,
          status: 'pending',
        },
      },
    ])
  })

  it('makes one case pending once by 16 concurrent calls', async () => {
    const customer = await kyb.newCustomer()
    await kyb.addDocuments(customer.partner, customer.id)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => kyb.submit(customer.partner, customer.id, COMPLETE)),
    )
    const refused = { ok: false, code: 'invalid_state', details: [{ from: 'pending', to: 'pending' }] }
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok)).toEqual(Array.from({ length: 15 }, () => refused))
    const pending = (await onboarding.events()).filter(
      (event) =>
        event.name === 'verification.pending' && event.partners[0]?.partner_customer_id === customer.id,
    )
    expect(pending).toHaveLength(1)
  })
})

describe('a pending case', () => {
  it('refuses edits, and answers an empty POST with its state', async () => {
    const customer = await kyb.newPending()
    expect(await kyb.submit(customer.partner, customer.id, { business: {} })).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'pending', to: 'pending' }],
    })
    expect(await kyb.write(customer, {})).toMatchObject({
      submitted: true,
      blocked_by: null,
      verification: { status: 'pending' },
    })
  })

  it('accepts edits while a requirement is open or fulfilled, and not after', async () => {
    const customer = await kyb.newPending()
    const { requirement } = valueOf(
      await kyb.raiseByStaff(customer.merchant, { kind: 'field', message: 'Which shop?' }),
    )
    const edit = (name: string) =>
      kyb.submit(customer.partner, customer.id, { business: { legal_name: name } })
    expect(await edit('While open')).toMatchObject({ ok: true, value: { submitted: true } })
    await kyb.update(customer.partner, customer.id, requirement.requirement_id, { status: 'fulfilled' })
    expect(await edit('While fulfilled')).toMatchObject({ ok: true })
    expect(await onboarding.read(customer.partner, customer.id)).toMatchObject({
      value: { customer: { name: 'While fulfilled' } },
    })
    await kyb.updateByStaff(requirement.requirement_id, { status: 'satisfied' })
    expect(await edit('Too late')).toMatchObject({ ok: false, code: 'invalid_state' })
    expect((await kyb.stored(customer)).business.legal_name).toBe('While fulfilled')
  })
})
