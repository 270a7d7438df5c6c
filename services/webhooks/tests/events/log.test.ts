import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import {
  integrationOf,
  merchantEvent,
  startMerchantFixture,
  type MerchantFixture,
} from '../merchant-fixture.ts'
import { startReceiver as openReceiver, type Receiver } from '../receiver.ts'

let fixture: MerchantFixture
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterAll(() => fixture.stop())

const receivers: Receiver[] = []
const startReceiver = async (...args: Parameters<typeof openReceiver>): Promise<Receiver> => {
  const receiver = await openReceiver(...args)
  receivers.push(receiver)
  return receiver
}
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())))

const HOUR_MS = 3_600_000
const notFound = { ok: false, code: 'resource_not_found' }
const MONTH_MS = 30 * 24 * HOUR_MS
type Query = Record<string, string>
type Merchant = ReturnType<MerchantFixture['newMerchant']>

/**
 * A merchant with five deliveries, an hour apart; the second and the fourth are dead and of type `expired`.
 * @param before runs before the webhook exists
 */
const withHistory = async (before: (merchant: Merchant) => Promise<void> = () => Promise.resolve()) => {
  const merchant = fixture.newMerchant()
  await before(merchant)
  const receiver = await startReceiver((response, _hit, count) =>
    response.writeHead(count % 2 === 0 ? 400 : 200).end(),
  )
  const { id } = await merchant.registered({ url: receiver.url })
  const times: string[] = []
  const events: string[] = []
  for (let count = 0; count < 5; count += 1) {
    fixture.harness.clock.advance(HOUR_MS)
    const at = fixture.harness.clock.now()
    times.push(at.toISOString())
    const type = count % 2 === 0 ? 'paid' : 'expired'
    const event = merchantEvent(merchant.merchantId, null, type, at)
    events.push(event.id)
    await fixture.harness.publishEvent(event)
    await merchant.deliveryWhen(
      id,
      (delivery) => delivery.event_id === event.id && delivery.status !== 'waiting',
    )
  }
  const indexes = (rows: readonly { event_id: string }[]) => rows.map((row) => events.indexOf(row.event_id))
  const listed = async (query: Query) => {
    const answer = await merchant.deliveries(id, query)
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    return indexes(answer.value.deliveries)
  }
  const logged = async (query: Query, webhookId?: string) => {
    const answer = await (webhookId ? merchant.eventsOf(webhookId, query) : merchant.events(query))
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    return indexes(answer.value.events)
  }
  const hits = () => receiver.hits.length
  return { merchant, receiver, id, times, events, listed, logged, hits }
}

test('filters the log of deliveries by state, type and time, newest first', async () => {
  const { times, listed } = await withHistory()
  const [, second = '', , fourth = ''] = times
  expect(await listed({})).toEqual([4, 3, 2, 1, 0])
  expect(await listed({ status: 'dead' })).toEqual([3, 1])
  expect(await listed({ status: 'waiting' })).toEqual([])
  expect(await listed({ since: second, until: fourth })).toEqual([2, 1])
  expect(await listed({ since: fourth, status: 'delivered', limit: '1' })).toEqual([4])
  expect(await listed({ event_type: 'expired' })).toEqual([3, 1])
  expect(await listed({ event_type: 'expired', status: 'delivered' })).toEqual([])
  expect(await listed({ event_type: 'paid', until: fourth })).toEqual([2, 0])
  expect(await listed({ event_type: 'nothing' })).toEqual([])
})

test('lists waiting deliveries with their type, and rows of the previous version with that of their event', async () => {
  const merchant = fixture.newMerchant()
  const receiver = await startReceiver((response) => response.writeHead(503).end())
  const { id } = await merchant.registered({ url: receiver.url })
  const event = merchantEvent(merchant.merchantId, null)
  await fixture.harness.publishEvent(event)
  await merchant.deliveryWhen(id, (delivery) => delivery.attempts.length === 1)
  const shown = { ok: true, value: { deliveries: [{ event_id: event.id, event_type: 'paid' }] } }
  for (const type of ['paid', '']) {
    await fixture.harness.sql('UPDATE deliveries SET event_type = $2 WHERE destination_id = $1', [id, type])
    for (const query of [{ status: 'waiting' }, { event_type: 'paid' }] as Query[])
      expect([type, query, await merchant.deliveries(id, query)]).toMatchObject([type, query, shown])
    expect(await merchant.deliveries(id, { event_type: 'expired' })).toMatchObject({
      value: { deliveries: [] },
    })
  }
})

test('begins the next page of a filtered log where the last one ended', async () => {
  const { merchant, id, events } = await withHistory()
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: Query = { event_type: 'paid', limit: '1', ...(cursor === null ? {} : { cursor }) }
    const answer = await merchant.deliveries(id, query)
    if (!answer.ok) throw new Error(answer.code)
    seen.push(...answer.value.deliveries.map((delivery) => delivery.event_id))
    cursor = answer.value.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual([events[4], events[2], events[0]])
})

test('lists events by type, time and status, whether or not a webhook matched them', async () => {
  let untakenId = ''
  const { merchant, receiver, times, events, logged } = await withHistory(async ({ merchantId, events }) => {
    const untaken = merchantEvent(merchantId, null, 'cancelled', fixture.harness.clock.now())
    untakenId = untaken.id
    await fixture.harness.publishEvent(untaken)
    await eventually(async () => {
      const answer = await events({ status: 'missed' })
      return answer.ok && answer.value.events.length === 1
    })
  })
  events.push(untakenId)
  const [, second = '', , fourth = ''] = times
  expect(await logged({})).toEqual([4, 3, 2, 1, 0, 5])
  expect(await logged({ status: 'missed' })).toEqual([5])
  expect(await logged({ since: second, until: fourth })).toEqual([2, 1])
  expect(await logged({ event_type: 'cancelled' })).toEqual([5])
  const { id: later } = await merchant.registered({ url: receiver.url })
  expect(await logged({ status: 'missed' }, later)).toEqual([4, 3, 2, 1, 0, 5])
  expect(await logged({ status: 'delivered' }, later)).toEqual([])
})

test('lists the events of a webhook with their status there, page by page', async () => {
  const { merchant, id, events, logged } = await withHistory()
  expect(await logged({ status: 'dead' }, id)).toEqual([3, 1])
  expect(await logged({ status: 'delivered' }, id)).toEqual([4, 2, 0])
  const first = await merchant.eventsOf(id, { limit: '3' })
  if (!first.ok) throw new Error(first.code)
  expect(first.value.events[0]).toEqual({
    event_id: events[4],
    event_type: 'paid',
    integration_id: null,
    created_at: expect.any(String),
    deliveries: [
      { webhook_id: id, delivery_id: expect.any(String), status: 'delivered', next_attempt_at: null },
    ],
  })
  expect(await logged({ limit: '3', cursor: String(first.value.next_cursor) }, id)).toEqual([1, 0])
  const wrong = await merchant.events({ cursor: String(first.value.next_cursor) })
  expect(wrong).toEqual({ ok: false, code: 'invalid_cursor' })
})

test('returns an event with the body that is sent', async () => {
  const { merchant, receiver, events } = await withHistory()
  const [eventId = ''] = events
  const read = await merchant.event(eventId)
  expect(read).toMatchObject({ ok: true, value: { event: { event_id: eventId, event_type: 'paid' } } })
  if (read.ok) expect(JSON.stringify(read.value.event.payload)).toBe(receiver.hits[0]?.body)
})

test('sends a delivered event again, and for the first time to a webhook that was created later', async () => {
  const { merchant, receiver, id, events, hits } = await withHistory()
  receiver.answerWith((response) => response.end())
  const [eventId = ''] = events
  expect(await merchant.resend(id, eventId)).toMatchObject({
    ok: true,
    value: { delivery: { event_id: eventId, status: 'waiting', attempts: [{ status_code: 200 }] } },
  })
  await eventually(() => hits() === 6)
  const { id: later } = await merchant.registered({ url: receiver.url })
  expect(await merchant.resend(later, eventId)).toMatchObject({
    ok: true,
    value: { delivery: { event_id: eventId, attempts: [] } },
  })
  await eventually(() => hits() === 7)
  expect(receiver.hits.slice(5).map((hit) => hit.body)).toEqual([0, 0].map((at) => receiver.hits[at]?.body))
  await merchant.deliveryWhen(later, (delivery) => delivery.status === 'delivered')
})

test('does not send an event to a bound webhook that does not match it', async () => {
  const { merchant, receiver, events } = await withHistory()
  const integration = integrationOf(merchant.merchantId)
  fixture.known.set(integration.integration_id, integration)
  const bound = await merchant.registered({ url: receiver.url, integrationId: integration.integration_id })
  expect(await merchant.resend(bound.id, String(events[0]))).toEqual({
    ok: false,
    code: 'invalid_state',
    details: [{ reason: 'not_subscribed' }],
  })
  expect(await merchant.eventsOf(bound.id)).toMatchObject({ ok: true, value: { events: [] } })
})

test('hides the events and webhooks of another merchant', async () => {
  const { merchant, receiver, id, events } = await withHistory()
  const since = new Date(0).toISOString()
  const started = await merchant.startRedelivery(id, { since, status: 'missed' })
  const redeliveryId = started.ok ? started.value.redelivery.redelivery_id : ''
  const other = fixture.newMerchant()
  const { id: othersId } = await other.registered({ url: receiver.url })
  const [eventId = ''] = events
  expect(await other.events()).toMatchObject({ ok: true, value: { events: [], next_cursor: null } })
  for (const answer of [
    other.event(eventId),
    other.eventsOf(id),
    other.resend(id, eventId),
    other.resend(othersId, eventId),
    merchant.resend(othersId, eventId),
    merchant.resend(id, newId('event')),
    other.startRedelivery(id, { since }),
    other.redeliveries(id),
    other.redelivery(id, redeliveryId),
    other.redelivery(othersId, redeliveryId),
    other.cancelRedelivery(id, redeliveryId),
    merchant.redelivery(id, newId('redelivery')),
  ])
    expect(await answer).toEqual(notFound)
})

test("reads the log of an integration's own URL by the id in its deliveries, and sends an event there again", async () => {
  const merchant = fixture.newMerchant()
  const integration = integrationOf(merchant.merchantId)
  const integrationId = integration.integration_id
  fixture.known.set(integrationId, integration)
  const receiver = await startReceiver()
  expect(await fixture.ownUrl(integrationId, receiver.url)).toMatchObject({ ok: true })
  const event = merchantEvent(merchant.merchantId, integrationId)
  await fixture.harness.publishEvent(event)
  const webhookId = `integration:${integrationId}`
  const delivery = await merchant.deliveryWhen(webhookId, ({ status }) => status === 'delivered')
  expect(receiver.hits[0]?.headers['x-webhook-id']).toBe(webhookId)
  expect(await merchant.redeliver(webhookId, delivery.delivery_id)).toMatchObject({ ok: true })
  await eventually(() => receiver.hits.length === 2)
  expect(await fixture.newMerchant().deliveries(webhookId)).toEqual(notFound)
})

test('shows and resends no event past its retention, which is deleted with its deliveries', async () => {
  const { merchant, id, events } = await withHistory()
  const [delivery] = await merchant
    .deliveries(id)
    .then((answer) => (answer.ok ? answer.value.deliveries : []))
  fixture.harness.clock.advance(MONTH_MS)
  const [eventId = ''] = events
  expect(await merchant.events()).toMatchObject({ value: { events: [] } })
  expect(await merchant.event(eventId)).toEqual(notFound)
  expect(await merchant.resend(id, eventId)).toEqual(notFound)
  expect(await merchant.redeliver(id, String(delivery?.delivery_id))).toEqual(notFound)
})
