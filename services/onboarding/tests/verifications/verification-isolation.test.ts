import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryMany } from '@causeway/chassis'
import { relationships, REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { z } from 'zod'
import { kybCalls, type KybCalls } from './kyb-calls.ts'
import { COMPLETE, PERSON } from './kyb-data.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

const notFound = { ok: false, code: 'resource_not_found' }
const dumpRows = queryMany({
  name: 'test.dump-kyb-rows',
  text: `
    SELECT row::text AS line FROM (
      SELECT to_jsonb(m) AS row FROM merchants m
      UNION ALL SELECT to_jsonb(r) FROM relationships r
      UNION ALL SELECT to_jsonb(v) FROM verifications v
      UNION ALL SELECT to_jsonb(s) FROM submissions s
      UNION ALL SELECT to_jsonb(o) FROM outbox_events o) AS rows`,
  row: z.object({ line: z.string() }),
})

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

describe('a merchant of two partners', () => {
  it('is shown to payers and in e-mail only by the name that each partner has given it', async () => {
    const one = await kyb.newPending('named@example.com')
    const two = await kyb.newCustomer('named@example.com')
    const nameOf = (partnerId: string, id: string) =>
      onboarding.ask(
        relationships.getName,
        { kind: 'service', service: 'payments' },
        { body: { partner_id: partnerId, partner_customer_id: id } },
      )
    const noticedOf = (partnerId: string, id: string) =>
      onboarding.ask(
        relationships.getForNotice,
        { kind: 'service', service: 'access' },
        { body: { partner_id: partnerId, partner_customer_id: id } },
      )
    const name = COMPLETE.business?.legal_name
    expect(await nameOf(one.partner.partnerId, one.id)).toEqual({ ok: true, value: { name } })
    expect(await nameOf(two.partner.partnerId, two.id)).toEqual({ ok: true, value: { name: null } })
    expect(await nameOf(two.partner.partnerId, one.id)).toEqual(notFound)
    expect(await noticedOf(one.partner.partnerId, one.id)).toMatchObject({
      value: { name, relationship_status: 'active', link_confirmed: true },
    })
    expect(await noticedOf(two.partner.partnerId, two.id)).toMatchObject({
      value: { name: null, relationship_status: 'active' },
    })
    expect(await noticedOf(two.partner.partnerId, one.id)).toEqual(notFound)
  })

  it('has one case with one state, and each partner reads and completes only its own data', async () => {
    const one = await kyb.newPending('two-partners@example.com')
    const two = await kyb.newCustomer('two-partners@example.com')
    expect(await kyb.getByCustomer(two.partner, two.id)).toEqual(notFound)
    expect(await kyb.read(two.partner, one.verificationId)).toEqual(notFound)
    expect(await kyb.submit(two.partner, two.id, COMPLETE)).toMatchObject({ code: 'invalid_state' })
    expect(await kyb.getByCustomer(two.partner, two.id)).toEqual(notFound)

    const verification = await kyb.write(two)
    expect(verification).toMatchObject({
      submitted: true,
      verification: {
        verification_id: one.verificationId,
        partner_customer_id: two.id,
        status: 'pending',
        business: { legal_name: null },
        directors: [],
      },
    })
    expect((await kyb.stored(one)).business.legal_name).toBe('Analytical Engines Ltd')
    expect(await onboarding.read(two.partner, two.id)).toMatchObject({ value: { customer: { name: null } } })
    const pending = (await onboarding.events()).filter(
      (event) =>
        event.name === 'verification.pending' &&
        event.partners[0]?.data['verification_id'] === one.verificationId,
    )
    expect(pending.map((event) => event.partners[0]?.partner_customer_id)).toEqual([one.id])
  })

  it('is submitted by the partner that is complete first; documents of the other do not count', async () => {
    const one = await kyb.newCustomer('two-drafts@example.com')
    const two = await kyb.newCustomer('two-drafts@example.com')
    await kyb.write(one, { additional_data: { mine: 1 } })
    await kyb.addDocuments(one.partner, one.id)
    const blocked = await kyb.write(two, { ...COMPLETE, additional_data: { yours: 2 } })
    expect(blocked).toMatchObject({ submitted: false, missing_documents: REQUIRED_DOCUMENT_TYPES })
    await kyb.addDocuments(two.partner, two.id)
    expect((await kyb.write(two)).verification.status).toBe('pending')
    expect(await kyb.stored(one)).toMatchObject({ status: 'pending', additional_data: { mine: 1 } })
    expect((await kyb.stored(two)).additional_data).toEqual({ yours: 2 })
  })
})

describe('a verification of another partner', () => {
  it('returns the same bytes as a missing one', async () => {
    const foreign = await kyb.newPending()
    const revoked = await kyb.newPending()
    await onboarding.revoke(revoked.id)
    const mine = await kyb.newCustomer()
    const answers = await Promise.all([
      kyb.submit(mine.partner, foreign.id, COMPLETE),
      kyb.submit(mine.partner, newId('relationship'), COMPLETE),
      kyb.submit(revoked.partner, revoked.id, COMPLETE),
      kyb.submit(revoked.partner, revoked.id),
      kyb.submit(mine.partner, 'pcu_x', {}),
      kyb.getByCustomer(mine.partner, foreign.id),
      kyb.getByCustomer(mine.partner, newId('relationship')),
      kyb.getByCustomer(revoked.partner, revoked.id),
      kyb.read(mine.partner, foreign.verificationId),
      kyb.read(mine.partner, newId('verification')),
      kyb.read(revoked.partner, revoked.verificationId),
      kyb.read(mine.partner, "' OR 1=1 --"),
    ])
    expect([...new Set(answers.map((answer) => JSON.stringify(answer)))]).toEqual([JSON.stringify(notFound)])
  })

  it('refuses an invalid body with the same reply, whether or not the customer exists', async () => {
    const foreign = await kyb.newPending()
    const mine = await kyb.newCustomer()
    const bad = { business: { industry: 'x' } }
    const answers = await Promise.all([
      kyb.submit(mine.partner, mine.id, bad),
      kyb.submit(mine.partner, foreign.id, bad),
      kyb.submit(mine.partner, newId('relationship'), bad),
    ])
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ code: 'validation_failed' })
  })
})

describe('personal data', () => {
  it('is in plain text neither in the rows nor in the events (people and contact)', async () => {
    const customer = await kyb.newCustomer()
    await kyb.addDocuments(customer.partner, customer.id)
    await kyb.write(customer, {
      ...COMPLETE,
      contact: { first_name: 'Canarina', last_name: 'Vogelsang', email: 'canarina@vogelsang.example' },
      directors: [{ ...PERSON, full_name: 'Kanaria Director', phone: '+49 30 1234567' }],
      ubos: [{ ...PERSON, full_name: 'Kanaria Owner', ownership_percent: 50, address_line1: 'Vogelweg 1' }],
      additional_data: { note: 'canary note' },
    })
    const dump = (await dumpRows(onboarding.db)).map((row) => row.line).join('\n')
    expect(dump).toContain(customer.id)
    expect(dump.toLowerCase()).not.toMatch(/canar|kanaria|vogel|1234567/)
    expect((await kyb.stored(customer)).directors[0]?.full_name).toBe('Kanaria Director')
  })
})
