import { eventually } from '@causeway/chassis/testing'
import { isOutdated, repetitionKey, subjectOf, type MerchantEvent } from '@causeway/webhook-verifier'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { startReceiver, type ReceivedDelivery } from '../../scripts/demo/receiver.ts'
import { newPartner, orderBody, claimPlatform, type ClaimedPlatform } from './platform.ts'
import { newSeller, register } from './seller.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
  receiver = await startReceiver()
})
afterAll(async () => {
  platform.release()
  await receiver.stop()
})

const deliveredTo = (webhookId: string): ReceivedDelivery[] =>
  receiver.deliveries.filter((delivery) => delivery.webhookId === webhookId)

test('sends a merchant that registers a receiver its order’s events, signed and in the specified shapes', async () => {
  const merchant = await newSeller(platform, partner)
  const wildcard = await register(receiver, merchant.causeway)
  const bound = await register(receiver, merchant.causeway, merchant.integrationId)
  expect([wildcard.url, wildcard.integrationId, bound.integrationId]).toEqual([
    `${receiver.url}/service/webhook`,
    null,
    merchant.integrationId,
  ])

  const { customerId } = merchant
  const { order } = await partner.causeway.createCryptoOrder({
    customerId,
    body: orderBody('for-the-merchant'),
  })
  await eventually(() => deliveredTo(wildcard.id).length === 1)
  await platform.sandbox.post('/control/deposits', { order_id: order.id })
  await eventually(() => deliveredTo(wildcard.id).length === 2)

  const shape = {
    id: order.id,
    reference: 'for-the-merchant',
    merchantId: merchant.merchantId,
    chain: 'BTC',
    asset: 'BTC',
    amount: order.amount,
    address: order.address,
    depositAddress: order.address,
    paymentUri: order.paymentUri,
    qrUrl: order.qrUrl,
  }
  const envelope = {
    eventId: expect.stringMatching(/^evt_/),
    occurredAt: expect.stringMatching(/Z$/),
    sequence: expect.any(Number),
  }
  expect(deliveredTo(wildcard.id)).toEqual([
    {
      verified: true,
      webhookId: wildcard.id,
      event: { event: 'pending', ...envelope, order: { ...shape, txId: null, blockNumber: null } },
    },
    {
      verified: true,
      webhookId: wildcard.id,
      event: {
        event: 'paid',
        ...envelope,
        order: { ...shape, txId: expect.any(String), blockNumber: expect.any(Number) },
      },
    },
  ])
  expect(deliveredTo(bound.id)).toEqual([])

  const { deliveries } = await eventually(async () => {
    const log = await merchant.causeway.listDeliveries({ webhookId: wildcard.id })
    return log.deliveries.length === 2 && log
  })
  expect(deliveries.map(({ event_type, status }) => [event_type, status])).toEqual([
    ['paid', 'delivered'],
    ['pending', 'delivered'],
  ])
  const newest = { webhookId: wildcard.id, deliveryId: String(deliveries[0]?.delivery_id) }
  expect((await merchant.causeway.redeliverDelivery.reply(newest)).status).toBe(200)
  await eventually(() => deliveredTo(wildcard.id).length === 3)
  expect(deliveredTo(wildcard.id)[2]).toEqual(deliveredTo(wildcard.id)[1])
})

/** A shop that does as docs/RECEIVING.md says; `statuses` is what its orders became, event by event. */
const createShop = () => {
  const seen = new Set<string>()
  const sequences = new Map<string, number>()
  const statuses: string[] = []
  return {
    statuses,
    take(event: MerchantEvent) {
      const subject = subjectOf(event)
      if (seen.has(repetitionKey(event)) || subject === null) return
      seen.add(repetitionKey(event))
      if (isOutdated(event, sequences.get(subject) ?? null)) return
      sequences.set(subject, Number(event.sequence))
      statuses.push(event.event)
    },
  }
}

test('ends an order as paid that is paid, reverted and paid again, and ignores a late retry of the first `paid`', async () => {
  const merchant = await newSeller(platform, partner)
  const { id: webhookId } = await register(receiver, merchant.causeway)
  const { customerId, causeway } = merchant
  const { order } = await partner.causeway.createCryptoOrder({ customerId, body: orderBody('mined-twice') })
  const events = () => deliveredTo(webhookId).map(({ event }) => event as unknown as MerchantEvent)
  const next = (count: number) => eventually(() => events().length === count && events())
  await next(1)
  await platform.sandbox.post('/control/deposits', { order_id: order.id })
  await next(2)
  await platform.sandbox.post('/control/confirmations', { order_id: order.id, confirmations: 0 })
  await next(3)
  const { deliveries } = await eventually(async () => {
    const log = await causeway.listDeliveries({ webhookId, event_type: 'paid' })
    return log.deliveries.length === 1 && log
  })
  await causeway.redeliverDelivery({ webhookId, deliveryId: String(deliveries[0]?.delivery_id) })
  await next(4)
  await platform.sandbox.post('/control/confirmations', { order_id: order.id, confirmations: 6 })
  const [pending, paid, reverted, retried, again] = await next(5)

  expect([pending, paid, reverted, retried, again].map((event) => event?.event)).toEqual([
    'pending',
    'paid',
    'reverted',
    'paid',
    'paid',
  ])
  expect(reverted).toMatchObject({ order: { status: 'pending', received: '0' } })
  expect(retried).toEqual(paid)
  const sequences = [pending, paid, reverted, again].map((event) => Number(event?.sequence))
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
  const shop = createShop()
  // The first delivery of `paid` did not reach the shop: its retry arrives after `reverted`.
  for (const event of [pending, reverted, retried]) if (event) shop.take(event)
  expect(shop.statuses).toEqual(['pending', 'reverted'])
  for (const event of [again, again]) if (event) shop.take(event)
  expect(shop.statuses).toEqual(['pending', 'reverted', 'paid'])
})

test('sends a card order’s events to its integration’s own URL, to registrations for the integration and to wildcards', async () => {
  const merchant = await newSeller(platform, partner)
  const own = `integration:${merchant.integrationId}`
  const set = dataOf<{ webhook_secret: string }>(
    await platform.staff.put(`/api/operator/integrations/${merchant.integrationId}/merchant-webhook-url`, {
      url: receiver.url,
    }),
  )
  receiver.trust(set.webhook_secret)
  const wildcard = await register(receiver, merchant.causeway)
  const bound = await register(receiver, merchant.causeway, merchant.integrationId)
  const { order } = await partner.causeway.createFiatOrder({
    customerId: merchant.customerId,
    body: { integration_id: merchant.integrationId, amount_cents: 10_000, currency: 'EUR' },
  })
  await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
  for (const id of [own, wildcard.id, bound.id]) {
    const received = await eventually(() => deliveredTo(id).length === 2 && deliveredTo(id))
    const bodies = received.map(({ verified, event }) => {
      const { event: name, order: shown } = event as unknown as {
        event: string
        order: { id: string; integrationId: string }
      }
      return [verified, name, shown.id, shown.integrationId]
    })
    expect(bodies.sort()).toEqual([
      [true, 'paid', order.order_id, merchant.integrationId],
      [true, 'pending', order.order_id, merchant.integrationId],
    ])
  }
  const events = receiver.deliveries.map(({ event }) => event)
  expect(JSON.stringify(events)).not.toContain(JSON.stringify(order.order_key))
})

test('lists events with or without deliveries and sends them again, for the merchant and for staff', async () => {
  const merchant = await newSeller(platform, partner)
  const { integrationId, merchantId } = merchant
  const { customerId, causeway } = merchant
  const { order } = await partner.causeway.createCryptoOrder({ customerId, body: orderBody('for-the-log') })
  const [missed] = await eventually(async () => {
    const { events } = await causeway.listEvents({ status: 'missed' })
    return events.length === 1 && events
  })
  expect(missed).toMatchObject({ event_type: 'pending', deliveries: [] })
  const eventId = String(missed?.event_id)
  expect((await causeway.getEvent({ eventId })).event).toMatchObject({
    payload: { event: 'pending', order: { id: order.id } },
  })

  const later = await register(receiver, causeway)
  expect((await causeway.resendEvent.reply({ webhookId: later.id, eventId })).status).toBe(200)
  await eventually(() => deliveredTo(later.id).length === 1)
  const ofStaff = `/api/operator/merchants/${merchantId}/webhooks/${later.id}`
  const started = await platform.staff.post(`${ofStaff}/redeliveries`, {
    since: new Date(0).toISOString(),
    status: 'delivered',
  })
  expect(started.status).toBe(201)
  await eventually(() => deliveredTo(later.id).length === 2)
  const { redelivery } = dataOf<{ redelivery: { redelivery_id: string } }>(started)
  const progress = { webhookId: later.id, redeliveryId: redelivery.redelivery_id }
  await eventually(async () => {
    const now = await causeway.getRedelivery(progress)
    return now.redelivery.status === 'done' && now.redelivery.sent === 1
  })
  expect(dataOf<{ deliveries: unknown[] }>(await platform.staff.get(`${ofStaff}/deliveries`))).toMatchObject({
    deliveries: [{ event_id: eventId, status: 'delivered' }],
  })
  const own = `/api/user/webhooks/integration:${integrationId}/deliveries`
  expect((await merchant.api.get(own)).status).toBe(404)
  await platform.staff.put(`/api/operator/integrations/${integrationId}/merchant-webhook-url`, {
    url: receiver.url,
  })
  for (const written of [own, own.replace(':', '%3A')])
    expect(dataOf(await merchant.api.get(written))).toEqual({ deliveries: [], next_cursor: null })
})
