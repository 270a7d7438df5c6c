import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { CAPABILITIES, documents } from '@causeway/contracts'
import { startWithAgreements } from '../agreements/agreement-fixture.ts'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { COMPLETE } from '../verifications/kyb-data.ts'
import { asked, notFound } from '../requirements/requirement-calls.ts'
import { newPartner, startForTests } from '../running-onboarding.ts'

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startWithAgreements(await startForTests({ merchantLinking: 'confirmed' }))
  kyb = kybCalls(onboarding)
})
afterAll(() => onboarding.stop())

type Customer = Awaited<ReturnType<KybCalls['newCustomer']>>
const reasonsOf = ({ partner, id }: Customer) => onboarding.reasonsOf({ partner, id, merchantId: '' })
const alreadyConfirmed = {
  ok: false,
  code: 'invalid_state',
  details: [{ from: 'confirmed', to: 'confirmed' }],
}
let pairs = 0
/** A merchant's first partner with its case pending, and a second one that has signed up the same e-mail address. */
const newPair = async () => {
  pairs += 1
  const email = `link-${pairs}@example.com`
  const first = await kyb.newPending(email)
  return { email, first, second: await kyb.newCustomer(email) }
}
const idsOf = async ({ partner, id }: Customer) =>
  valueOf(await kyb.requirementsOf(partner, id)).requirements.map(({ requirement_id }) => requirement_id)

describe('a customer whose merchant another partner has already linked', () => {
  it('has every capability unavailable for this reason before any other, in its fact too', async () => {
    const { first, second } = await newPair()
    expect(await reasonsOf(first)).toEqual(['verification_required'])
    await onboarding.suspend(first.merchant, ['payouts'])
    expect(await reasonsOf(second)).toEqual(['link_unconfirmed'])
    const state = valueOf(await onboarding.resolve(second.partner.partnerId, second.id))
    expect(state.capabilities).toHaveLength(CAPABILITIES.length)
    expect([...new Set(state.capabilities.map(({ available, reason }) => `${available} ${reason}`))]).toEqual(
      ['false link_unconfirmed'],
    )
    expect((await kyb.noticesTo(second)).filter(({ type }) => type === 'capability.updated')).toEqual([])
  })

  it('gains nothing by an approval, and gets no event of the case', async () => {
    const { first, second } = await newPair()
    expect(await kyb.getByCustomer(second.partner, second.id)).toEqual(notFound)
    await kyb.write(second)
    valueOf(await kyb.approve(first.verificationId))
    expect(await reasonsOf(first)).toEqual([null])
    expect(await reasonsOf(second)).toEqual(['link_unconfirmed'])
    const seen = await kyb.stored(second)
    expect(seen).toMatchObject({ status: 'draft', submitted_at: null, reviewed_at: null, expires_at: null })
    expect(seen.verification_id).not.toBe(first.verificationId)
    expect(await kyb.read(second.partner, seen.verification_id)).toMatchObject({ ok: true })
    expect(await kyb.read(second.partner, first.verificationId)).toEqual(notFound)
    expect(await kyb.noticesTo(second)).toEqual([])
  })

  it('keeps its own data and documents, which submit nothing', async () => {
    const email = `link-draft@example.com`
    const first = await kyb.newCustomer(email)
    const second = await kyb.newCustomer(email)
    const { verification: draft } = await kyb.write(first)
    await kyb.addDocuments(second.partner, second.id)
    expect(await kyb.write(second, COMPLETE)).toMatchObject({
      submitted: false,
      blocked_by: null,
      missing_documents: [],
      incomplete_fields: [],
      verification: { status: 'draft', business: { legal_name: 'Analytical Engines Ltd' } },
    })
    expect(await kyb.write(second, { business: { trading_name: 'AE' } })).toMatchObject({
      verification: { business: { legal_name: 'Analytical Engines Ltd', trading_name: 'AE' } },
    })
    expect(await kyb.stored(first)).toMatchObject({ status: 'draft', business: { legal_name: null } })
    expect(await kyb.noticesTo(first)).toEqual([])
    const review = valueOf(await kyb.getCase(draft.verification_id))
    expect(review.verification.relationships.map((file) => file.partner_customer_id)).toEqual([first.id])
  })

  it("affects nothing of the other's case by its documents and requirements, and sees nothing of the other's", async () => {
    const { first, second } = await newPair()
    await kyb.write(second)
    const theirs = valueOf(await kyb.raise(second.partner, second.id, asked)).requirement.requirement_id
    expect(await idsOf(second)).toEqual([theirs])
    expect(await idsOf(first)).toEqual([])
    expect(await kyb.requirement(first.partner, first.id, theirs)).toEqual(notFound)
    expect(await kyb.update(first.partner, first.id, theirs, { status: 'fulfilled' })).toEqual(notFound)
    expect((await kyb.submit(first.partner, first.id, { business: { trading_name: 'x' } })).ok).toBe(false)
    const mine = valueOf(await kyb.raise(first.partner, first.id, asked)).requirement.requirement_id
    expect(await idsOf(first)).toEqual([mine])
    expect(await kyb.requirement(second.partner, second.id, mine)).toEqual(notFound)
    const begin = ({ partner, id }: Customer) =>
      onboarding.ask(documents.createUpload, partner, { params: { customerId: id } })
    expect(await begin(second)).toMatchObject({ ok: true })
    const updatesTo = async (customer: Customer) =>
      (await kyb.noticesTo(customer)).flatMap(({ type, data }) =>
        type === 'requirement.created' ? [data['requirement_id']] : [],
      )
    expect(await updatesTo(first)).toEqual([mine])
    expect(await updatesTo(second)).toEqual([theirs])
    const review = valueOf(await kyb.getCase(first.verificationId)).verification
    expect(review.requirements.map(({ requirement_id }) => requirement_id)).toEqual([mine])
  })

  it("sees nothing of the merchant's disputes", async () => {
    const { first, second } = await newPair()
    valueOf(await kyb.approve(first.verificationId))
    const event = {
      id: newId('event'),
      name: 'dispute_standing.changed',
      created_at: onboarding.clock.now().toISOString(),
      partners: [],
      merchant: null,
      fact: {
        kind: 'dispute_standing',
        standing: { customer_id: first.merchant, over_threshold: true, version: 1 },
      },
    }
    await onboarding.bus.publishEvent(
      'events.payments.dispute_standing.changed',
      JSON.stringify(event),
      event.id,
      null,
    )
    await eventually(async () => (await reasonsOf(first)).includes('chargeback_threshold'))
    expect(await reasonsOf(second)).toEqual(['link_unconfirmed'])
    expect(await kyb.noticesTo(second)).toEqual([])
  })

  it('includes all but the first of 16 partners that link concurrently', async () => {
    const partners = Array.from({ length: 16 }, () => newPartner())
    const made = await Promise.all(
      partners.map((partner) => onboarding.newCustomer(partner, 'race', 'race-link@example.com')),
    )
    const reasons = await Promise.all(
      made.map(async ({ partner_customer_id: id, customer_id: merchant }, n) =>
        reasonsOf({ partner: partners[n] ?? newPartner(), id, merchant }),
      ),
    )
    expect(reasons.flat().sort()).toEqual([
      ...Array.from({ length: 15 }, () => 'link_unconfirmed'),
      'verification_required',
    ])
  })

  it('is unconfirmed also if the other relationship is revoked', async () => {
    const { email, first } = await newPair()
    await onboarding.revoke(first.id)
    expect(await reasonsOf(await kyb.newCustomer(email))).toEqual(['link_unconfirmed'])
  })

  it('shows when its own relationship was created, not how old the merchant is', async () => {
    const first = await kyb.newCustomer('created@example.com')
    onboarding.clock.advance(60_000)
    const second = await kyb.newCustomer('created@example.com')
    const [one, two] = [
      await onboarding.read(first.partner, first.id),
      await onboarding.read(second.partner, second.id),
    ]
    expect(valueOf(two).customer.created_at).toBe(valueOf(two).created_at)
    expect(valueOf(two).created_at > String(valueOf(one).customer.created_at)).toBe(true)
  })
})

describe('a link confirmed by staff', () => {
  it('shares the case from then on, emits its capabilities once, and is confirmed once', async () => {
    const { first, second } = await newPair()
    await kyb.write(second, COMPLETE)
    const { verification_id: held } = await kyb.stored(second)
    const theirs = valueOf(await kyb.raise(second.partner, second.id, asked)).requirement.requirement_id
    valueOf(await kyb.approve(first.verificationId))
    const answers = await Promise.all(Array.from({ length: 8 }, () => onboarding.confirmLink(second.id)))
    expect(answers.filter((answer) => answer.ok)).toMatchObject([
      { value: { customer: { partner_customer_id: second.id, relationship_status: 'active' } } },
    ])
    expect(answers.filter((answer) => !answer.ok)).toEqual(Array.from({ length: 7 }, () => alreadyConfirmed))
    expect(await reasonsOf(second)).toEqual([null])
    expect(await kyb.stored(second)).toMatchObject({
      status: 'approved',
      verification_id: first.verificationId,
    })
    expect(await kyb.read(second.partner, held)).toMatchObject({ ok: true })
    const updates = (await kyb.noticesTo(second)).filter(({ type }) => type === 'capability.updated')
    expect(updates.map(({ data }) => data['capability'])).toEqual(CAPABILITIES)
    expect(await idsOf(first)).toEqual([theirs])
    expect((await kyb.noticesTo(first)).at(-1)).toMatchObject({
      type: 'requirement.created',
      data: { requirement_id: theirs, raised_by: 'partner' },
    })
  })

  it('turns the written data into a case for a merchant without one, which the next POST submits', async () => {
    const email = 'no-case@example.com'
    const first = await kyb.newCustomer(email)
    const second = await kyb.newCustomer(email)
    await kyb.addDocuments(second.partner, second.id)
    await kyb.write(second, COMPLETE)
    const held = (await kyb.stored(second)).verification_id
    valueOf(await onboarding.confirmLink(second.id))
    expect(await reasonsOf(second)).toEqual(['verification_required'])
    expect(await kyb.write(second)).toMatchObject({
      submitted: true,
      verification: { status: 'pending', verification_id: held },
    })
    expect(await kyb.write(first)).toMatchObject({
      verification: { status: 'pending', verification_id: held },
    })
    valueOf(await kyb.approve(held))
    expect(await reasonsOf(first)).toEqual([null])
  })

  it('is an edit of the case, which is then approved only in the version with the data of the new partner', async () => {
    const { first, second } = await newPair()
    await kyb.write(second, COMPLETE)
    const before = await kyb.versionOf(first.verificationId)
    valueOf(await onboarding.confirmLink(second.id))
    for (const version of [undefined, before])
      expect(await kyb.approve(first.verificationId, version)).toMatchObject({
        ok: false,
        details: [{ reason: 'modified' }],
      })
    const after = await kyb.versionOf(first.verificationId)
    expect(await kyb.approve(first.verificationId, after)).toMatchObject({ ok: true })
  })

  it('counts with its acceptances only from then on', async () => {
    const { agreement_id: id } = await onboarding.publish()
    const email = 'accepting@example.com'
    const first = await kyb.newPending(email)
    const second = await kyb.newCustomer(email)
    await kyb.addDocuments(second.partner, second.id)
    await kyb.write(second, COMPLETE)
    valueOf(await onboarding.accept({ partner: second.partner, id: second.id, merchantId: '' }, id))
    expect(await kyb.approve(first.verificationId)).toMatchObject({ ok: false, code: 'invalid_state' })
    valueOf(await onboarding.confirmLink(second.id))
    const version = await kyb.versionOf(first.verificationId)
    expect(await kyb.approve(first.verificationId, version)).toMatchObject({ ok: true })
  })

  it('is refused if it was never unconfirmed or does not exist', async () => {
    const first = await kyb.newCustomer()
    expect(await onboarding.confirmLink(first.id)).toEqual(alreadyConfirmed)
    expect(await onboarding.confirmLink(newId('relationship'))).toEqual(notFound)
    expect(await onboarding.confirmLink('pcu_x')).toEqual(notFound)
  })
})
