import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { asked, invalid, notFound, requirementCalls } from './requirement-calls.ts'
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

const TIME = { expected: 'a time in ISO 8601 with an offset or Z, such as 2026-11-01T12:00:00Z' }
const DOCUMENT_TYPES = {
  allowed: [
    'certificate_of_incorporation',
    'proof_of_address',
    'director_id',
    'bank_statement',
    'processing_statement',
  ],
}

describe('raising a requirement', () => {
  it('returns it as later reads do, and emits an event to every active relationship from its own side', async () => {
    const { one, two } = await calls.newPair()
    const requirement = await calls.raise(one, {
      kind: 'document',
      target: 'director.0',
      document_type: 'director_id',
      message: 'A clearer copy, please',
      due_at: '2027-01-31T12:00:00+02:00',
    })
    expect(requirement).toEqual({
      requirement_id: expect.stringMatching(/^rqm_/) as unknown,
      kind: 'document',
      target: 'director.0',
      document_type: 'director_id',
      message: 'A clearer copy, please',
      status: 'open',
      raised_by: 'you',
      document_id: null,
      due_at: '2027-01-31T10:00:00.000Z',
      created_at: onboarding.clock.now().toISOString(),
      updated_at: null,
      resolved_at: null,
    })
    const read = await kyb.requirement(two.partner, two.id, requirement.requirement_id)
    expect(read).toEqual({ ok: true, value: { requirement: { ...requirement, raised_by: 'partner' } } })
    expect(await calls.noticesOf(one, 'requirement.created')).toEqual([
      { partner_customer_id: one.id, ...requirement },
    ])
    expect(await calls.noticesOf(two, 'requirement.created')).toEqual([
      { partner_customer_id: two.id, ...requirement, raised_by: 'partner' },
    ])
  })

  it("emits a requirement of staff as the service's, also to relationships without a verification, not to revoked ones", async () => {
    const { one, two, merchant } = await calls.newPair()
    await onboarding.revoke(two.id)
    const { requirement } = valueOf(await kyb.raiseByStaff(merchant, asked))
    expect(requirement.raised_by).toBe('service')
    expect(await calls.noticesOf(one, 'requirement.created')).toMatchObject([{ raised_by: 'service' }])
    expect(await calls.noticesOf(two, 'requirement.created')).toEqual([])
  })

  it.each<[string, unknown, string, string, object?]>([
    ['no kind', { message: 'x' }, 'kind', 'required'],
    [
      'an unknown kind',
      { kind: 'call', message: 'x' },
      'kind',
      'invalid_value',
      { allowed: ['document', 'field', 'clarification'] },
    ],
    ['no message', { kind: 'field' }, 'message', 'required'],
    [
      'an empty message',
      { kind: 'field', message: '' },
      'message',
      'too_short',
      { expected: 'at least 1 character' },
    ],
    [
      'a message of 501 characters',
      { kind: 'field', message: 'x'.repeat(501) },
      'message',
      'too_long',
      { expected: 'at most 500 characters' },
    ],
    ['an unknown field', { ...asked, severity: 1 }, 'severity', 'unknown_field'],
    [
      'an unknown document type',
      { kind: 'document', message: 'x', document_type: 'passport' },
      'document_type',
      'invalid_value',
      DOCUMENT_TYPES,
    ],
    [
      'other as document type',
      { kind: 'document', message: 'x', document_type: 'other' },
      'document_type',
      'invalid_value',
      DOCUMENT_TYPES,
    ],
    [
      'a document type for another kind',
      { ...asked, document_type: 'director_id' },
      'document_type',
      'invalid_value',
      { expected: 'a document type only if kind is document' },
    ],
    ['an invalid due date', { ...asked, due_at: 'soon' }, 'due_at', 'invalid_date', TIME],
    [
      'a due date without offset',
      { ...asked, due_at: '2027-01-31T12:00:00' },
      'due_at',
      'invalid_date',
      TIME,
    ],
    [
      'a due date past all calendars',
      { ...asked, due_at: '9999-12-31T23:59:59-23:00' },
      'due_at',
      'invalid_date',
      { expected: 'a time in the years 0001 to 9999' },
    ],
  ])('answers 400 to a body with %s', async (_what, body, field, reason, ...[hint]) => {
    const customer = await kyb.newCustomer()
    await kyb.write(customer)
    expect(await kyb.raise(customer.partner, customer.id, body)).toEqual(invalid(field, reason, hint))
    expect(await kyb.raiseByStaff(customer.merchant, body)).toEqual(invalid(field, reason, hint))
  })

  it('accepts a message of 500 characters of any script', async () => {
    const customer = await kyb.newCustomer()
    await kyb.write(customer)
    expect((await calls.raise(customer, { ...asked, message: '😀'.repeat(500) })).message).toBe(
      '😀'.repeat(500),
    )
  })

  it('stops at exactly 50 open ones of each party, under concurrent calls of both partners and staff', async () => {
    const { one, two, merchant } = await calls.newPair()
    const raisers = [
      () => kyb.raiseByStaff(merchant, asked),
      () => kyb.raise(one.partner, one.id, asked),
      () => kyb.raise(two.partner, two.id, asked),
    ]
    const outcomes = await Promise.all(
      raisers.map((raise) => Promise.all(Array.from({ length: 60 }, () => raise()))),
    )
    for (const own of outcomes) {
      expect(own.filter((outcome) => outcome.ok)).toHaveLength(50)
      expect(own.filter((outcome) => !outcome.ok)).toEqual(
        Array.from({ length: 10 }, () => ({ ok: false, code: 'limit_reached' })),
      )
    }
    const listed = valueOf(await kyb.requirementsOf(one.partner, one.id)).requirements
    const mine = listed.find((requirement) => requirement.raised_by === 'you')
    await calls.change(one, String(mine?.requirement_id), 'fulfilled')
    expect(await kyb.raise(one.partner, one.id, asked)).toMatchObject({ ok: true })
    expect(await kyb.raise(one.partner, one.id, asked)).toEqual({ ok: false, code: 'limit_reached' })
  })
})

describe('the list', () => {
  it('is oldest first; status=open omits closed ones and includes fulfilled ones', async () => {
    const { one, two } = await calls.newPair()
    const ids: string[] = []
    for (const status of ['open', 'fulfilled', 'cancelled', 'satisfied']) {
      onboarding.clock.advance(1_000)
      const { requirement_id: id } = await calls.raise(one)
      ids.push(id)
      if (status === 'satisfied') await calls.change(one, id, 'fulfilled')
      if (status !== 'open') await calls.change(one, id, status)
    }
    const listed = async (query: Record<string, string>) =>
      valueOf(await kyb.requirementsOf(two.partner, two.id, query)).requirements.map(
        (requirement) => requirement.requirement_id,
      )
    expect(await listed({})).toEqual(ids)
    expect(await listed({ status: 'open' })).toEqual(ids.slice(0, 2))
    expect(await kyb.requirementsOf(two.partner, two.id, { status: 'fulfilled' })).toEqual(
      invalid('status', 'invalid_value', { allowed: ['open'] }),
    )
  })
})

describe('a requirement of another partner', () => {
  it('returns the same bytes as a missing one, like a verification that was not started', async () => {
    const { one, two, email } = await calls.newPair()
    const { requirement_id: id } = await calls.raise(one)
    const stranger = await kyb.newCustomer()
    const unstarted = await kyb.newCustomer(email)
    await onboarding.revoke(two.id)
    const customers = [
      [stranger, one.id],
      [stranger, newId('relationship')],
      [stranger, stranger.id],
      [unstarted, unstarted.id],
      [two, two.id],
      [stranger, 'pcu_x'],
    ] as const
    const answers = []
    for (const [{ partner }, customerId] of customers) {
      answers.push(await kyb.requirementsOf(partner, customerId))
      answers.push(await kyb.raise(partner, customerId, asked))
      answers.push(await kyb.requirement(partner, customerId, id))
      answers.push(await kyb.update(partner, customerId, id, { status: 'fulfilled' }))
    }
    answers.push(await kyb.requirement(one.partner, one.id, newId('requirement')))
    answers.push(await kyb.update(one.partner, one.id, 'rqm_x', { status: 'fulfilled' }))
    answers.push(await kyb.raiseByStaff(newId('merchant'), asked))
    answers.push(await kyb.raiseByStaff(stranger.merchant, asked))
    answers.push(await kyb.updateByStaff(newId('requirement'), { status: 'fulfilled' }))
    expect([...new Set(answers.map((answer) => JSON.stringify(answer)))]).toEqual([JSON.stringify(notFound)])
    expect(await calls.noticesOf(one, 'requirement.resolved')).toEqual([])
  })

  it('cannot be reached through another customer', async () => {
    const [first, second] = [await calls.newPair(), await calls.newPair()]
    const { requirement_id: id } = await calls.raise(first.one)
    expect(await kyb.requirement(second.one.partner, second.one.id, id)).toEqual(notFound)
    expect(await calls.change(second.one, id, 'fulfilled')).toEqual(notFound)
  })
})
