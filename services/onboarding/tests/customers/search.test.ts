import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { customers, relationships } from '@causeway/contracts'
import { newPartner, OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(() => onboarding.stop())

const found = async (body: object) => {
  const answer = await onboarding.ask(customers.search, OPERATOR, { body })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.customers.map((customer) => customer.partner_customer_id).toSorted()
}

it('finds the customers of all partners by e-mail, external id and merchant for staff, and reads one', async () => {
  const [one, two] = [newPartner(['refunds']), newPartner()]
  const externalId = newId('request')
  const email = `${externalId}@example.com`
  const links = [
    await onboarding.newCustomer(one, externalId, email),
    await onboarding.newCustomer(two, `${externalId}-2`, email.toUpperCase()),
  ]
  const ids = links.map((link) => link.partner_customer_id)
  const [first] = links
  expect(await found({ email })).toEqual(ids.toSorted())
  expect(await found({ customer_id: first?.customer_id })).toEqual(ids.toSorted())
  expect(await found({ external_customer_id: externalId })).toEqual([ids[0]])
  expect(await found({ email: 'nobody@example.com' })).toEqual([])
  const params = { partnerCustomerId: ids[0] ?? '' }
  expect(await onboarding.ask(relationships.getByStaff, OPERATOR, { params })).toMatchObject({
    value: {
      customer: {
        partner_id: one.partnerId,
        external_customer_id: externalId,
        link_confirmed: true,
        suspended_capabilities: [],
        verification: null,
        customer: { email },
      },
    },
  })
  const unknown = { partnerCustomerId: newId('relationship') }
  expect(await onboarding.ask(relationships.getByStaff, OPERATOR, { params: unknown })).toMatchObject({
    code: 'resource_not_found',
  })
  expect(await onboarding.ask(customers.search, OPERATOR, { body: {} })).toMatchObject({
    code: 'invalid_request',
  })
})
