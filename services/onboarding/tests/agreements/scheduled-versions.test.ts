import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { agreements } from '@causeway/contracts'
import { eventually } from '@causeway/chassis/testing'
import { factsOf, startWithAgreements, type TestCustomer } from './agreement-fixture.ts'

const DAY_MS = 86_400_000

let onboarding: Awaited<ReturnType<typeof startWithAgreements>>
beforeEach(async () => {
  onboarding = await startWithAgreements()
})
afterEach(async () => {
  await onboarding.stop()
})

const inDays = (days: number) => new Date(onboarding.clock.nowMs() + days * DAY_MS).toISOString()
const becomes = (customer: TestCustomer, reason: string | null) =>
  eventually(async () => {
    expect(await onboarding.reasonsOf(customer)).toEqual([reason])
    return true
  })

/** Waits until the last facts of these customers have these reasons. */
const toldOf = (customers: readonly TestCustomer[], reasons: readonly (string | null)[]) =>
  eventually(async () => {
    const facts = factsOf(await onboarding.events())
    const told = customers.map(({ id }) => facts.findLast(({ partner_customer_id: of }) => of === id))
    expect(told.map((fact) => fact?.capabilities[0]?.reason)).toEqual(reasons)
    return true
  })

describe('a scheduled version', () => {
  it('requires nothing until its time, and then of those who have not accepted it', async () => {
    const [early, late] = [await onboarding.customer(), await onboarding.customer()]
    await onboarding.approveAll()
    const { agreement_id: id } = await onboarding.publish()
    // The case was approved behind the service's back: its facts say so from the next change on.
    await toldOf([early, late], ['agreement_required', 'agreement_required'])
    for (const customer of [early, late]) await onboarding.accept(customer, id)
    const effectiveAt = inDays(3)
    const published = await onboarding.publish({
      agreement_id: id,
      version: '2.0',
      effective_at: effectiveAt,
    })
    expect(published).toMatchObject({ version: '2.0', effective_at: effectiveAt })
    expect(await onboarding.accept(early, id, { agreement_version: '2.0' })).toMatchObject({
      ok: true,
      variant: 'created',
    })
    const upcoming = { version: '2.0', effective_at: effectiveAt, document_url: published.document_url }
    const [shown] = await onboarding.agreementsOf(early)
    expect(shown).toMatchObject({
      version: '1.0',
      status: 'accepted',
      upcoming: { ...upcoming, accepted: true },
    })
    expect(shown?.previous_acceptances).toEqual([])
    expect(await onboarding.agreementsOf(late)).toMatchObject([
      { upcoming: { ...upcoming, accepted: false } },
    ])
    onboarding.clock.advance(3 * DAY_MS - 1)
    for (const customer of [early, late]) expect(await onboarding.reasonsOf(customer)).toEqual([null])

    onboarding.clock.advance(1)
    await becomes(late, 'agreement_required')
    expect(await onboarding.reasonsOf(early)).toEqual([null])
    expect(await onboarding.agreementsOf(early)).toMatchObject([{ version: '2.0', status: 'accepted' }])
    const [required] = await onboarding.agreementsOf(late)
    expect(required).toMatchObject({ version: '2.0', status: 'superseded' })
    expect(required).not.toHaveProperty('upcoming')
    await toldOf([early, late], [null, 'agreement_required'])
    await onboarding.accept(late, id, { agreement_version: '2.0' })
    await becomes(late, null)
  })

  it('is in no list and required of nobody, including sign-ups, until its time when the agreement is new', async () => {
    const before = await onboarding.customer()
    const effectiveAt = inDays(1)
    const { agreement_id: id, content_hash: hash } = await onboarding.publish({ effective_at: effectiveAt })
    const after = await onboarding.customer()
    await onboarding.approveAll()
    for (const customer of [before, after]) {
      expect(await onboarding.agreementsOf(customer)).toEqual([])
      expect(await onboarding.reasonsOf(customer)).toEqual([null])
    }
    const params = { agreementId: id, contentHash: hash }
    expect(await onboarding.ask(agreements.getDocument, { kind: 'public' }, { params })).toMatchObject({
      ok: true,
    })
    await onboarding.accept(before, id)
    onboarding.clock.advance(DAY_MS)
    await becomes(after, 'agreement_required')
    expect(await onboarding.reasonsOf(before)).toEqual([null])
  })

  it('counts as published, and is replaced only by a version scheduled for later', async () => {
    const { agreement_id: id } = await onboarding.publish({ effective_at: inDays(-1) })
    const customer = await onboarding.customer()
    const versionsOf = async () => (await onboarding.agreementsOf(customer)).map(({ version }) => version)
    expect(await versionsOf()).toEqual(['1.0'])
    await onboarding.publish({ agreement_id: id, version: 'in two days', effective_at: inDays(2) })
    await onboarding.publish({ agreement_id: id, version: 'in a day', effective_at: inDays(1) })
    for (const over of [{}, { effective_at: inDays(3) }])
      expect(await onboarding.tryPublish({ agreement_id: id, version: 'in a day', ...over })).toMatchObject({
        code: 'invalid_state',
        details: [{ field: 'version', reason: 'already_published' }],
      })
    expect(await onboarding.accept(customer, id, { agreement_version: 'unknown' })).toMatchObject({
      details: [{ reason: 'not_current', current_version: '1.0' }],
    })
    await onboarding.publish({ agreement_id: id, version: 'immediate' })
    expect(await onboarding.agreementsOf(customer)).toMatchObject([
      { version: 'immediate', upcoming: { version: 'in a day' } },
    ])
    onboarding.clock.advance(2 * DAY_MS)
    await eventually(async () => {
      expect(await versionsOf()).toEqual(['in two days'])
      return true
    })
    expect(await onboarding.accept(customer, id, { agreement_version: 'in a day' })).toMatchObject({
      details: [{ reason: 'not_current', current_version: 'in two days' }],
    })
  })
})
