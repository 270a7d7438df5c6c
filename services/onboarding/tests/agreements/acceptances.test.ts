import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { agreements } from '@causeway/contracts'
import { HASH, startWithAgreements, noticesOf, type TestCustomer } from './agreement-fixture.ts'
import { newPartner } from '../running-onboarding.ts'

const notFound = { ok: false, code: 'resource_not_found' }

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>

describe('an acceptance', () => {
  beforeEach(async () => {
    onboarding = await startWithAgreements()
  })
  afterEach(async () => {
    await onboarding.stop()
  })

  it("is recorded once with the server's hash, and makes the capabilities available", async () => {
    const { agreement_id: id } = await onboarding.publish()
    const customer = await onboarding.customer()
    const other = await onboarding.customer()
    await onboarding.approveAll()
    const created = await onboarding.accept(customer, id, { accepted_at: '2026-01-02T03:04:05+01:00' })
    if (!created.ok) throw new Error(created.code)
    const { acceptance } = created.value
    expect(created.variant).toBe('created')
    expect(acceptance).toEqual({
      acceptance_id: acceptance.acceptance_id,
      agreement_id: id,
      agreement_version: '1.0',
      content_hash: HASH,
      acceptance_channel: 'partner_web',
      accepted_at: '2026-01-02T02:04:05.000Z',
      recorded_at: onboarding.clock.now().toISOString(),
      accepted_via_partner: true,
      evidence: { ip: '192.0.2.1', checkbox: true, seconds: 12.5, referrer: null },
    })
    expect(await onboarding.reasonsOf(customer)).toEqual([null])
    expect(await onboarding.reasonsOf(other)).toEqual(['agreement_required'])
    expect(await onboarding.agreementsOf(customer)).toMatchObject([
      { status: 'accepted', current_acceptance: acceptance, previous_acceptances: [] },
    ])
    const events = await onboarding.events()
    expect(noticesOf(events, customer, 'agreement.accepted').map(({ data }) => data)).toEqual([
      {
        partner_customer_id: customer.id,
        customer_id: customer.merchantId,
        acceptance_id: acceptance.acceptance_id,
        agreement_id: id,
        agreement_version: '1.0',
      },
    ])
    expect(JSON.stringify(events)).not.toContain('192.0.2.1')
  })

  it('is one record for 32 concurrent calls, replayed with its first content', async () => {
    const { agreement_id: id } = await onboarding.publish()
    const customer = await onboarding.customer()
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, n) => onboarding.accept(customer, id, { evidence: { attempt: n } })),
    )
    const acceptances = outcomes.map((outcome) => (outcome.ok ? outcome.value.acceptance : outcome))
    expect(new Set(acceptances.map((acceptance) => JSON.stringify(acceptance))).size).toBe(1)
    expect(outcomes.filter((outcome) => outcome.ok && outcome.variant === 'created')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.ok && outcome.variant === 'existing')).toHaveLength(31)
    expect(noticesOf(await onboarding.events(), customer, 'agreement.accepted')).toHaveLength(1)
  })

  it('is superseded by a new version, still replays, and can be given again', async () => {
    const { agreement_id: id } = await onboarding.publish()
    const customer = await onboarding.customer()
    const stranger = await onboarding.customer()
    await onboarding.approveAll()
    const first = await onboarding.accept(customer, id)
    if (!first.ok) throw new Error(first.code)
    await onboarding.publish({ agreement_id: id, version: '2.0', content_base64: 'djI=' })
    expect(await onboarding.agreementsOf(customer)).toMatchObject([
      {
        version: '2.0',
        status: 'superseded',
        current_acceptance: null,
        previous_acceptances: [first.value.acceptance],
      },
    ])
    expect(await onboarding.agreementsOf(stranger)).toMatchObject([{ version: '2.0', status: 'required' }])
    expect(await onboarding.reasonsOf(customer)).toEqual(['agreement_required'])
    expect(await onboarding.accept(customer, id, { evidence: {} })).toEqual({ ...first, variant: 'existing' })
    expect(await onboarding.accept(stranger, id)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ field: 'agreement_version', reason: 'not_current', current_version: '2.0' }],
    })
    expect(await onboarding.accept(customer, id, { agreement_version: '2.0' })).toMatchObject({
      variant: 'created',
    })
    expect(await onboarding.agreementsOf(customer)).toMatchObject([
      { status: 'accepted', previous_acceptances: [first.value.acceptance] },
    ])
    expect(await onboarding.reasonsOf(customer)).toEqual([null])
  })

  it('leaves another agreement required', async () => {
    const one = await onboarding.publish()
    const two = await onboarding.publish({ title: 'Privacy' })
    const customer = await onboarding.customer()
    await onboarding.approveAll()
    await onboarding.accept(customer, one.agreement_id)
    expect((await onboarding.agreementsOf(customer)).map(({ status }) => status)).toEqual([
      'accepted',
      'required',
    ])
    expect(await onboarding.reasonsOf(customer)).toEqual(['agreement_required'])
    await onboarding.accept(customer, two.agreement_id)
    expect(await onboarding.reasonsOf(customer)).toEqual([null])
  })

  it('belongs to its relationship: another partner of the merchant has its own status', async () => {
    const { agreement_id: id } = await onboarding.publish()
    const one = await onboarding.customer(newPartner(), 'shared@example.com')
    const two = await onboarding.customer(newPartner(), 'shared@example.com')
    expect(two.merchantId).toBe(one.merchantId)
    await onboarding.accept(one, id)
    expect(await onboarding.agreementsOf(two)).toMatchObject([
      { status: 'required', previous_acceptances: [] },
    ])
  })
})

describe('the request of an acceptance', () => {
  beforeAll(async () => {
    onboarding = await startWithAgreements()
  })
  afterAll(async () => {
    await onboarding.stop()
  })

  it.each<[string, Record<string, unknown>, unknown]>([
    ['no version', { agreement_version: undefined }, { field: 'agreement_version', reason: 'required' }],
    ['no evidence', { evidence: undefined }, { field: 'evidence', reason: 'required' }],
    ['an unknown field', { content_hash: HASH }, { field: 'content_hash', reason: 'unknown_field' }],
    [
      'a channel that is no identifier',
      { acceptance_channel: 'Web' },
      {
        field: 'acceptance_channel',
        reason: 'invalid_value',
        expected: 'text that matches /^[a-z][a-z0-9_]{0,63}$/',
      },
    ],
    [
      'a date without time',
      { accepted_at: '2026-01-01' },
      {
        field: 'accepted_at',
        reason: 'invalid_date',
        expected: 'a time in ISO 8601 with an offset or Z, such as 2026-11-01T12:00:00Z',
      },
    ],
    [
      'a time before 1970',
      { accepted_at: '1969-12-31T23:59:59Z' },
      {
        field: 'accepted_at',
        reason: 'invalid_value',
        expected: 'a time since 1970 that is not in the future',
      },
    ],
    [
      'nested evidence',
      { evidence: { a: { b: 1 } } },
      { field: 'evidence.a', reason: 'invalid_type', expected: 'text or a number or true or false or null' },
    ],
    [
      'evidence of over 2,000 characters',
      { evidence: { a: 'x'.repeat(2_001) } },
      { field: 'evidence.a', reason: 'too_long', expected: 'at most 2000 characters' },
    ],
    [
      'over 50 values of evidence',
      { evidence: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
      { field: 'evidence', reason: 'too_many', expected: 'at most 50 fields' },
    ],
  ])('is refused with %s, whether or not the customer exists', async (_what, over, detail) => {
    const { agreement_id: id } = await onboarding.publish()
    const customer = await onboarding.customer()
    const refused = { ok: false, code: 'invalid_request', details: [detail] }
    expect(await onboarding.accept(customer, id, over)).toEqual(refused)
    expect(await onboarding.accept({ ...customer, id: 'pcu_none' }, 'agr_none', over)).toEqual(refused)
  })

  it("allows a time at most five minutes ahead of the service's clock", async () => {
    const { agreement_id: id } = await onboarding.publish()
    const customer = await onboarding.customer()
    const inMs = (ms: number) => ({ accepted_at: new Date(onboarding.clock.nowMs() + ms).toISOString() })
    expect(await onboarding.accept(customer, id, inMs(300_001))).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [
        {
          field: 'accepted_at',
          reason: 'invalid_value',
          expected: 'a time since 1970 that is not in the future',
        },
      ],
    })
    expect(await onboarding.accept(customer, id, inMs(300_000))).toMatchObject({ variant: 'created' })
  })

  it('accepts 50 values, and 2,000 characters in one', async () => {
    const { agreement_id: id } = await onboarding.publish()
    const evidence = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`k${n}`, n < 30 ? '😀'.repeat(2_000) : n]),
    )
    expect(await onboarding.accept(await onboarding.customer(), id, { evidence })).toMatchObject({
      variant: 'created',
      value: { acceptance: { evidence } },
    })
  })

  it("returns not found for another partner's, a revoked or unknown customer, or an unknown agreement", async () => {
    const { agreement_id: id } = await onboarding.publish()
    const customer = await onboarding.customer()
    const revoked = await onboarding.customer()
    await onboarding.revoke(revoked.id)
    const cases: [TestCustomer, string][] = [
      [{ ...customer, partner: newPartner() }, id],
      [revoked, id],
      [{ ...customer, id: newId('relationship') }, id],
      [customer, newId('agreement')],
    ]
    for (const [who, agreementId] of cases)
      expect(await onboarding.accept(who, agreementId)).toEqual(notFound)
    for (const [{ partner, id: customerId }] of cases.slice(0, 3))
      expect(await onboarding.ask(agreements.list, partner, { params: { customerId }, query: {} })).toEqual(
        notFound,
      )
    expect(noticesOf(await onboarding.events(), customer, 'agreement.accepted')).toEqual([])
  })
})
