import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { dataOf, signIn, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newMerchant,
  newPartner,
  orderBody,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'

type Order = { createdAt: string }
type Body = { event: string; order?: { id: string }; data?: Record<string, unknown> } & Record<
  string,
  unknown
>
const HOUR_MS = 3_600_000

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  platform = await startTestPlatform()
  partner = await newPartner(platform)
  await registerReceiver(platform, partner.partnerId, receiver)
})
afterAll(async () => {
  await platform.stop()
  await receiver.stop()
})

/** Tokens are valid for minutes: after the clock was moved a raw caller needs a new one. */
const api = (): Promise<RawClient> =>
  signIn({ baseUrl: platform.baseUrl, clientId: partner.clientId, clientSecret: partner.clientSecret })
const clock = async (answer: ReturnType<RawClient['get']>): Promise<number> =>
  Date.parse(String((await answer).body['now']))
const now = () => clock(platform.sandbox.get('/control/clock'))
const advance = (ms: number) => clock(platform.sandbox.post('/control/clock', { advance_ms: ms }))

/** A merchant with a wildcard registration. */
const newListener = async () => {
  const { customerId, merchantId, path } = await newCustomer(platform, partner.causeway)
  const { causeway: merchant } = await newMerchant(platform, merchantId)
  const made = await merchant.createWebhook({ body: { url: receiver.url } })
  receiver.trust(made.webhookSecret)
  const bodiesOf = (webhookId: string) =>
    receiver.deliveries
      .filter((delivery) => delivery.webhookId === webhookId && delivery.verified)
      .map((delivery) => delivery.event as unknown as Body)
  return {
    customerId,
    path,
    /** Received bodies of an event with a valid signature. */
    received: (event: string) => bodiesOf(made.id).filter((body) => body.event === event),
    /** Event types in the delivery log, one for each delivery. */
    log: async () => {
      const { deliveries } = await merchant.listDeliveries({ webhookId: made.id })
      return deliveries.map(({ event_type }) => event_type)
    },
  }
}
const orderFor = async (customerId: string, reference: string) =>
  (await partner.causeway.createCryptoOrder({ customerId, body: orderBody(reference) })).order
const readOrder = async (orderId: string) => (await partner.causeway.getCryptoOrder({ orderId })).order
const buy = async (orderId: string) =>
  (await partner.causeway.createOnrampOrder({ orderId, body: { fiat: 'EUR' } })).onramp
const readOnramp = async (orderId: string) => (await partner.causeway.getOnrampOrder({ orderId })).onramp
const reportStatus = (onrampOrderId: string, status: string) =>
  platform.sandbox.post(`/control/onramp/${onrampOrderId}`, { status })

test('cancels the order of a failed purchase, which then accepts no other one', async () => {
  const merchant = await newListener()
  const order = await orderFor(merchant.customerId, 'onramp-failed')
  const made = await buy(order.id)
  expect(await buy(order.id)).toEqual(made)
  await reportStatus(made.id, 'declined')
  await eventually(async () => (await readOrder(order.id)).status === 'cancelled')
  const again = await (await api()).post(`/api/v1/partner/orders/${order.id}/onramp`, { fiat: 'EUR' })
  expect(again.status).toBe(409)
})

test('passes 72 hours of an order by moving the clock, with signed events and two killed processes', async () => {
  const merchant = await newListener()
  const order = await orderFor(merchant.customerId, 'onramp-hangs')
  const made = await buy(order.id)
  const atMs = Date.parse(made.createdAt)
  const cap = new Date(atMs + 72 * HOUR_MS).toISOString()
  expect(Date.parse(order.expiresAt) - Date.parse(order.createdAt)).toBe(12 * HOUR_MS)
  expect(made.expiresAt).toBe(cap)
  await reportStatus(made.id, 'extraVerification')
  await eventually(() => merchant.received('ramping.status_changed').length > 0)

  expect(await advance(10 * HOUR_MS)).toBeGreaterThanOrEqual(atMs + 10 * HOUR_MS)
  await eventually(() => merchant.received('ramping.kyc_pending').length > 0)
  expect(merchant.received('ramping.kyc_pending')[0]?.data).toEqual({
    id: made.id,
    orderId: order.id,
    providerStatus: 'extraVerification',
    originalExpiresAt: order.expiresAt,
    newExpiresAt: cap,
    hardCapAt: cap,
    ageHours: expect.closeTo(10, 0),
  })
  expect((await readOrder(order.id)).expiresAt).toBe(cap)

  platform.processes.onramp.kill('SIGKILL')
  platform.processes.payments.kill('SIGKILL')
  await advance(62 * HOUR_MS)
  await eventually(() => merchant.received('expired').length > 0)
  expect(merchant.received('expired')[0]).toMatchObject({
    event: 'expired',
    order: { id: order.id, reference: 'onramp-hangs' },
    reason: 'ramping_kyc_timeout',
    rampingOrderId: made.id,
  })
  expect(merchant.received('ramping.status_changed').at(-1)?.data).toMatchObject({
    id: made.id,
    providerOrderId: made.providerOrderId,
    status: 'expired',
    providerWebhook: { status: 'extraVerification', order_id: made.providerOrderId },
    reason: 'kyc_timeout_72h',
  })
  expect((await readOrder(order.id)).status).toBe('cancelled')
  expect((await readOnramp(order.id)).status).toBe('expired')
  const twin = await eventually(() =>
    receiver.deliveries.find(
      ({ event }) => event.event_type === 'payment.expired' && event.data['order_id'] === order.id,
    ),
  )
  expect(twin).toMatchObject({ verified: true, event: { data: { status: 'cancelled', rail: 'crypto' } } })

  await platform.sandbox.post('/control/deposits', { order_id: order.id })
  const late = await eventually(async () => {
    const { late_payments: listed } = dataOf<{ late_payments: Record<string, unknown>[] }>(
      await platform.staff.get('/api/operator/late-payments'),
    )
    return listed.find((payment) => payment['order_id'] === order.id)
  })
  expect(late).toMatchObject({ onramp_order_id: made.id, order_status: 'cancelled', asset: 'BTC' })
  // The log has one row for each event, however often it was sent.
  expect((await merchant.log()).sort()).toEqual([
    'expired',
    'pending',
    'ramping.kyc_pending',
    'ramping.status_changed',
    'ramping.status_changed',
  ])
})

test('gives every service the moved clock, also one that starts afterwards', async () => {
  const merchant = await newListener()
  const before = await api()
  const order = await orderFor(merchant.customerId, 'before-the-move')
  const movedTo = await advance(13 * HOUR_MS)
  expect((await before.get(`/api/v1/partner/orders/${order.id}`)).status).toBe(401)
  await eventually(async () => (await readOrder(order.id)).status === 'expired')
  const later = await orderFor(merchant.customerId, 'after-the-move')
  expect(Date.parse(later.createdAt)).toBeGreaterThanOrEqual(movedTo)
  platform.processes.payments.kill('SIGKILL')
  await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
  const last = await eventually(async () => {
    const answer = await (await api()).post(`${merchant.path}/orders`, orderBody('after-the-restart'))
    return answer.status === 201 && dataOf<{ order: Order }>(answer).order
  })
  expect(Date.parse(last.createdAt)).toBeGreaterThanOrEqual(Date.parse(later.createdAt))
  expect(await now()).toBeGreaterThanOrEqual(movedTo)
})
