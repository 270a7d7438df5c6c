import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { nextSteps, type DisputeMeasure } from '@causeway/contracts'
import { newPartner, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests({ verified: true })
})
afterAll(() => onboarding.stop())

/** Publishes payments' fact of a merchant's disputes against the threshold. */
const publishStanding = (merchantId: string, isOver: boolean, version: number, measure?: DisputeMeasure) => {
  const event = {
    id: newId('event'),
    name: 'dispute_standing.changed',
    created_at: onboarding.clock.now().toISOString(),
    partners: [],
    merchant: null,
    fact: {
      kind: 'dispute_standing',
      standing: { customer_id: merchantId, over_threshold: isOver, version, ...(measure ? { measure } : {}) },
    },
  }
  const subject = 'events.payments.dispute_standing.changed'
  return onboarding.bus.publishEvent(subject, JSON.stringify(event), event.id, null)
}
let emails = 0
/** A merchant that two partners have linked; the second has no card capability. */
const newMerchant = async () => {
  const email = `disputed-${(emails += 1)}@example.com`
  const partners = [newPartner(['payments.fiat_card']), newPartner([])]
  const customers = await Promise.all(
    partners.map((partner) => onboarding.newCustomer(partner, 'shop', email)),
  )
  return { email, partners, customers, merchantId: customers[0]?.customer_id ?? '' }
}
type Merchant = Awaited<ReturnType<typeof newMerchant>>

const cardOf = async ({ partners, customers }: Merchant, which: number) => {
  const [partner, customer] = [partners[which], customers[which]]
  if (!partner || !customer) throw new Error('No such relationship')
  const listed = await onboarding.listCapabilities(partner, customer.partner_customer_id)
  return listed.ok && listed.value.capabilities.find((entry) => entry.capability === 'payments.fiat_card')
}
/** The events of capabilities to partners, and the facts of relationships to other services. */
const updatesOf = async ({ customers }: Merchant) =>
  (await onboarding.events())
    .flatMap((event) => event.partners)
    .filter(({ type }) => type === 'capability.updated')
    .filter(({ partner_customer_id: id }) =>
      customers.some((customer) => customer.partner_customer_id === id),
    )
    .map(({ partner_customer_id: id, data }) => ({
      ...data,
      which: customers[0]?.partner_customer_id === id,
    }))
const becomes = (merchant: Merchant, reason: string | null) =>
  eventually(async () => {
    expect(await cardOf(merchant, 0)).toMatchObject({ available: reason === null, reason })
    return true
  })

describe('too many disputes of a merchant', () => {
  it('make only payments.fiat_card unavailable, with an event to every partner, until they end', async () => {
    const merchant = await newMerchant()
    await publishStanding(merchant.merchantId, true, 1)
    await becomes(merchant, 'chargeback_threshold')
    const lost = { capability: 'payments.fiat_card', available: false, reason: 'chargeback_threshold' }
    expect(await cardOf(merchant, 1)).toEqual({ ...lost, enabled: false })
    await publishStanding(merchant.merchantId, false, 2)
    await becomes(merchant, null)
    const back = { capability: 'payments.fiat_card', available: true, reason: null }
    const updates = await updatesOf(merchant)
    expect(updates.filter(({ which }) => which)).toMatchObject([lost, back])
    expect(updates.filter(({ which }) => !which)).toMatchObject([lost, back])
  })

  it('are applied in the order of their versions: a repeated or outdated fact changes nothing', async () => {
    const merchant = await newMerchant()
    await publishStanding(merchant.merchantId, false, 2)
    await publishStanding(merchant.merchantId, true, 1)
    await publishStanding(merchant.merchantId, true, 3)
    await publishStanding(merchant.merchantId, true, 3)
    await publishStanding(newId('merchant'), true, 1)
    await becomes(merchant, 'chargeback_threshold')
    await publishStanding(merchant.merchantId, false, 4)
    await becomes(merchant, null)
    const reasons = (await updatesOf(merchant)).filter(({ which }) => which)
    expect(reasons).toMatchObject([{ reason: 'chargeback_threshold' }, { reason: null }])
  })

  it('are reported with their measure, of which the latest counts, without a change of a capability', async () => {
    const merchant = await newMerchant()
    const at = (second: number, share: number) => ({
      share,
      threshold: 0.01,
      window_hours: 720,
      measured_at: `2026-01-01T00:00:0${second}.000Z`,
    })
    await publishStanding(merchant.merchantId, true, 1, at(1, 0.02))
    await publishStanding(merchant.merchantId, true, 1, at(3, 0.04))
    await publishStanding(merchant.merchantId, true, 1, at(2, 0.03))
    await publishStanding(merchant.merchantId, true, 1)
    const [partner, customer] = [merchant.partners[0], merchant.customers[0]]
    if (!partner || !customer) throw new Error('No such relationship')
    const shareOf = async () => {
      const params = { customerId: customer.partner_customer_id }
      const listed = await onboarding.ask(nextSteps.list, partner, { params })
      return (
        listed.ok && listed.value.next_steps.find(({ step }) => step === 'reduce_disputes')?.resource?.share
      )
    }
    await eventually(async () => (await shareOf()) === 0.04)
    await publishStanding(merchant.merchantId, false, 2)
    await becomes(merchant, null)
    expect(await shareOf()).toBeUndefined()
    expect((await updatesOf(merchant)).filter(({ which }) => which)).toHaveLength(2)
  })

  it('belong to the merchant: a partner that links it later finds the card capability unavailable', async () => {
    const merchant = await newMerchant()
    await publishStanding(merchant.merchantId, true, 1)
    await becomes(merchant, 'chargeback_threshold')
    const late = newPartner(['payments.fiat_card'])
    const { partner_customer_id: id } = await onboarding.newCustomer(late, 'late', merchant.email)
    const resolved = await onboarding.resolve(late.partnerId, id)
    expect(resolved.ok && resolved.value.capabilities[1]).toMatchObject({ reason: 'chargeback_threshold' })
    const facts = (await onboarding.events()).flatMap(({ fact }) =>
      fact?.kind === 'relationship' && fact.relationship.partner_customer_id === id
        ? [fact.relationship.capabilities[1]?.reason]
        : [],
    )
    expect(facts).toEqual(['chargeback_threshold'])
  })

  it('have a lower precedence than a suspension, which hides their end', async () => {
    const merchant = await newMerchant()
    await publishStanding(merchant.merchantId, true, 1)
    await becomes(merchant, 'chargeback_threshold')
    await onboarding.suspend(merchant.merchantId, ['payments.fiat_card'])
    await becomes(merchant, 'suspended')
    await onboarding.suspend(merchant.merchantId, [])
    await becomes(merchant, 'chargeback_threshold')
  })
})
