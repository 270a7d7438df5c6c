import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newMerchant,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'
import { findIntegration } from '@causeway/scenario'

type Difference = { difference_id: string; kind: string; order_key: string | null; partner_id: string | null }
type Report = {
  processors: { processor: string; last_run: object | null; open_differences: Record<string, number> }[]
  differences: Difference[]
  next_cursor: string | null
}

type MerchantBody = {
  event: string
  order: { id: string }
  processor: { order_id: string; refunded_amount: number }
}

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let merchantReceiver: Awaited<ReturnType<typeof startReceiver>>
let customerId: string
let integrationId: string

beforeAll(async () => {
  // The timeouts of production: some tests wait for the one of the processor.
  platform = await startTestPlatform({ REFUND_RECONCILIATION_INTERVAL: '1s', TIMEOUT_FACTOR: '1' })
  partner = await newPartner(platform, { default_capabilities: ['payments.fiat_card', 'refunds'] })
  receiver = await startReceiver()
  merchantReceiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver)
  const customer = await newCustomer(platform, partner.causeway)
  customerId = customer.customerId
  const { causeway: merchant } = await newMerchant(platform, customer.merchantId)
  await merchant.createWebhook({ body: { url: merchantReceiver.url } })
  integrationId = await findIntegration(partner.causeway, customerId)
})
afterEach(async () => {
  await platform.sandbox.put('/control/card-notices', {})
})
afterAll(async () => {
  await platform.stop()
  await Promise.all([receiver.stop(), merchantReceiver.stop()])
})

let keys = 0
const keyed = () => ({ 'idempotency-key': `reconciliation-${(keys += 1)}` })
const orderPath = (orderKey: string) => `/api/v1/partner/fiat-orders/${orderKey}`
const readOrder = async (orderKey: string) => (await partner.causeway.getFiatOrder({ orderKey })).order
const refundsOf = async (orderKey: string) => (await partner.causeway.listRefunds({ orderKey })).refunds
const readReport = async (): Promise<Report> =>
  dataOf<Report>(await platform.staff.get('/api/operator/reconciliation?limit=100'))
/** The partner's events of an order, without repeated deliveries. */
const eventsOf = (type: string, orderKey: string) => {
  const events = receiver.deliveries
    .map(({ event }) => event)
    .filter(({ event_type: each, data }) => each === type && data['order_key'] === orderKey)
  return [...new Map(events.map((event) => [event.event_id, event])).values()]
}
/** Cents refunded of an order by the merchant's events, by the processor's refund id. */
const merchantRefunds = (orderId: string) => {
  const bodies = merchantReceiver.deliveries
    .map(({ event }) => event as unknown as MerchantBody)
    .filter(({ event, order }) => event === 'refunded' && order.id === orderId)
  return new Map(bodies.map(({ processor }) => [processor.order_id, processor.refunded_amount]))
}
const muteNotices = () => platform.sandbox.put('/control/card-notices', { copies: 0 })
const outcome = (orderKey: string, of: string) =>
  platform.sandbox.post(`/control/card-payments/${orderKey}`, { outcome: of })
const becomes = (orderKey: string, status: string) =>
  eventually(async () => (await readOrder(orderKey)).status === status)

const newOrder = async () => {
  const body = {
    integration_id: integrationId,
    amount_cents: 10_000,
    currency: 'EUR',
    service_fee_payer: 'customer',
  } as const
  return (await partner.causeway.createFiatOrder({ customerId, body })).order
}
const newPaidOrder = async () => {
  const order = await newOrder()
  await outcome(order.order_key, 'completed')
  await becomes(order.order_key, 'paid')
  return order
}
const refundOutside = async (orderKey: string, cents: number) => {
  const made = await platform.sandbox.post(`/control/card-refunds/${orderKey}`, { amount_cents: cents })
  expect(made.status).toBe(200)
}

test.each([
  ['with the processor’s notice', async () => Promise.resolve()],
  ['without any notice, by the comparison alone', muteNotices],
])('records a refund made outside the API and emits it on both channels, once: %s', async (_, prepare) => {
  const { order_key: orderKey, order_id: orderId } = await newPaidOrder()
  await prepare()
  await refundOutside(orderKey, 4_000)
  const [refund] = await eventually(async () => {
    const listed = await refundsOf(orderKey)
    return listed.length === 1 && listed
  })
  expect(refund).toMatchObject({ amount_cents: 4_000, status: 'succeeded', source: 'processor' })
  expect(await readOrder(orderKey)).toMatchObject({ status: 'paid', refunded_cents: 4_000 })

  await refundOutside(orderKey, 6_250)
  await becomes(orderKey, 'refunded')
  expect(await readOrder(orderKey)).toMatchObject({ refunded_cents: 10_250 })
  await eventually(async () => (await refundsOf(orderKey)).length === 2)
  await eventually(() => eventsOf('refund.completed', orderKey).length >= 2)
  await eventually(
    () => eventsOf('payment.refunded', orderKey).length >= 2 && merchantRefunds(orderId).size >= 2,
  )
  const ids = eventsOf('refund.completed', orderKey).map(({ data }) => data['refund_id'])
  expect(ids.sort()).toEqual((await refundsOf(orderKey)).map(({ refund_id: id }) => id).sort())
  const statuses = eventsOf('payment.refunded', orderKey).map(({ data }) => data['status'])
  expect(statuses.sort()).toEqual(['paid', 'refunded'])
  expect([...merchantRefunds(orderId).values()].sort()).toEqual([4_000, 6_250])
})

test('counts no cents twice and sends both events once for a dispute during a refund', async () => {
  const { order_key: orderKey, order_id: orderId, total_cents: total } = await newPaidOrder()
  await muteNotices()
  await platform.sandbox.put('/control/faults', { target: 'card', mode: 'after_effect_timeout', count: 1 })
  const headers = keyed()
  const body = { amount_cents: 4_000 }
  const lost = partner.api.post(`${orderPath(orderKey)}/refunds`, body, headers)
  await eventually(async () => (await refundsOf(orderKey)).length === 1)
  const csv =
    'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency\n' +
    `in-the-middle,${orderKey},,,,,\n`
  const imported = await fetch(`${platform.baseUrl}/api/operator/chargebacks/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': 'text/csv' },
    body: csv,
  })
  expect(await imported.json()).toMatchObject({ data: { imported: 1 } })
  expect((await lost).status).toBe(500)

  const settled = await eventually(async () => {
    const again = await partner.api.post(`${orderPath(orderKey)}/refunds`, body, headers)
    return again.status === 201 && again
  })
  expect(settled.body.data).toMatchObject({ refund: body, refunded_cents: 4_000 })
  await eventually(() => eventsOf('refund.completed', orderKey).length > 0)
  await eventually(
    () => eventsOf('payment.refunded', orderKey).length > 0 && merchantRefunds(orderId).size > 0,
  )
  expect(await readOrder(orderKey)).toMatchObject({
    status: 'chargeback',
    refunded_cents: 0,
    chargeback_cents: total,
  })
  expect(await refundsOf(orderKey)).toMatchObject([{ status: 'succeeded', source: 'api' }])
  expect(eventsOf('payment.refunded', orderKey)).toHaveLength(1)
  expect(eventsOf('refund.completed', orderKey)).toHaveLength(1)
  expect([...merchantRefunds(orderId).values()]).toEqual([4_000])
})

test('lets staff read a difference and close it, and records that in the audit log', async () => {
  const { order_key: orderKey } = await newOrder()
  await outcome(orderKey, 'expired')
  await becomes(orderKey, 'expired')
  await muteNotices()
  await outcome(orderKey, 'completed')
  await refundOutside(orderKey, 500)
  const found = await eventually(async () =>
    (await readReport()).differences.find((each) => each.order_key === orderKey),
  )
  expect(found).toMatchObject({
    kind: 'missing_here',
    partner_id: partner.partnerId,
    here: null,
    at_processor: { amount_cents: 500, currency: 'EUR', status: 'succeeded' },
  })
  expect(eventsOf('refund.completed', orderKey)).toEqual([])
  const { processors } = await readReport()
  expect(
    processors.map(({ processor, open_differences: open }) => [processor, open['missing_here']]),
  ).toEqual([
    ['processor', 1],
    ['processor_full', 0],
  ])

  const close = `/api/operator/reconciliation/differences/${found.difference_id}/close`
  expect(dataOf(await platform.staff.post(close))).toMatchObject({
    difference: { difference_id: found.difference_id, closed_at: expect.any(String) },
  })
  expect((await readReport()).differences).toEqual([])
  const { entries } = dataOf<{ entries: Record<string, unknown>[] }>(
    await platform.staff.get('/api/operator/audit?limit=100'),
  )
  expect(entries.filter(({ action }) => action === 'refunds.reconciliation.close')).toMatchObject([
    {
      target: found.difference_id,
      before: { difference: { closed_at: null } },
      after: { difference: { closed_at: expect.any(String) } },
    },
  ])
})

test('lets only staff read the report', async () => {
  const path = '/api/operator/reconciliation'
  expect((await partner.api.get(path)).status).toBe(401)
})
