import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { reviews } from '@causeway/contracts'
import { kybCalls, valueOf, type KybCalls, type KybCustomer } from '../verifications/kyb-calls.ts'
import { COMPLETE, PERSON } from '../verifications/kyb-data.ts'
import {
  OPERATOR,
  startForTests,
  VERIFICATION_TTL_MS,
  type RunningOnboarding,
} from '../running-onboarding.ts'

const notFound = { ok: false, code: 'resource_not_found' }
const refused = (from: string, to: string) => ({ ok: false, code: 'invalid_state', details: [{ from, to }] })

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

const verificationEvents = async (customer: KybCustomer) =>
  (await kyb.noticesTo(customer)).filter((notice) => notice.type.startsWith('verification.'))

describe('an approval', () => {
  it('is visible and emitted to every partner of the merchant, with its expiry', async () => {
    const one = await kyb.newPending('approved@example.com')
    const two = await kyb.newCustomer('approved@example.com')
    await kyb.write(two)
    onboarding.clock.advance(1_000)
    const reviewedAt = onboarding.clock.now()
    const expiresAt = new Date(reviewedAt.getTime() + VERIFICATION_TTL_MS).toISOString()
    expect(await kyb.approve(one.verificationId)).toMatchObject({
      ok: true,
      value: {
        verification: {
          verification_id: one.verificationId,
          customer_id: one.merchant,
          status: 'approved',
          rejection_reason: null,
          reviewed_at: reviewedAt.toISOString(),
          expires_at: expiresAt,
        },
      },
    })
    for (const customer of [one, two]) {
      expect(await kyb.stored(customer)).toMatchObject({ status: 'approved', expires_at: expiresAt })
      expect((await verificationEvents(customer)).at(-1)).toEqual({
        partner_id: customer.partner.partnerId,
        partner_customer_id: customer.id,
        type: 'verification.approved',
        data: {
          partner_customer_id: customer.id,
          verification_id: one.verificationId,
          status: 'approved',
        },
      })
    }
  })

  it('states the commercial choices of each relationship to other services, as approved', async () => {
    const two = await kyb.newCustomer('choices@example.com')
    await kyb.write(two, { commercial: { ...COMPLETE.commercial, fee_handling: 'niftipay_absorbs' } })
    const one = await kyb.newPending('choices@example.com')
    const choicesOf = async ({ partner, id }: KybCustomer) => {
      const { fee_handling, settlement_option } = valueOf(await onboarding.resolve(partner.partnerId, id))
      return [fee_handling, settlement_option]
    }
    expect(await choicesOf(one)).toEqual([null, null])
    await kyb.approve(one.verificationId)
    expect(await choicesOf(one)).toEqual(['customer_pays', 'fiat_eur_iban'])
    expect(await choicesOf(two)).toEqual(['niftipay_absorbs', 'fiat_eur_iban'])
  })

  it('answers with the reason that it states, for the audit log', async () => {
    const { verificationId } = await kyb.newPending()
    const version = await kyb.versionOf(verificationId)
    expect(await kyb.approve(verificationId, version, 'Seen in person')).toMatchObject({
      ok: true,
      value: { reason: 'Seen in person' },
    })
  })

  it('closes the case to edits, even while a requirement is open', async () => {
    const customer = await kyb.newPending()
    await kyb.raiseByStaff(customer.merchant, { kind: 'clarification', message: 'Why?' })
    await kyb.approve(customer.verificationId)
    expect(await kyb.submit(customer.partner, customer.id, { business: { trading_name: 'x' } })).toEqual(
      refused('approved', 'pending'),
    )
    expect(await kyb.write(customer)).toMatchObject({ submitted: true, verification: { status: 'approved' } })
  })

  it('is given once by 16 concurrent calls', async () => {
    const customer = await kyb.newPending()
    const answers = await Promise.all(Array.from({ length: 16 }, () => kyb.approve(customer.verificationId)))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok)).toEqual(
      Array.from({ length: 15 }, () => refused('approved', 'approved')),
    )
    expect((await verificationEvents(customer)).map((notice) => notice.type)).toEqual([
      'verification.pending',
      'verification.approved',
    ])
  })

  it('is refused while an edit has left the data incomplete', async () => {
    const customer = await kyb.newPending()
    await kyb.raiseByStaff(customer.merchant, { kind: 'field', message: 'Who?' })
    expect(await kyb.write(customer, { directors: [] })).toMatchObject({
      submitted: false,
      blocked_by: 'validation_failed',
      incomplete_fields: [{ path: ['directors'] }],
      verification: { status: 'pending' },
    })
    expect(await kyb.approve(customer.verificationId)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'pending', to: 'approved', reason: 'submission_incomplete' }],
    })
    await kyb.write(customer, { directors: [PERSON] })
    const version = await kyb.versionOf(customer.verificationId)
    expect(await kyb.approve(customer.verificationId, version)).toMatchObject({ ok: true })
  })

  it('expires after its validity, and the case can be submitted again', async () => {
    const customer = await kyb.newPending()
    await kyb.approve(customer.verificationId)
    onboarding.clock.advance(VERIFICATION_TTL_MS)
    await eventually(async () => {
      const outcome = await kyb.submit(customer.partner, customer.id, { business: { trading_name: 'New' } })
      return outcome.ok && outcome.value.verification.status === 'pending'
    })
    expect(await kyb.stored(customer)).toMatchObject({
      status: 'pending',
      business: { trading_name: 'New' },
      reviewed_at: null,
      expires_at: null,
    })
    expect(await kyb.approve(customer.verificationId)).toMatchObject({ ok: true })
  })
})

describe('a rejection', () => {
  it('is emitted with its reason, and the case accepts edits and a new submission', async () => {
    const customer = await kyb.newPending()
    expect(await kyb.reject(customer.verificationId, 'ownership_unclear')).toMatchObject({
      value: { verification: { status: 'rejected', rejection_reason: 'ownership_unclear' } },
    })
    expect((await verificationEvents(customer)).at(-1)?.data).toEqual({
      partner_customer_id: customer.id,
      verification_id: customer.verificationId,
      status: 'rejected',
      rejection_reason: 'ownership_unclear',
    })
    const edited = await kyb.write(customer, { ubos: [] })
    expect(edited).toMatchObject({ submitted: false, verification: { status: 'rejected' } })
    const again = await kyb.write(customer, { ubos: [{ ...PERSON, ownership_percent: 100 }] })
    expect(again).toMatchObject({
      submitted: true,
      verification: { status: 'pending', rejection_reason: null, reviewed_at: null },
    })
    expect((await verificationEvents(customer)).map((notice) => notice.type)).toEqual([
      'verification.pending',
      'verification.rejected',
      'verification.pending',
    ])
  })

  it('keeps a sanctions match from everybody but staff', async () => {
    const customer = await kyb.newPending()
    await kyb.reject(customer.verificationId, 'sanctions_match')
    expect((await verificationEvents(customer)).at(-1)?.data).toMatchObject({
      status: 'rejected',
      rejection_reason: null,
    })
    expect(await kyb.stored(customer)).toMatchObject({ status: 'rejected', rejection_reason: null })
    expect(valueOf(await kyb.getCase(customer.verificationId)).verification).toMatchObject({
      rejection_reason: 'sanctions_match',
    })
  })

  it('is 400 for a reason outside the list', async () => {
    const customer = await kyb.newPending()
    expect(await kyb.reject(customer.verificationId, 'looks odd')).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [
        {
          field: 'rejection_reason',
          reason: 'invalid_value',
          allowed: [
            'document_illegible',
            'document_expired',
            'information_mismatch',
            'business_not_supported',
            'ownership_unclear',
            'sanctions_match',
            'duplicate_case',
            'other',
          ],
        },
      ],
    })
  })
})

describe('a review', () => {
  it('is refused in every state except pending, with from and to', async () => {
    const draft = await kyb.newCustomer()
    const { verification } = await kyb.write(draft)
    const id = verification.verification_id
    expect(await kyb.approve(id)).toEqual(refused('draft', 'approved'))
    expect(await kyb.reject(id)).toEqual(refused('draft', 'rejected'))
    const rejected = await kyb.newPending()
    await kyb.reject(rejected.verificationId)
    expect(await kyb.approve(rejected.verificationId)).toEqual(refused('rejected', 'approved'))
    expect(await kyb.reject(rejected.verificationId)).toEqual(refused('rejected', 'rejected'))
  })

  it('is not found for unknown and malformed ids', async () => {
    const unknown = newId('verification')
    for (const answer of [await kyb.approve(unknown), await kyb.reject(unknown), await kyb.getCase(unknown)])
      expect(answer).toEqual(notFound)
    expect(await kyb.getCase('ver_x')).toEqual(notFound)
  })
})

describe('the review queue', () => {
  it('pages through the cases of a status, longest waiting first', async () => {
    const pending = [await kyb.newPending(), await kyb.newPending(), await kyb.newPending()]
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: {
        verifications: { verification_id: string; status: string }[]
        next_cursor: string | null
      } = valueOf(await kyb.queue({ status: 'pending', limit: '2', ...(cursor === null ? {} : { cursor }) }))
      seen.push(...page.verifications.map((entry) => entry.verification_id))
      expect(page.verifications.every((entry) => entry.status === 'pending')).toBe(true)
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(seen.length)
    const ids = pending.map((customer) => customer.verificationId)
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids)
    const all = valueOf(await kyb.queue({ limit: '100' })).verifications
    expect(all.map((entry) => entry.status)).toContain('draft')
  })

  it('names the business of each case once it is known', async () => {
    const named = await kyb.newPending()
    const nameless = await kyb.write(await kyb.newCustomer())
    const listed = valueOf(await kyb.queue({ status: 'pending', limit: '100' })).verifications
    expect(listed.find((entry) => entry.verification_id === named.verificationId)?.customer_name).toBe(
      'Analytical Engines Ltd',
    )
    const drafts = valueOf(await kyb.queue({ status: 'draft', limit: '100' })).verifications
    const { verification_id: id } = nameless.verification
    expect(drafts.find((entry) => entry.verification_id === id)?.customer_name).toBeNull()
  })

  it('refuses a cursor of another status, and an unknown status', async () => {
    const page = valueOf(await kyb.queue({ status: 'pending', limit: '1' }))
    expect(await kyb.queue({ status: 'draft', cursor: String(page.next_cursor) })).toEqual({
      ok: false,
      code: 'invalid_cursor',
    })
    expect(await kyb.queue({ status: 'expired' })).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [
        { field: 'status', reason: 'invalid_value', allowed: ['draft', 'pending', 'approved', 'rejected'] },
      ],
    })
  })

  it("shows a case with every relationship's data and documents, and its requirements", async () => {
    const one = await kyb.newPending('examined@example.com')
    const two = await kyb.newCustomer('examined@example.com')
    await kyb.write(two)
    await kyb.raise(one.partner, one.id, { kind: 'clarification', message: 'Which bank?' })
    const { verification } = valueOf(await kyb.getCase(one.verificationId))
    expect(verification).toMatchObject({ status: 'pending', customer_id: one.merchant })
    expect(verification.relationships).toMatchObject([
      {
        partner_id: one.partner.partnerId,
        partner_customer_id: one.id,
        relationship_status: 'active',
        complete: true,
        agreements_accepted: true,
        business: COMPLETE.business,
        directors: COMPLETE.directors,
        contact: COMPLETE.contact,
      },
      { partner_customer_id: two.id, complete: false, directors: [], documents: [] },
    ])
    expect(verification.relationships[0]?.documents.map((document) => document.file_name)).toContain(
      'bank_statement.pdf',
    )
    expect(verification.requirements).toMatchObject([{ message: 'Which bank?', raised_by: 'partner' }])
  })
})

describe('the figures of reviews', () => {
  const DAY_MS = 86_400_000
  const MINUTE_MS = 60_000
  const figures = async (since?: string) =>
    valueOf(
      await onboarding.ask(reviews.getFigures, OPERATOR, { query: since === undefined ? {} : { since } }),
    )

  it('count decisions by day with the median wait, a case that was submitted again by its last decision', async () => {
    const { clock } = onboarding
    // Past the decisions of other tests, to midnight.
    clock.advance(2 * DAY_MS - (clock.now().getTime() % DAY_MS))
    const [first, second] = [1, 2].map((days) =>
      new Date(clock.now().getTime() + (days - 1) * DAY_MS).toISOString().slice(0, 10),
    )
    const [one, two, three] = [
      await kyb.newPending('figures-1@example.com'),
      await kyb.newPending('figures-2@example.com'),
      await kyb.newPending('figures-3@example.com'),
    ]
    const waitedSince = clock.now().toISOString()
    const before = (await figures(first)).waiting.cases
    clock.advance(10 * MINUTE_MS)
    await kyb.approve(one.verificationId)
    clock.advance(20 * MINUTE_MS)
    await kyb.reject(two.verificationId)
    clock.advance(70 * MINUTE_MS)
    await kyb.approve(three.verificationId)
    expect(await figures(first)).toMatchObject({
      since: first,
      days: [{ day: first, approved: 2, rejected: 1, waited_minutes: 30 }],
      waited_minutes: 30,
      waiting: { cases: before - 3 },
    })

    await kyb.write(two)
    const again = await figures(first)
    expect(again.waiting.cases).toBe(before - 2)
    expect(Date.parse(again.waiting.since ?? '')).toBeLessThanOrEqual(Date.parse(waitedSince) + DAY_MS)
    clock.advance(DAY_MS)
    await kyb.approve(two.verificationId)
    expect((await figures(first)).days).toEqual([
      { day: first, approved: 2, rejected: 0, waited_minutes: 55 },
      { day: second, approved: 1, rejected: 0, waited_minutes: 1_440 },
    ])
    expect((await figures(second)).days).toHaveLength(1)
    expect((await figures()).days.length).toBeGreaterThan(2)
  })

  it('refuse a day before the last 92, and one to come', async () => {
    const dayAt = (days: number) =>
      new Date(onboarding.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)
    for (const since of [dayAt(-92), dayAt(1)])
      expect(await onboarding.ask(reviews.getFigures, OPERATOR, { query: { since } })).toEqual({
        ok: false,
        code: 'invalid_request',
        details: [
          { field: 'since', reason: 'invalid_value', expected: `a day from ${dayAt(-91)} to ${dayAt(0)}` },
        ],
      })
    expect((await figures(dayAt(-91))).since).toBe(dayAt(-91))
  })
})
