import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { DomainEvent, EVENT_STREAM, relationshipOf, type CapabilityName } from '@causeway/contracts'
import { newPartner, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

const notFound = { ok: false, code: 'resource_not_found' }

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests({ verified: true })
})
afterAll(async () => {
  await onboarding.stop()
})

let customers = 0
const newCustomer = async (partner = newPartner(), email?: string) => {
  customers += 1
  const address = email ?? `changes-${customers}@example.com`
  return { partner, ...(await onboarding.newCustomer(partner, `shop-${customers}`, address)) }
}
/** The events of a relationship that an action emits. */
const emittedBy = async (partnerCustomerId: string, act: () => Promise<unknown>) => {
  const seen = new Set((await onboarding.events()).map((event) => event.id))
  await act()
  return (await onboarding.events()).filter(
    (event) =>
      !seen.has(event.id) &&
      (relationshipOf(event)?.partner_customer_id === partnerCustomerId ||
        event.partners.some((notice) => notice.partner_customer_id === partnerCustomerId)),
  )
}
const namesAndVersions = (events: readonly DomainEvent[]) =>
  events.map((event) => relationshipOf(event)?.version ?? event.name)
const reads = async (id: string, partner: ReturnType<typeof newPartner>, capability: CapabilityName) => {
  const listed = await onboarding.listCapabilities(partner, id)
  if (!listed.ok) throw new Error(listed.code)
  return listed.value.capabilities.find((entry) => entry.capability === capability)
}

describe('a grant', () => {
  it('is effective immediately, emits one event to the partner, and increments the version of the fact', async () => {
    const { partner, partner_customer_id: id } = await newCustomer()
    const granted = { capability: 'refunds', enabled: true, available: true, reason: null }
    const events = await emittedBy(id, async () => {
      expect(await onboarding.grant(id, 'refunds', true)).toEqual({
        ok: true,
        value: { capability: granted },
      })
    })
    expect(await reads(id, partner, 'refunds')).toEqual(granted)
    expect(namesAndVersions(events)).toEqual([2, 'capability.updated'])
    expect(events[1]?.partners).toEqual([
      {
        partner_id: partner.partnerId,
        partner_customer_id: id,
        type: 'capability.updated',
        data: { partner_customer_id: id, ...granted },
      },
    ])
  })

  it('emits nothing if it changes nothing', async () => {
    const { partner_customer_id: id } = await newCustomer()
    expect(await emittedBy(id, () => onboarding.grant(id, 'payments.crypto', true))).toEqual([])
    expect(await emittedBy(id, () => onboarding.grant(id, 'refunds', false))).toEqual([])
  })

  it('is one change for 32 concurrent calls', async () => {
    const { partner_customer_id: id } = await newCustomer()
    const events = await emittedBy(id, () =>
      Promise.all(Array.from({ length: 32 }, () => onboarding.grant(id, 'wallets', true))),
    )
    expect(namesAndVersions(events)).toEqual([2, 'capability.updated'])
  })

  it('is not found for an unknown relationship or capability', async () => {
    const { partner_customer_id: id } = await newCustomer()
    expect(await onboarding.grant(newId('relationship'), 'refunds', true)).toEqual(notFound)
    expect(await onboarding.grant(id, 'payments.cash', true)).toEqual(notFound)
  })
})

describe('a suspension', () => {
  it('reaches every relationship of the merchant and each of their partners', async () => {
    const one = await newCustomer(newPartner(), 'suspended@example.com')
    const two = await newCustomer(newPartner(), 'suspended@example.com')
    const unavailable = { enabled: true, available: false, reason: 'suspended' }
    const twos = await emittedBy(two.partner_customer_id, async () => {
      expect(await onboarding.suspend(one.customer_id, ['refunds', 'payments.crypto', 'refunds'])).toEqual({
        ok: true,
        value: { customer_id: one.customer_id, capabilities: ['payments.crypto', 'refunds'] },
      })
    })
    for (const customer of [one, two])
      expect(await reads(customer.partner_customer_id, customer.partner, 'payments.crypto')).toMatchObject(
        unavailable,
      )
    expect(namesAndVersions(twos)).toEqual([2, 'capability.updated', 'capability.updated'])
    expect(twos.flatMap((event) => event.partners.map((notice) => notice.partner_id))).toEqual([
      two.partner.partnerId,
      two.partner.partnerId,
    ])
  })

  it('applies to later relationships, and a sign-up does not lift it', async () => {
    const one = await newCustomer(newPartner(), 'suspended-before@example.com')
    await onboarding.suspend(one.customer_id, ['payments.crypto'])
    const two = await newCustomer(newPartner(), 'suspended-before@example.com')
    for (const customer of [one, two])
      expect(await reads(customer.partner_customer_id, customer.partner, 'payments.crypto')).toMatchObject({
        available: false,
        reason: 'suspended',
      })
  })

  it('emits nothing when repeated, and an empty list lifts it', async () => {
    const { partner, partner_customer_id: id, customer_id: merchant } = await newCustomer()
    await onboarding.suspend(merchant, ['payments.crypto', 'payouts'])
    expect(await emittedBy(id, () => onboarding.suspend(merchant, ['payouts', 'payments.crypto']))).toEqual(
      [],
    )
    const lifted = await emittedBy(id, () => onboarding.suspend(merchant, []))
    expect(namesAndVersions(lifted)).toEqual([3, 'capability.updated', 'capability.updated'])
    expect(await reads(id, partner, 'payouts')).toEqual({
      capability: 'payouts',
      enabled: false,
      available: true,
      reason: null,
    })
  })

  it('leaves every fact equal to its relationship when concurrent with new relationships and grants', async () => {
    const { customer_id: merchant } = await newCustomer(newPartner(), 'racing@example.com')
    const partners = Array.from({ length: 12 }, () => newPartner())
    const work = partners.flatMap((partner, n) => [
      async () => {
        const { partner_customer_id: id } = await newCustomer(partner, 'racing@example.com')
        await onboarding.grant(id, 'payouts', true)
      },
      () => onboarding.suspend(merchant, n % 2 === 0 ? ['payments.crypto'] : ['payouts']),
    ])
    await Promise.all(work.map((run) => run()))
    const facts = (await onboarding.events()).flatMap((event) =>
      relationshipOf(event)?.customer_id === merchant ? [relationshipOf(event)] : [],
    )
    for (const { partnerId } of partners) {
      const mine = facts.filter((fact) => fact?.partner_id === partnerId)
      expect(mine.map((fact) => fact?.version)).toEqual(mine.map((_, index) => index + 1))
      const last = mine.at(-1)
      expect(await onboarding.resolve(partnerId, String(last?.partner_customer_id))).toEqual({
        ok: true,
        value: last,
      })
    }
  })

  it('is not found for an unknown merchant', async () => {
    expect(await onboarding.suspend(newId('merchant'), [])).toEqual(notFound)
  })
})

describe('a revoked relationship', () => {
  it('does not exist for its partner, cannot be created again, and is back when reinstated', async () => {
    const { partner, ...customer } = await newCustomer(newPartner(), 'revoked@example.com')
    const id = customer.partner_customer_id
    const signUp = () => onboarding.signUp(partner, customer.external_customer_id, 'revoked@example.com')
    expect(await onboarding.revoke(id)).toEqual({
      ok: true,
      value: { customer: { ...customer, relationship_status: 'revoked' } },
    })
    expect(await onboarding.read(partner, id)).toEqual(notFound)
    expect(await onboarding.listCapabilities(partner, id)).toEqual(notFound)
    expect(await onboarding.list(partner)).toMatchObject({ value: { customers: [] } })
    expect(await signUp()).toEqual({ ok: false, code: 'relationship_conflict' })
    expect(await onboarding.signUp(partner, 'other', 'revoked@example.com')).toEqual({
      ok: false,
      code: 'relationship_conflict',
    })
    expect(await onboarding.reinstate(id)).toEqual({ ok: true, value: { customer } })
    expect(await onboarding.read(partner, id)).toEqual({ ok: true, value: customer })
    expect(await signUp()).toEqual({ ok: true, variant: 'existing', value: customer })
  })

  it('announces its end to its partner, and then emits only facts until it is reinstated', async () => {
    const { partner, partner_customer_id: id, customer_id: merchant } = await newCustomer()
    const announced = await emittedBy(id, () => onboarding.revoke(id))
    expect(namesAndVersions(announced)).toEqual([2, 'customer.updated'])
    expect(announced[1]?.partners).toEqual([
      {
        partner_id: partner.partnerId,
        partner_customer_id: id,
        type: 'customer.updated',
        data: { partner_customer_id: id, customer_id: merchant, relationship_status: 'revoked' },
      },
    ])
    const silent = await emittedBy(id, async () => {
      await onboarding.suspend(merchant, ['payments.crypto'])
      await onboarding.grant(id, 'refunds', true)
    })
    expect(namesAndVersions(silent)).toEqual([3, 4])
    expect(silent.flatMap((event) => event.partners)).toEqual([])
    const emitted = await emittedBy(id, () => onboarding.reinstate(id))
    expect(namesAndVersions(emitted)).toEqual([5, 'customer.updated'])
    expect(emitted[1]?.partners).toEqual([
      {
        partner_id: partner.partnerId,
        partner_customer_id: id,
        type: 'customer.updated',
        data: { partner_customer_id: id, customer_id: merchant, relationship_status: 'active' },
      },
    ])
  })

  it('is revoked by one of 32 concurrent calls; the others get the state', async () => {
    const { partner_customer_id: id } = await newCustomer()
    const outcomes = await Promise.all(Array.from({ length: 32 }, () => onboarding.revoke(id)))
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    const refused = { ok: false, code: 'invalid_state', details: [{ from: 'revoked', to: 'revoked' }] }
    expect(outcomes.filter((outcome) => !outcome.ok)).toEqual(Array.from({ length: 31 }, () => refused))
    expect(await onboarding.reinstate(newId('relationship'))).toEqual(notFound)
  })

  it('is resolved for other services with its status, and only for its own partner', async () => {
    const { partner, partner_customer_id: id } = await newCustomer()
    await onboarding.revoke(id)
    expect(await onboarding.resolve(partner.partnerId, id)).toMatchObject({
      ok: true,
      value: { partner_customer_id: id, status: 'revoked', version: 2 },
    })
    expect(await onboarding.resolve(newPartner().partnerId, id)).toEqual(notFound)
  })
})

describe('the fact of a new relationship', () => {
  it('reaches the stream with the first version and every capability', async () => {
    const { partner, partner_customer_id: id, customer_id: merchant } = await newCustomer()
    const manager = await onboarding.bus.jetstreamManager()
    const event = await eventually(async () => {
      const stored = await manager.streams.getMessage(EVENT_STREAM, {
        last_by_subj: 'events.onboarding.relationship.changed',
      })
      const parsed = DomainEvent.parse(stored?.json())
      return relationshipOf(parsed)?.partner_customer_id === id && parsed
    })
    expect(event).toMatchObject({
      name: 'relationship.changed',
      partners: [],
      merchant: null,
      fact: {
        kind: 'relationship',
        relationship: {
          partner_customer_id: id,
          partner_id: partner.partnerId,
          customer_id: merchant,
          status: 'active',
          version: 1,
        },
      },
    })
    expect(relationshipOf(event)?.capabilities).toHaveLength(7)
  })
})
