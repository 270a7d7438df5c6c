import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { dataOf, type Answer } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newMerchant,
  newPartner,
  orderBody,
  registerReceiver,
  claimPlatform,
  type ClaimedPlatform,
} from './platform.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>

beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
})
afterAll(() => platform.release())

const refusalOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details]

/** A receiver that the merchant registers with its own key. */
const startMerchantReceiver = async (merchant: string) => {
  const { causeway } = await newMerchant(platform, merchant)
  const receiver = await startReceiver()
  const { webhookSecret } = await causeway.createWebhook({ body: { url: receiver.url } })
  receiver.trust(webhookSecret)
  return receiver
}

type AuditEntry = { action: string; target: string; before: unknown; after: unknown }
const lastEntry = async (action: string, target: string): Promise<AuditEntry | undefined> => {
  const entries: AuditEntry[] = []
  for (let cursor = ''; ;) {
    const page = dataOf<{ entries: AuditEntry[]; next_cursor: string | null }>(
      await platform.staff.get(`/api/operator/audit?limit=100${cursor}`),
    )
    entries.push(...page.entries)
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  return entries.findLast((entry) => entry.action === action && entry.target.includes(target))
}

test('refuses new orders after a withdrawn grant and a suspension, each with its code, until they are lifted', async () => {
  const { customerId, merchantId: merchant, path: customer } = await newCustomer(platform, partner.causeway)
  const order = (reference: string) => partner.api.post(`${customer}/orders`, orderBody(reference))
  const grant = (enabled: boolean) =>
    platform.staff.put(`/api/operator/customers/${customerId}/capabilities/payments.crypto`, { enabled })
  const suspend = (capabilities: string[]) =>
    platform.staff.put(`/api/operator/merchants/${merchant}/suspension`, { capabilities })

  expect((await grant(false)).status).toBe(200)
  const refused = await eventually(async () => {
    const answer = await order('without-grant')
    return answer.status !== 201 && answer
  })
  expect(refusalOf(refused)).toEqual([403, 'capability_not_enabled', undefined])
  expect(await lastEntry('onboarding.capabilities.grant', customerId)).toMatchObject({
    before: { capability: { capability: 'payments.crypto', enabled: true } },
    after: { capability: { capability: 'payments.crypto', enabled: false } },
  })

  await grant(true)
  await suspend(['payments.crypto'])
  const suspended = await eventually(async () => {
    const answer = await order('while-suspended')
    return answer.status === 409 && answer
  })
  expect(refusalOf(suspended)).toEqual([409, 'capability_unavailable', [{ reason: 'suspended' }]])

  await suspend([])
  await eventually(async () => (await order('after-all')).status === 201)
})

test('hides a revoked customer from its partner in every service until it is reinstated', async () => {
  const receiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver)
  const { customerId, merchantId, path: customer } = await newCustomer(platform, partner.causeway)
  const merchantReceiver = await startMerchantReceiver(merchantId)
  const body = orderBody('before-revocation')
  const { order } = await partner.causeway.createCryptoOrder({ customerId, body })
  // An event of the test before may still be on its way to the same partner.
  const receivedTypes = () =>
    receiver.deliveries
      .filter(({ event }) => event.data['partner_customer_id'] === customerId)
      .map(({ event }) => event.event_type)
      .filter((type) => type.startsWith('payment.') || type.startsWith('customer.'))
      .sort()
  // The verification has set the customer's name.
  await eventually(() => receivedTypes().length === 2)

  await platform.staff.post(`/api/operator/customers/${customerId}/revoke`)
  const hidden = [
    customer,
    `${customer}/orders`,
    `${customer}/capabilities`,
    `/api/v1/partner/orders/${order.id}`,
  ]
  for (const path of hidden) {
    const answer = await eventually(async () => {
      const found = await partner.api.get(path)
      return found.status !== 200 && found
    })
    expect(refusalOf(answer)).toEqual([404, 'resource_not_found', undefined])
  }
  await platform.sandbox.post('/control/deposits', { order_id: order.id })
  // The merchant still gets its event, which shows that the deposit counted during the revocation.
  await eventually(() =>
    merchantReceiver.deliveries.some(({ event }) => 'event' in event && event.event === 'paid'),
  )

  const entry = await lastEntry('onboarding.relationships.revoke', customerId)
  expect(entry).toMatchObject({ before: { relationship_status: 'active' } })
  expect(JSON.stringify(entry)).not.toContain('@')

  const reinstated = await platform.staff.post(`/api/operator/customers/${customerId}/reinstate`)
  expect(reinstated.status).toBe(200)
  await eventually(async () => {
    const answer = await partner.api.get(`/api/v1/partner/orders/${order.id}`)
    expect(answer.status).toBe(200)
    expect(dataOf<{ order: { status: string } }>(answer).order.status).toBe('paid')
    return true
  })
  await eventually(() => {
    // Its verification, the revocation and the reinstatement.
    const updates = ['customer.updated', 'customer.updated', 'customer.updated']
    expect(receivedTypes()).toEqual([...updates, 'payment.pending'])
    return true
  })
  await Promise.all([receiver.stop(), merchantReceiver.stop()])
})

test('refuses a disabled client, also with a token that it has', async () => {
  const doomed = await newPartner(platform)
  expect((await doomed.api.get('/api/v1/partner/customers')).status).toBe(200)
  await platform.staff.patch(`/api/operator/clients/${doomed.clientId}`, { status: 'disabled' })
  const refused = await eventually(async () => {
    const answer = await doomed.api.get('/api/v1/partner/customers')
    return answer.status !== 200 && answer
  })
  expect(refusalOf(refused)).toEqual([401, 'unauthorized', [{ reason: 'revoked' }]])
})

test('sends a disabled partner no event, and delivers what staff resend once it is enabled', async () => {
  const doomed = await newPartner(platform)
  const receiver = await startReceiver()
  const webhookId = await registerReceiver(platform, doomed.partnerId, receiver)
  const { customerId } = await newCustomer(platform, doomed.causeway)
  const { order } = await doomed.causeway.createCryptoOrder({ customerId, body: orderBody('disabled') })
  const path = `/api/operator/partners/${doomed.partnerId}`
  const firstMissed = async (type: string) => {
    const query = `status=missed&event_type=${type}`
    const listed = await platform.staff.get(`${path}/webhooks/${webhookId}/events?${query}`)
    return dataOf<{ events: { event_id: string }[] }>(listed).events[0]
  }
  await platform.staff.patch(path, { status: 'disabled' })
  // Until webhooks knows of it, for at most a second, events are still sent.
  let enabled = true
  await eventually(async () => {
    enabled = !enabled
    await platform.staff.put(`/api/operator/customers/${customerId}/capabilities/payouts`, { enabled })
    return firstMissed('capability.updated')
  })
  await platform.sandbox.post('/control/deposits', { order_id: order.id })
  const missed = await eventually(() => firstMissed('payment.confirmed'))
  const resent = await platform.staff.post(`${path}/webhooks/${webhookId}/events/${missed.event_id}/resend`)
  expect(dataOf(resent)).toMatchObject({ delivery: { status: 'waiting' } })
  const receivedIds = () => receiver.deliveries.map(({ event }) => event.event_id)
  expect(receivedIds()).not.toContain(missed.event_id)

  await platform.staff.patch(path, { status: 'active' })
  await eventually(() => receivedIds().includes(missed.event_id))
  await receiver.stop()
})
