import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { asked } from '../requirements/requirement-calls.ts'
import { newPartner, VERIFICATION_TTL_MS } from '../running-onboarding.ts'
import { valueOf } from '../verifications/kyb-calls.ts'
import { COMPLETE } from '../verifications/kyb-data.ts'
import { startWithNextSteps, type WithNextSteps } from './next-step-calls.ts'

let onboarding: WithNextSteps
beforeAll(async () => {
  onboarding = await startWithNextSteps()
})
afterAll(() => onboarding.stop())

const notFound = { ok: false, code: 'resource_not_found' }
const newCustomer = () => onboarding.customer(newPartner(['payments.crypto', 'payments.fiat_card']))

describe('next steps', () => {
  it('follow a customer from its sign-up to the renewal of its approval, for partner and staff alike', async () => {
    const customer = await newCustomer()
    const { namesOf, kyb } = onboarding
    expect(await namesOf(customer)).toEqual(['start_verification', 'complete_fields', 'upload_documents'])
    await kyb.write(customer, { ...COMPLETE, consent: { version: null } })
    const [fields] = await onboarding.stepsOf(customer)
    expect(fields).toMatchObject({ step: 'complete_fields', resource: { fields: ['consent.version'] } })
    await kyb.write(customer, COMPLETE)
    expect(await namesOf(customer)).toEqual(['upload_documents'])
    await onboarding.addDocuments(customer)
    expect(await namesOf(customer)).toEqual(['submit_verification'])
    const { verification } = await kyb.write(customer)
    expect(await namesOf(customer)).toEqual(['await_review'])

    const { requirement } = valueOf(await kyb.raiseByStaff(customer.merchantId, asked))
    const [answer] = await onboarding.stepsOf(customer)
    expect(answer).toMatchObject({
      step: 'answer_requirement',
      actor: 'partner',
      resource: { requirement_id: requirement.requirement_id },
    })
    valueOf(
      await kyb.update(customer.partner, customer.id, requirement.requirement_id, { status: 'fulfilled' }),
    )
    valueOf(await kyb.reject(verification.verification_id, 'document_illegible'))
    const [again] = await onboarding.stepsOf(customer)
    expect(again).toMatchObject({ step: 'submit_verification', reason: 'verification_required' })
    expect(again?.message).toContain('document_illegible')
    await kyb.write(customer)
    valueOf(await kyb.approve(verification.verification_id))
    expect(await namesOf(customer)).toEqual([])

    onboarding.clock.advance(VERIFICATION_TTL_MS)
    await eventually(async () => {
      expect(await namesOf(customer)).toEqual(['renew_verification'])
      return true
    })
    await kyb.write(customer)
    expect(await namesOf(customer)).toEqual(['await_review'])
  })

  it('name a suspension, disputes with their measure, and an agreement with its version and document', async () => {
    const customer = await newCustomer()
    await onboarding.approveAll()
    await onboarding.suspend(customer.merchantId, ['payouts', 'payments.crypto'])
    await onboarding.setDisputes(customer, true, 0.025)
    const agreement = await onboarding.publish({ version: '2026-02' })
    const steps = await onboarding.stepsOf(customer)
    expect(
      steps.filter(({ step }) =>
        ['accept_agreement', 'await_reinstatement', 'reduce_disputes'].includes(step),
      ),
    ).toMatchObject([
      {
        step: 'accept_agreement',
        actor: 'merchant',
        reason: 'agreement_required',
        resource: {
          agreement_id: agreement.agreement_id,
          agreement_version: '2026-02',
          document_url: agreement.document_url,
        },
      },
      { step: 'await_reinstatement', capabilities: ['payments.crypto'] },
      {
        step: 'reduce_disputes',
        capabilities: ['payments.fiat_card'],
        resource: { share: 0.025, threshold: 0.01, window_hours: 720 },
      },
    ])
    expect(valueOf(await onboarding.stepsByStaff(customer)).next_steps).toEqual(steps)
  })

  it('hide what belongs to the merchant until the link is confirmed', async () => {
    const email = `${newId('request')}@example.com`
    const first = await onboarding.customer(newPartner(), email)
    await onboarding.kyb.write(first)
    valueOf(await onboarding.kyb.raiseByStaff(first.merchantId, asked))
    await onboarding.suspend(first.merchantId, ['payments.crypto'])
    const second = await onboarding.customer(newPartner(), email)
    await onboarding.kyb.write(second)
    const alone = await onboarding.namesOf(second)
    expect(alone.filter((step) => step !== 'accept_agreement')).toEqual([
      'confirm_link',
      'complete_fields',
      'upload_documents',
    ])
    valueOf(await onboarding.confirmLink(second.id))
    expect(await onboarding.namesOf(second)).toEqual(
      expect.arrayContaining(['answer_requirement', 'await_reinstatement']),
    )
  })

  it("are those of a missing customer for another partner's or a revoked one", async () => {
    const customer = await newCustomer()
    const unknown = await onboarding.tryList({ partner: newPartner(), id: newId('relationship') })
    expect(unknown).toEqual(notFound)
    expect(await onboarding.tryList({ partner: newPartner(), id: customer.id })).toEqual(unknown)
    await onboarding.revoke(customer.id)
    expect(await onboarding.tryList(customer)).toEqual(unknown)
    expect((await onboarding.stepsByStaff(customer)).ok).toBe(true)
    expect(await onboarding.stepsByStaff({ id: newId('relationship') })).toEqual(notFound)
  })
})
