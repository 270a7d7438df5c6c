import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dataOf, type Answer } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { cardOrderBody } from '@causeway/scenario'

type Order = { order_key: string }

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let customer: TestCustomer

beforeAll(async () => {
  // The timeouts of production: some tests wait for the one of the processor.
  platform = await startTestPlatform({ TIMEOUT_FACTOR: '1' })
  partner = await newPartner(platform, { default_capabilities: ['payments.fiat_card', 'refunds'] })
  receiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver)
  customer = await newCustomer(platform, partner.causeway)
})
afterAll(async () => {
  await platform.stop()
  await receiver.stop()
})

let keys = 0
const keyed = (key = `journey-${(keys += 1)}`) => ({ 'idempotency-key': key })
const readOrder = async (orderKey: string) => (await partner.causeway.getFiatOrder({ orderKey })).order
const refund = (orderKey: string, body: unknown, headers = keyed()) =>
  partner.api.post(`/api/v1/partner/fiat-orders/${orderKey}/refunds`, body, headers)
const eventsOf = (type: string, orderKey: string) =>
  receiver.deliveries.filter(({ event }) => event.event_type === type && event.data['order_key'] === orderKey)

const createOrder = async (headers = keyed()) => {
  const body = await cardOrderBody(partner.causeway, customer.customerId)
  return partner.api.post(`${customer.path}/fiat-orders`, { ...body, service_fee_payer: 'customer' }, headers)
}

const newPaidOrder = async (): Promise<string> => {
  const { order } = dataOf<{ order: Order }>(await createOrder())
  const paid = await platform.sandbox.post(`/control/card-payments/${order.order_key}`, {
    outcome: 'completed',
  })
  expect(paid.status).toBe(200)
  await eventually(async () => (await readOrder(order.order_key)).status === 'paid')
  return order.order_key
}

test('refunds a paid order in two parts, with responses, order, list, and both events once each', async () => {
  const orderKey = await newPaidOrder()
  const headers = keyed()
  const part = await refund(orderKey, { amount_cents: 4_000 }, headers)
  expect([part.status, part.body.data]).toEqual([
    201,
    {
      order_key: orderKey,
      currency: 'EUR',
      refund: { amount_cents: 4_000, status: 'partially_refunded' },
      service_fee_payer: 'customer',
      max_refundable_cents: 10_250,
      refunded_cents: 4_000,
      remaining_refundable_cents: 6_250,
    },
  ])
  expect(await readOrder(orderKey)).toMatchObject({ status: 'paid', refunded_cents: 4_000 })
  const replayed = await refund(orderKey, { amount_cents: 4_000 }, headers)
  expect([replayed.status, replayed.body]).toEqual([201, part.body])
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')

  expect((await refund(orderKey, { amount_cents: 6_250 })).status).toBe(201)
  expect(await readOrder(orderKey)).toMatchObject({ status: 'refunded', refunded_cents: 10_250 })
  const { refunds } = await partner.causeway.listRefunds({ orderKey })
  expect(refunds.map(({ amount_cents, status }) => [amount_cents, status])).toEqual([
    [6_250, 'succeeded'],
    [4_000, 'succeeded'],
  ])
  await eventually(() => eventsOf('refund.completed', orderKey).length >= 2)
  await eventually(() => eventsOf('payment.refunded', orderKey).length >= 2)
  const statuses = eventsOf('payment.refunded', orderKey).map(({ event }) => event.data['status'])
  expect(statuses.sort()).toEqual(['paid', 'refunded'])
  expect(
    new Set(eventsOf('refund.completed', orderKey).map(({ event }) => event.data['refund_id'])).size,
  ).toBe(2)
})

test('stops counting a refund that fails at the processor after it was made, and shows that to partner and merchant', async () => {
  const orderKey = await newPaidOrder()
  const headers = keyed()
  expect((await refund(orderKey, { amount_cents: 10_250 }, headers)).status).toBe(201)
  expect(await readOrder(orderKey)).toMatchObject({ status: 'refunded', refunded_cents: 10_250 })
  const [made] = (await partner.causeway.listRefunds({ orderKey })).refunds
  const shown = dataOf<{ refund: { processor_refund_id: string } }>(
    await platform.staff.get(`/api/operator/refunds/${made?.refund_id}`),
  )
  const failure = { refund_id: shown.refund.processor_refund_id }
  const failed = await platform.sandbox.post(`/control/card-refunds/${orderKey}/failure`, failure)
  expect(failed.status).toBe(200)
  await eventually(async () => (await readOrder(orderKey)).status === 'paid')
  expect(await readOrder(orderKey)).toMatchObject({ refunded_cents: 0 })
  const again = await eventually(() => eventsOf('payment.refunded', orderKey)[1])
  expect(again.event.data['status']).toBe('paid')
  await eventually(
    async () => (await partner.causeway.listRefunds({ orderKey })).refunds[0]?.status === 'failed',
  )
  const replayed = await refund(orderKey, { amount_cents: 10_250 }, headers)
  expect([replayed.status, replayed.body.error?.code]).toEqual([502, 'provider_error'])
  expect((await refund(orderKey, { amount_cents: 10_250 })).status).toBe(201)
})

test('returns refusals with their status, code and details over HTTP', async () => {
  const orderKey = await newPaidOrder()
  const tooMuch = await refund(orderKey, { amount_cents: 10_251 })
  expect([tooMuch.status, tooMuch.body.error]).toMatchObject([
    409,
    { code: 'amount_exceeds_remaining', details: [{ remaining_refundable_cents: 10_250 }] },
  ])
  const keyless = await partner.api.post(`/api/v1/partner/fiat-orders/${orderKey}/refunds`, {
    amount_cents: 1,
  })
  expect([keyless.status, keyless.body.error?.code]).toEqual([400, 'idempotency_key_required'])
  const unseen = await refund('999999', { amount_cents: 1 })
  expect([unseen.status, unseen.body.error]).toMatchObject([
    404,
    { code: 'resource_not_found', message: 'no partner-visible order for the key' },
  ])
})

test('repeats the refusal of a processor for its key, and refunds by another key', async () => {
  const orderKey = await newPaidOrder()
  await platform.sandbox.put('/control/faults', { target: 'card', mode: 'refuse', count: 1 })
  const headers = keyed()
  const refused = await refund(orderKey, { amount_cents: 1_000 }, headers)
  expect([refused.status, refused.body.error?.code]).toEqual([502, 'provider_error'])
  expect(refused.headers.get('idempotent-replayed')).toBeNull()
  const again = await refund(orderKey, { amount_cents: 1_000 }, headers)
  expect([again.status, again.body]).toEqual([502, refused.body])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('x-request-id')).toBe(refused.body.error?.request_id)
  expect((await refund(orderKey, { amount_cents: 1_000 })).status).toBe(201)
})

test('answers 500 to a refund whose response is lost, completes it by the job, and counts it once', async () => {
  const orderKey = await newPaidOrder()
  await platform.sandbox.put('/control/faults', { target: 'card', mode: 'after_effect_timeout', count: 1 })
  const headers = keyed()
  const lost = await refund(orderKey, { amount_cents: 1_000 }, headers)
  expect([lost.status, lost.body.error?.code]).toEqual([500, 'internal_error'])
  const settled = await eventually(async () => {
    const again = await refund(orderKey, { amount_cents: 1_000 }, headers)
    return again.status === 201 && again
  })
  expect(settled.body.data).toMatchObject({ refunded_cents: 1_000, remaining_refundable_cents: 9_250 })
  expect(await readOrder(orderKey)).toMatchObject({ status: 'paid', refunded_cents: 1_000 })
})

/** The call that gets no outcome, the first one that gets it, and a replay. */
const lostAndFound = async (mode: string, send: () => Promise<Answer>) => {
  await platform.sandbox.put('/control/faults', { target: 'card', mode, count: 1 })
  const lost = await send()
  const found = await eventually(async () => {
    const answer = await send()
    return answer.status !== 500 && answer
  })
  return { lost, found, replayed: await send() }
}

test.each(['timeout', 'after_effect_timeout'])(
  'repeats the outcome of a call without a response (%s) with its request id and the same bytes',
  async (mode) => {
    const orderKey = await newPaidOrder()
    for (const send of [
      (
        (headers) => () =>
          createOrder(headers)
      )(keyed()),
      (
        (headers) => () =>
          refund(orderKey, { amount_cents: 1_000 }, headers)
      )(keyed()),
    ]) {
      const { lost, found, replayed } = await lostAndFound(mode, send)
      expect([lost.status, lost.headers.get('idempotent-replayed')]).toEqual([500, null])
      const requestId = lost.body.error?.request_id
      for (const answer of [found, replayed])
        expect([
          answer.status,
          answer.body['request_id'],
          answer.headers.get('x-request-id'),
          answer.headers.get('idempotent-replayed'),
        ]).toEqual([201, requestId, requestId, 'true'])
      expect(JSON.stringify(replayed.body)).toBe(JSON.stringify(found.body))
    }
  },
)
