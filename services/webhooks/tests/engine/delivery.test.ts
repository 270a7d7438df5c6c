import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { events } from '@causeway/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { paymentEvent, SCHEDULE_MS, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Hit, type Receiver } from '../receiver.ts'

let harness: Harness
const receivers: Receiver[] = []
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
afterAll(() => harness.stop())

const receive = async (...parameters: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const receiver = await startReceiver(...parameters)
  receivers.push(receiver)
  return receiver
}
const partner = () => newId('partner')
const verifies = (hit: Hit | undefined, secret: string): boolean => {
  const signed = `${String(hit?.headers['x-timestamp'])}.${String(hit?.body)}`
  return hit?.headers['x-signature'] === `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
}
const eventIdOf = (hit: Hit | undefined) => (JSON.parse(hit?.body ?? '{}') as { event_id: string }).event_id

test('delivers an event to its partner signed, in the envelope of the specification, and logs it', async () => {
  const [partnerId, receiver] = [partner(), await receive()]
  const { webhook, secret } = await harness.createWebhook(partnerId, receiver.url)
  const event = paymentEvent(partnerId)
  await harness.publishEvent(event)
  const delivery = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
  const [hit] = receiver.hits
  expect(verifies(hit, secret)).toBe(true)
  expect(hit?.headers['x-webhook-id']).toBe(webhook.webhook_id)
  expect(hit?.headers['x-webhook-event-id']).toBe(event.id)
  expect(JSON.parse(hit?.body ?? '')).toEqual({
    event_id: event.id,
    event_type: 'payment.confirmed',
    created_at: event.created_at,
    partner_id: partnerId,
    data: event.partners[0]?.data,
  })
  expect(delivery).toMatchObject({
    event_id: event.id,
    event_type: 'payment.confirmed',
    next_attempt_at: null,
    attempts: [{ status_code: 200, error: null, response_body: 'ok' }],
  })
  expect(receiver.hits.length).toBe(1)
})

test('sends an event only to destinations of the named partner that chose its type', async () => {
  const [partnerId, other] = [partner(), partner()]
  const [all, chosen, notChosen, foreign] = [
    await receive(),
    await receive(),
    await receive(),
    await receive(),
  ]
  await harness.createWebhook(partnerId, all.url)
  await harness.createWebhook(partnerId, chosen.url, ['payment.confirmed'])
  await harness.createWebhook(partnerId, notChosen.url, ['refund.completed'])
  await harness.createWebhook(other, foreign.url)
  await harness.publishEvent(paymentEvent(partnerId))
  await harness.publishEvent(paymentEvent(other))
  await eventually(() => all.hits.length + chosen.hits.length + foreign.hits.length === 3)
  expect(eventIdOf(all.hits[0])).toBe(eventIdOf(chosen.hits[0]))
  expect([all, chosen, notChosen, foreign].map((receiver) => receiver.hits.length)).toEqual([1, 1, 0, 1])
})

describe('retries', () => {
  test('follow the schedule with the same event and a fresh timestamp, until the dead letter', async () => {
    const [partnerId, receiver] = [partner(), await receive((response) => response.writeHead(500).end('no'))]
    const { webhook, secret } = await harness.createWebhook(partnerId, receiver.url)
    const event = paymentEvent(partnerId)
    await harness.publishEvent(event)
    for (const [index, delayMs] of SCHEDULE_MS.entries()) {
      const waiting = await harness.deliveryWhen(
        partnerId,
        webhook.webhook_id,
        (d) => d.attempts.length === index + 1 && d.status === 'waiting',
      )
      const last = waiting.attempts.at(-1)
      const waitMs =
        Date.parse(waiting.next_attempt_at ?? '') - Date.parse(last?.at ?? '') - (last?.latency_ms ?? 0)
      expect(waitMs).toBe(delayMs)
      harness.clock.advance(delayMs)
    }
    const dead = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'dead')
    expect(dead.attempts.map((attempt) => attempt.status_code)).toEqual([500, 500, 500, 500, 500, 500, 500])
    expect(dead.next_attempt_at).toBe(null)
    expect(new Set(receiver.hits.map(eventIdOf))).toEqual(new Set([event.id]))
    expect(new Set(receiver.hits.map((hit) => hit.headers['x-timestamp'])).size).toBe(7)
    expect(receiver.hits.every((hit) => verifies(hit, secret))).toBe(true)
  })

  test('are not sent before they are due, not even together with a due delivery', async () => {
    const [partnerId, receiver] = [partner(), await receive((response) => response.writeHead(503).end())]
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    const [earlier, later] = [paymentEvent(partnerId), paymentEvent(partnerId)]
    for (const event of [earlier, later]) {
      await harness.publishEvent(event)
      await harness.deliveryWhen(
        partnerId,
        webhook.webhook_id,
        (d) => d.event_id === event.id && d.attempts.length === 1,
      )
      harness.clock.advance(29_000)
    }
    expect(receiver.hits.length).toBe(2)
    harness.clock.advance(2_000)
    await eventually(() => receiver.hits.length === 3)
    const [marker, markerHits] = [partner(), await receive()]
    await harness.createWebhook(marker, markerHits.url)
    await harness.publishEvent(paymentEvent(marker))
    await eventually(() => markerHits.hits.length === 1)
    expect(receiver.hits.map(eventIdOf)).toEqual([earlier.id, later.id, earlier.id])
    harness.clock.advance(30_000)
    await eventually(() => receiver.hits.length === 4)
  })

  test('wait at most twice the step with a Retry-After', async () => {
    const [partnerId, receiver] = [
      partner(),
      await receive((response) => response.writeHead(429, { 'retry-after': '7200' }).end()),
    ]
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    await harness.publishEvent(paymentEvent(partnerId))
    const waiting = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
    const [attempt] = waiting.attempts
    expect(Date.parse(waiting.next_attempt_at ?? '') - Date.parse(attempt?.at ?? '')).toBe(
      120_000 + (attempt?.latency_ms ?? 0),
    )
  })

  test.each([400, 401, 403, 404, 410, 422])('end as a dead letter immediately at a %d', async (status) => {
    const [partnerId, receiver] = [partner(), await receive((response) => response.writeHead(status).end())]
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    await harness.publishEvent(paymentEvent(partnerId))
    const delivery = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
    expect(delivery).toMatchObject({ status: 'dead', next_attempt_at: null })
  })

  test('continue while a receiver is down, and end with its recovery', async () => {
    const partnerId = partner()
    const gone = await startReceiver()
    await gone.close()
    const { webhook } = await harness.createWebhook(partnerId, gone.url)
    await harness.publishEvent(paymentEvent(partnerId))
    const failed = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
    expect(failed.attempts).toMatchObject([{ status_code: null, error: 'connection refused' }])
    const back = await receive(undefined, gone.port)
    harness.clock.advance(60_000)
    const done = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
    expect(done.attempts.map((attempt) => attempt.status_code)).toEqual([null, 200])
    expect(back.hits.length).toBe(1)
  })
})

test('finishes an attempt under its lease that takes longer than the fast path waits', async () => {
  let release = () => {}
  const [partnerId, receiver] = [
    partner(),
    await receive((response) => {
      release = () => response.end('late')
    }),
  ]
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  await harness.publishEvent(paymentEvent(partnerId))
  const pending = await harness.deliveryWhen(partnerId, webhook.webhook_id, () => true)
  expect(pending).toMatchObject({ status: 'waiting', attempts: [] })
  release()
  const done = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
  expect(done.attempts).toMatchObject([{ status_code: 200, response_body: 'late' }])
  expect(receiver.hits.length).toBe(1)
})

describe('repeated and malformed events', () => {
  test('are delivered once when the stream redelivers them', async () => {
    const [partnerId, receiver] = [partner(), await receive()]
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    const event = paymentEvent(partnerId)
    const payload = JSON.stringify(event)
    await harness.bus.publishEvent('events.payments.payment.confirmed', payload, `${event.id}-a`, null)
    await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
    await harness.bus.publishEvent('events.payments.payment.confirmed', payload, `${event.id}-b`, null)
    const marker = paymentEvent(partnerId)
    await harness.publishEvent(marker)
    await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.event_id === marker.id)
    expect(receiver.hits.map(eventIdOf)).toEqual([event.id, marker.id])
    expect((await harness.deliveriesOf(partnerId, webhook.webhook_id)).length).toBe(2)
  })

  test('are parked if malformed, and delay no other event', async () => {
    const [partnerId, receiver] = [partner(), await receive()]
    await harness.createWebhook(partnerId, receiver.url)
    for (const payload of ['{', '{"id":"evt_x"}', '[]', 'null', '\u0000'])
      await harness.bus.publishEvent('events.payments.payment.confirmed', payload, newId('event'), null)
    await harness.publishEvent(paymentEvent(partnerId))
    await eventually(() => receiver.hits.length === 1)
    await eventually(async () => (await harness.sql('SELECT 1 FROM parked_events')).length === 5)
  })

  test('are logged without a delivery when there is no receiver', async () => {
    const partnerId = partner()
    const event = paymentEvent(partnerId)
    await harness.publishEvent(event)
    await eventually(
      async () => (await harness.sql('SELECT 1 FROM events WHERE event_id = $1', [event.id])).length === 1,
    )
    expect(await harness.sql('SELECT 1 FROM deliveries WHERE event_id = $1', [event.id])).toEqual([])
  })
})

test('sends merchant events to wildcards and to the registrations of their integration', async () => {
  const [merchantId, integrationId, otherIntegration] = [
    newId('merchant'),
    newId('integration'),
    newId('integration'),
  ]
  const [wild, bound, elsewhere] = [await receive(), await receive(), await receive()]
  for (const [receiver, integration] of [
    [wild, null],
    [bound, integrationId],
    [elsewhere, otherIntegration],
  ] as const) {
    const { webhook } = await harness.createWebhook(partner(), receiver.url)
    await harness.sql(
      `UPDATE destinations SET channel = 'merchant', owner_id = $2, integration_id = $3, revision = next.revision
       FROM (SELECT max(revision) + 1 AS revision FROM destinations) AS next WHERE id = $1`,
      [webhook.webhook_id, merchantId, integration],
    )
    await harness.sql('UPDATE destination_revision SET revision = (SELECT max(revision) FROM destinations)')
  }
  const body = { event: 'paid' as const, order: { id: newId('fiatOrder') } }
  const notice = { merchant_id: merchantId, integration_id: integrationId, event: 'paid' as const, body }
  const crypto = {
    ...notice,
    integration_id: null,
    event: 'expired' as const,
    body: { ...body, event: 'expired' as const },
  }
  // Changes made directly in the database are read at the service's start.
  await harness.stopReplicas()
  await harness.startReplica()
  await harness.publishEvent(paymentEvent(partner(), { partners: [], merchant: notice }))
  await eventually(() => wild.hits.length === 1 && bound.hits.length === 1)
  await harness.publishEvent(paymentEvent(partner(), { partners: [], merchant: crypto }))
  await eventually(() => wild.hits.length === 2)
  expect(JSON.parse(wild.hits[0]?.body ?? '')).toMatchObject(body)
  expect([bound.hits.length, elsewhere.hits.length]).toEqual([1, 0])
})

test('sends an event that must be named only to destinations that name it, and lists it only in their logs', async () => {
  const partnerId = partner()
  const [all, named] = [await receive(), await receive()]
  const every = await harness.createWebhook(partnerId, all.url, [])
  const chosen = await harness.createWebhook(partnerId, named.url, ['payout.sent', 'payment.confirmed'])
  const [paid, sent] = [paymentEvent(partnerId), paymentEvent(partnerId, { name: 'payout.sent' })]
  for (const each of sent.partners) each.type = 'payout.sent'
  await harness.publishEvent(sent)
  await harness.publishEvent(paid)
  await eventually(() => all.hits.length + named.hits.length === 3)
  expect(all.hits.map(eventIdOf)).toEqual([paid.id])
  expect(named.hits.map(eventIdOf).sort()).toEqual([paid.id, sent.id].sort())
  const logOf = async ({ webhook: { webhook_id: webhookId } }: typeof every) => {
    const asked = { params: { partnerId, webhookId }, query: {} }
    const listed = await harness.ask(events.listOfDestination, { kind: 'operator', actor: 'test' }, asked)
    if (!listed.ok) throw new Error(listed.code)
    return listed.value.events.map((event) => event.event_id).sort()
  }
  // A delivery is logged after its first attempt.
  await eventually(async () => (await logOf(every)).length + (await logOf(chosen)).length === 3)
  expect([await logOf(every), await logOf(chosen)]).toEqual([[paid.id], [paid.id, sent.id].sort()])
})
