import { newId, queryNone } from '@causeway/chassis'
import { agreements, type DomainEvent } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { newPartner, OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

export const DOCUMENT = Buffer.from('The terms, in full. Die Bedingungen, vollständig.')
export const HASH = createHash('sha256').update(DOCUMENT).digest('hex')

/** Approves every merchant's case: agreements matter only after that. */
const approve = queryNone({
  name: 'test.approve-merchants',
  text: "UPDATE merchants SET verification = 'approved', verification_expires_at = '2999-01-01'",
})

const PUBLICATION = {
  title: 'Terms of service',
  version: '1.0',
  effective_date: '2026-01-01',
  parties: [{ role: 'provider', name: 'Causeway' }],
  disclosure: 'By accepting you agree.',
  content_base64: DOCUMENT.toString('base64'),
}
type Partner = ReturnType<typeof newPartner>
export type TestCustomer = Readonly<{ partner: Partner; id: string; merchantId: string }>
type Fields = Readonly<Record<string, unknown>>

/** The events of one type to a customer's partner. */
export const noticesOf = (events: readonly DomainEvent[], { id }: Pick<TestCustomer, 'id'>, type: string) =>
  events.flatMap((event) =>
    event.partners.filter((notice) => notice.type === type && notice.partner_customer_id === id),
  )

/** The facts for other services' projections, in order. */
export const factsOf = (events: readonly DomainEvent[]) =>
  events.flatMap(({ fact }) => (fact?.kind === 'relationship' ? [fact.relationship] : []))

/** Starts a service for tests of agreements, which concern every customer of a service. */
export const startWithAgreements = async (started?: RunningOnboarding) => {
  const onboarding = started ?? (await startForTests())
  const tryPublish = (over: Fields = {}) =>
    onboarding.ask(agreements.publish, OPERATOR, { body: { ...PUBLICATION, ...over } })

  return {
    ...onboarding,
    tryPublish,
    async publish(over: Fields = {}) {
      const published = await tryPublish(over)
      if (!published.ok) throw new Error(JSON.stringify(published))
      return published.value.agreement
    },
    async customer(partner: Partner = newPartner(), email = `${newId('request')}@example.com`) {
      const created = await onboarding.newCustomer(partner, newId('request'), email)
      return { partner, id: created.partner_customer_id, merchantId: created.customer_id }
    },
    accept: (customer: TestCustomer, agreementId: string, over: Fields = {}) =>
      onboarding.ask(agreements.accept, customer.partner, {
        params: { customerId: customer.id, agreementId },
        body: {
          agreement_version: '1.0',
          acceptance_channel: 'partner_web',
          accepted_at: onboarding.clock.now().toISOString(),
          evidence: { ip: '192.0.2.1', checkbox: true, seconds: 12.5, referrer: null },
          ...over,
        },
      }),
    approveAll: () => approve(onboarding.db),
    async agreementsOf({ partner, id }: TestCustomer) {
      const listed = await onboarding.ask(agreements.list, partner, { params: { customerId: id }, query: {} })
      if (!listed.ok) throw new Error(listed.code)
      return listed.value.agreements
    },
    /** The distinct reasons of its capabilities. */
    async reasonsOf({ partner, id }: TestCustomer) {
      const listed = await onboarding.listCapabilities(partner, id)
      if (!listed.ok) throw new Error(listed.code)
      return [...new Set(listed.value.capabilities.map((capability) => capability.reason))]
    },
  }
}
