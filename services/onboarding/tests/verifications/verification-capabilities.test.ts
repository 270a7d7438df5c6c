import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { agreements, CAPABILITIES } from '@causeway/contracts'
import { kybCalls, valueOf, type KybCalls, type KybCustomer } from './kyb-calls.ts'
import {
  OPERATOR,
  startForTests,
  VERIFICATION_TTL_MS,
  type RunningOnboarding,
} from '../running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(async () => {
  await onboarding.stop()
})

/** The distinct reasons of the seven capabilities; only null means that all are available. */
const reasonsOf = async ({ partner, id }: KybCustomer) => {
  const { capabilities } = valueOf(await onboarding.listCapabilities(partner, id))
  expect(capabilities).toHaveLength(7)
  for (const capability of capabilities) expect(capability.available).toBe(capability.reason === null)
  return [...new Set(capabilities.map((capability) => capability.reason))]
}
/** The capabilities in the relationship's last fact for other services. */
const projected = async ({ partner, id }: KybCustomer) =>
  valueOf(await onboarding.resolve(partner.partnerId, id)).capabilities
const updatesTo = async (customer: KybCustomer) =>
  (await kyb.noticesTo(customer))
    .filter((notice) => notice.type === 'capability.updated')
    .map(({ data }) => `${String(data['capability'])} ${String(data['reason'])}`)
const allSeven = (reason: string) => CAPABILITIES.map((capability) => `${capability} ${reason}`)

describe('capabilities', () => {
  it('need an approved case: they are unavailable before it and available after it, for every partner of the merchant', async () => {
    const one = await kyb.newPending('available@example.com')
    const two = await kyb.newCustomer('available@example.com')
    expect(await reasonsOf(one)).toEqual(['verification_required'])
    expect(await reasonsOf(two)).toEqual(['verification_required'])
    await kyb.approve(one.verificationId)
    for (const customer of [one, two]) {
      expect(await reasonsOf(customer)).toEqual([null])
      expect(await updatesTo(customer)).toEqual(allSeven('null'))
      expect((await projected(customer)).every((capability) => capability.available)).toBe(true)
    }
    const three = await kyb.newCustomer('available@example.com')
    expect(await reasonsOf(three)).toEqual([null])
  })

  it('stay unavailable after a rejection, which emits no capability events', async () => {
    const customer = await kyb.newPending()
    await kyb.reject(customer.verificationId)
    expect(await reasonsOf(customer)).toEqual(['verification_required'])
    expect(await updatesTo(customer)).toEqual([])
  })

  it('become unavailable when the approval expires, to the second, and available with the next one', async () => {
    const customer = await kyb.newPending()
    await kyb.approve(customer.verificationId)
    expect(await updatesTo(customer)).toEqual(allSeven('null'))
    onboarding.clock.advance(VERIFICATION_TTL_MS - 1_000)
    expect(await reasonsOf(customer)).toEqual([null])
    onboarding.clock.advance(1_000)
    await eventually(async () => (await reasonsOf(customer))[0] === 'verification_expired')
    expect(await kyb.stored(customer)).toMatchObject({ status: 'approved' })
    await kyb.write(customer)
    expect(await reasonsOf(customer)).toEqual(['verification_required'])
    await kyb.approve(customer.verificationId)
    const later = [
      ...allSeven('verification_expired'),
      ...allSeven('verification_required'),
      ...allSeven('null'),
    ]
    // Events of a year ago are purged.
    expect((await updatesTo(customer)).slice(-later.length)).toEqual(later)
  })
})

describe('a published agreement', () => {
  it('must be accepted by a relationship with a complete submission before the case is approved', async () => {
    const customer = await kyb.newPending('agreed@example.com')
    const other = await kyb.newCustomer('agreed@example.com')
    await kyb.write(other)
    const { agreement } = valueOf(
      await onboarding.ask(agreements.publish, OPERATOR, {
        body: {
          title: 'Terms',
          version: '1',
          effective_date: '2026-11-01',
          parties: [{ role: 'platform', name: 'Causeway' }],
          disclosure: 'Read them.',
          content_base64: Buffer.from('Terms').toString('base64'),
        },
      }),
    )
    const accept = ({ partner, id }: KybCustomer) =>
      onboarding.ask(agreements.accept, partner, {
        params: { customerId: id, agreementId: agreement.agreement_id },
        body: {
          agreement_version: '1',
          acceptance_channel: 'partner_web',
          accepted_at: onboarding.clock.now().toISOString(),
          evidence: {},
        },
      })
    const refused = {
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'pending', to: 'approved', reason: 'agreement_required' }],
    }
    expect(await kyb.approve(customer.verificationId)).toEqual(refused)
    await accept(other)
    expect(await kyb.approve(customer.verificationId)).toEqual(refused)
    await accept(customer)
    expect(await kyb.approve(customer.verificationId)).toMatchObject({ ok: true })
    expect(await reasonsOf(customer)).toEqual([null])
  })
})
