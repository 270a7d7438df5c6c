import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { asked, invalid, refused, requirementCalls } from './requirement-calls.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
let calls: ReturnType<typeof requirementCalls>
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
  calls = requirementCalls(kyb)
})
afterAll(async () => {
  await onboarding.stop()
})

const OWN_DOCUMENT = { expected: 'a document that you have uploaded for this customer' }

describe('transitions', () => {
  it('lead from open to fulfilled to satisfied: any partner fulfils, only the raiser accepts, and gets the events', async () => {
    const { one, two } = await calls.newPair()
    const { requirement_id: id } = await calls.raise(one)
    onboarding.clock.advance(1_000)
    expect(await calls.change(two, id, 'satisfied')).toEqual(refused('open', 'satisfied'))
    expect(await calls.change(two, id, 'cancelled')).toEqual(refused('open', 'cancelled'))
    expect(await calls.change(two, id, 'fulfilled')).toMatchObject({
      value: { requirement: { status: 'fulfilled', raised_by: 'partner', resolved_at: null } },
    })
    expect(await calls.noticesOf(one, 'requirement.resolved')).toEqual([])
    expect(await calls.change(two, id, 'satisfied')).toEqual(refused('fulfilled', 'satisfied'))
    expect(await kyb.updateByStaff(id, { status: 'satisfied' })).toEqual(refused('fulfilled', 'satisfied'))
    const done = valueOf(await calls.change(one, id, 'satisfied')).requirement
    const now = onboarding.clock.now().toISOString()
    expect(done).toMatchObject({ status: 'satisfied', updated_at: now, resolved_at: now })
    expect(await calls.noticesOf(one, 'requirement.resolved')).toEqual([
      { partner_customer_id: one.id, ...done },
    ])
    expect(await calls.noticesOf(two, 'requirement.resolved')).toEqual([
      { partner_customer_id: two.id, ...done, raised_by: 'partner' },
    ])
  })

  it.each(['open', 'fulfilled', 'satisfied', 'cancelled'])('are refused from cancelled to %s', async (to) => {
    const { one } = await calls.newPair()
    const { requirement_id: id } = await calls.raise(one)
    expect(await calls.change(one, id, 'cancelled')).toMatchObject({ ok: true })
    expect(await calls.change(one, id, to)).toEqual(refused('cancelled', to))
    expect(await kyb.updateByStaff(id, { status: to })).toEqual(refused('cancelled', to))
  })

  it("are reserved to staff for the platform's own requirements", async () => {
    const { one, merchant } = await calls.newPair()
    const { requirement_id: id } = valueOf(await kyb.raiseByStaff(merchant, asked)).requirement
    expect(await calls.change(one, id, 'cancelled')).toEqual(refused('open', 'cancelled'))
    expect(await calls.change(one, id, 'fulfilled')).toMatchObject({ ok: true })
    expect(await kyb.updateByStaff(id, { status: 'satisfied' })).toMatchObject({
      value: { requirement: { status: 'satisfied', raised_by: 'service' } },
    })
  })

  it('happen once for 16 concurrent calls', async () => {
    const { one } = await calls.newPair()
    const { requirement_id: id } = await calls.raise(one)
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => calls.change(one, id, 'cancelled')))
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    expect(await calls.noticesOf(one, 'requirement.resolved')).toHaveLength(1)
  })

  it.each<[string, unknown, string, string, object?]>([
    ['no status', {}, 'status', 'required'],
    [
      'an unknown status',
      { status: 'closed' },
      'status',
      'invalid_value',
      { allowed: ['open', 'fulfilled', 'satisfied', 'cancelled'] },
    ],
    ['an unknown field', { status: 'fulfilled', note: 'x' }, 'note', 'unknown_field'],
    [
      'a malformed document',
      { status: 'fulfilled', document_id: 'doc_1' },
      'document_id',
      'invalid_value',
      { expected: 'a document id (doc_…)' },
    ],
    [
      'a document for another status',
      { status: 'cancelled', document_id: newId('document') },
      'document_id',
      'invalid_value',
      { expected: 'a document only if status is fulfilled' },
    ],
    [
      'a document that does not exist',
      { status: 'fulfilled', document_id: newId('document') },
      'document_id',
      'invalid_value',
      OWN_DOCUMENT,
    ],
  ])('answer 400 to a body with %s', async (_what, body, field, reason, ...[hint]) => {
    const { one } = await calls.newPair()
    const { requirement_id: id } = await calls.raise(one)
    expect(await kyb.update(one.partner, one.id, id, body)).toEqual(invalid(field, reason, hint))
    expect(await kyb.updateByStaff(id, body)).toEqual(invalid(field, reason, hint))
    expect(await kyb.requirement(one.partner, one.id, id)).toMatchObject({
      value: { requirement: { status: 'open', document_id: null } },
    })
  })
})

describe('evidence', () => {
  it("is the caller's own document on this customer, and its id stays with its owner and staff", async () => {
    const { one, two, merchant } = await calls.newPair()
    const elsewhere = await kyb.newCustomer()
    const mine = await kyb.addDocument(two.partner, two.id, 'director_id')
    const foreign = await kyb.addDocument(elsewhere.partner, elsewhere.id, 'director_id')
    const { requirement_id: id } = valueOf(await kyb.raiseByStaff(merchant, asked)).requirement
    expect(await calls.change(one, id, 'fulfilled', mine)).toEqual(
      invalid('document_id', 'invalid_value', OWN_DOCUMENT),
    )
    expect(await calls.change(two, id, 'fulfilled', foreign)).toEqual(
      invalid('document_id', 'invalid_value', OWN_DOCUMENT),
    )
    expect(await kyb.updateByStaff(id, { status: 'fulfilled', document_id: foreign })).toEqual(
      invalid('document_id', 'invalid_value', OWN_DOCUMENT),
    )
    expect(await calls.change(two, id, 'fulfilled', mine)).toMatchObject({
      value: { requirement: { document_id: mine } },
    })
    expect(await kyb.requirement(one.partner, one.id, id)).toMatchObject({
      value: { requirement: { status: 'fulfilled', document_id: null } },
    })
    await kyb.updateByStaff(id, { status: 'satisfied' })
    expect(await calls.noticesOf(one, 'requirement.resolved')).toMatchObject([{ document_id: null }])
    expect(await calls.noticesOf(two, 'requirement.resolved')).toMatchObject([{ document_id: mine }])
  })
})
