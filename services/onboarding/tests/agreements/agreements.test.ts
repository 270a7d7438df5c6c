import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { agreements, CAPABILITIES } from '@causeway/contracts'
import {
  DOCUMENT,
  factsOf,
  HASH,
  startWithAgreements,
  noticesOf,
  type TestCustomer,
} from './agreement-fixture.ts'
import { newPartner } from '../running-onboarding.ts'

const notFound = { ok: false, code: 'resource_not_found' }

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>
beforeEach(async () => {
  onboarding = await startWithAgreements()
})
afterEach(async () => {
  await onboarding.stop()
})

describe('a publication', () => {
  it('is listed for every customer as required, with the hash of the bytes that document_url serves', async () => {
    const customer = await onboarding.customer()
    expect(await onboarding.agreementsOf(customer)).toEqual([])
    const published = await onboarding.publish()
    const { agreement_id: id } = published
    expect(published).toEqual({
      agreement_id: id,
      title: 'Terms of service',
      version: '1.0',
      effective_date: '2026-01-01',
      document_url: `https://api.example/agreements/${id}/${HASH}`,
      content_hash: HASH,
      parties: [{ role: 'provider', name: 'Causeway' }],
      disclosure: 'By accepting you agree.',
    })
    expect(await onboarding.agreementsOf(customer)).toEqual([
      { ...published, status: 'required', current_acceptance: null, previous_acceptances: [] },
    ])
    const served = await onboarding.ask(
      agreements.getDocument,
      { kind: 'public' },
      { params: { agreementId: id, contentHash: HASH } },
    )
    if (!served.ok) throw new Error(served.code)
    expect(Buffer.from(served.value.content_base64, 'base64')).toEqual(DOCUMENT)
    expect(served.value.content_type).toBe('text/plain; charset=utf-8')
  })

  it('changes nothing for an already published version or an unknown agreement', async () => {
    const { agreement_id: id } = await onboarding.publish()
    await onboarding.publish({ agreement_id: id, version: '2.0' })
    expect(await onboarding.tryPublish({ agreement_id: id, version: '1.0' })).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ field: 'version', reason: 'already_published' }],
    })
    expect(await onboarding.tryPublish({ agreement_id: newId('agreement') })).toEqual(notFound)
    expect(
      (await onboarding.agreementsOf(await onboarding.customer())).map(({ version }) => version),
    ).toEqual(['2.0'])
  })

  it('makes every capability unavailable immediately, and emits one event to each partner and projection', async () => {
    const partners = Array.from({ length: 130 }, () => newPartner())
    const customers: TestCustomer[] = []
    for (const partner of partners) customers.push(await onboarding.customer(partner))
    const [first] = customers as [TestCustomer]
    await onboarding.approveAll()
    expect(await onboarding.reasonsOf(first)).toEqual([null])
    await onboarding.publish()
    expect(await onboarding.reasonsOf(first)).toEqual(['agreement_required'])
    const events = await eventually(async () => {
      const all = await onboarding.events()
      return factsOf(all).filter(({ version }) => version === 2).length === customers.length && all
    })
    for (const customer of customers)
      expect(noticesOf(events, customer, 'capability.updated')).toHaveLength(CAPABILITIES.length)
    expect(noticesOf(events, first, 'capability.updated')[0]?.data).toEqual({
      partner_customer_id: first.id,
      capability: 'payments.crypto',
      enabled: true,
      available: false,
      reason: 'agreement_required',
    })
    const facts = factsOf(events).filter((fact) => fact.partner_customer_id === first.id)
    expect(facts.map(({ version }) => version)).toEqual([1, 2])
    expect(facts[1]?.capabilities.map(({ reason }) => reason)).toEqual(
      CAPABILITIES.map(() => 'agreement_required'),
    )
  })

  it('emits no event to the partner of a revoked relationship, but to the projections', async () => {
    const revoked = await onboarding.customer()
    await onboarding.revoke(revoked.id)
    await onboarding.approveAll()
    await onboarding.publish()
    const events = await eventually(async () => {
      const all = await onboarding.events()
      return factsOf(all).some(({ version }) => version === 3) && all
    })
    expect(noticesOf(events, revoked, 'capability.updated')).toEqual([])
  })

  it('applies to customers that sign up afterwards, and their fact shows it', async () => {
    await onboarding.publish()
    const customer = await onboarding.customer()
    await onboarding.approveAll()
    expect(await onboarding.reasonsOf(customer)).toEqual(['agreement_required'])
    await onboarding.grant(customer.id, 'refunds', true)
    const notices = noticesOf(await onboarding.events(), customer, 'capability.updated')
    expect(notices.map(({ data }) => data['capability'])).toContain('refunds')
  })

  it('is emitted once even for a customer that changes concurrently', async () => {
    const customers = await Promise.all(Array.from({ length: 20 }, () => onboarding.customer()))
    await onboarding.approveAll()
    await Promise.all([
      onboarding.publish(),
      ...customers.map(({ id }) => onboarding.grant(id, 'payouts', true)),
    ])
    for (const customer of customers) {
      const notices = await eventually(async () => {
        const all = noticesOf(await onboarding.events(), customer, 'capability.updated')
        const last = CAPABILITIES.map((name) => all.findLast(({ data }) => data['capability'] === name)?.data)
        return last.every((data) => data?.['reason'] === 'agreement_required') && all
      })
      const reads = notices.map(({ data }) => JSON.stringify(data))
      expect(new Set(reads).size).toBe(reads.length)
    }
  })
})
