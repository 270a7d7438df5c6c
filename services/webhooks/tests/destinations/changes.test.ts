import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { destinations } from '@causeway/contracts'
import { createHmac } from 'node:crypto'
import { dial } from '../../src/connect-guard/dial.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Hit, type Receiver } from '../receiver.ts'

/** Names whose addresses the tests change; every dial is recorded, and only loopback is really dialled. */
const names = new Map<string, readonly string[]>()
const dialled: string[] = []
const outside: Parameters<typeof startHarness>[0] = {
  resolve: async (hostname) => names.get(hostname) ?? [hostname],
  dial: async (target, signal) => {
    dialled.push(target.address)
    if (!target.address.startsWith('127.')) throw new Error('Only loopback is dialled in tests')
    return dial(target, signal)
  },
}

let harness: Harness
beforeAll(async () => {
  harness = await startHarness(outside)
})
afterAll(() => harness.stop())

const ask = () => ({
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: false,
  caller: { kind: 'operator', actor: 'test' } as const,
})
const signedWith = (hit: Hit | undefined, secret: string): boolean =>
  hit?.headers['x-signature'] ===
  `v1=${createHmac('sha256', secret)
    .update(`${String(hit?.headers['x-timestamp'])}.${String(hit?.body)}`)
    .digest('hex')}`

test('does not dial a name that resolves to a private address at the second attempt', async () => {
  const partnerId = newId('partner')
  const receiver = await startReceiver((response) => response.writeHead(500, { connection: 'close' }).end())
  names.set('rebinding.test', ['127.0.0.1'])
  const { webhook } = await harness.createWebhook(partnerId, `http://rebinding.test:${receiver.port}/`)
  await harness.publishEvent(paymentEvent(partnerId))
  await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
  names.set('rebinding.test', ['169.254.169.254'])
  harness.clock.advance(60_000)
  const refused = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 2)
  expect(refused.attempts[1]).toMatchObject({ status_code: null, error: 'forbidden address' })
  expect(refused.status).toBe('waiting')
  expect(dialled.filter((address) => !address.startsWith('127.'))).toEqual([])
  await receiver.close()
})

test('signs with a rotated secret from the next attempt on', async () => {
  const partnerId = newId('partner')
  let answer = 500
  const receiver = await startReceiver((response) => response.writeHead(answer).end())
  const { webhook, secret } = await harness.createWebhook(partnerId, receiver.url)
  await harness.publishEvent(paymentEvent(partnerId))
  await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
  const params = { partnerId, webhookId: webhook.webhook_id }
  const rotated = await call(harness.bus, harness.clock, destinations.rotateSecret, { ...ask(), params })
  if (!rotated.ok) throw new Error(rotated.code)
  answer = 200
  harness.clock.advance(60_000)
  await eventually(() => receiver.hits.length === 2)
  expect(signedWith(receiver.hits[0], secret)).toBe(true)
  expect(signedWith(receiver.hits[1], rotated.value.webhook_secret)).toBe(true)
  expect(rotated.value.webhook_secret).not.toBe(secret)
  await receiver.close()
})

test('applies a changed URL to waiting deliveries and a changed filter to later events', async () => {
  const partnerId = newId('partner')
  const [old, fresh] = [
    await startReceiver((response) => response.writeHead(500).end()),
    await startReceiver(),
  ]
  const { webhook } = await harness.createWebhook(partnerId, old.url)
  await harness.publishEvent(paymentEvent(partnerId))
  await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
  const params = { partnerId, webhookId: webhook.webhook_id }
  const body = { url: fresh.url, event_types: ['refund.completed' as const] }
  const updated = await call(harness.bus, harness.clock, destinations.update, { ...ask(), params, body })
  expect(updated).toMatchObject({
    ok: true,
    value: { webhook: { url: fresh.url, event_types: ['refund.completed'] } },
  })
  harness.clock.advance(60_000)
  await eventually(() => fresh.hits.length === 1)
  expect(old.hits.length).toBe(1)
  const event = paymentEvent(partnerId)
  await harness.publishEvent(event)
  await eventually(
    async () => (await harness.sql('SELECT 1 FROM events WHERE event_id = $1', [event.id])).length === 1,
  )
  expect(await harness.sql('SELECT 1 FROM deliveries WHERE event_id = $1', [event.id])).toEqual([])
  await Promise.all([old.close(), fresh.close()])
})

test('sends a webhook every event from its creation on, whichever replica created it', async () => {
  await harness.startReplica()
  const partnerId = newId('partner')
  const receivers = await Promise.all(Array.from({ length: 20 }, () => startReceiver()))
  const events: string[] = []
  for (const receiver of receivers) {
    await harness.createWebhook(partnerId, receiver.url)
    const event = paymentEvent(partnerId)
    events.push(event.id)
    await harness.publishEvent(event)
  }
  const idsAt = ({ hits }: Receiver) =>
    new Set(hits.map((hit) => (JSON.parse(hit.body) as { event_id: string }).event_id))
  const missed = () =>
    receivers.flatMap((receiver, at) => events.slice(at).filter((id) => !idsAt(receiver).has(id)))
  const marker = paymentEvent(partnerId)
  await harness.publishEvent(marker)
  await eventually(() => receivers.every((receiver) => idsAt(receiver).has(marker.id)))
  await harness.stopReplicas()
  expect(missed()).toEqual([])
  await Promise.all(receivers.map((receiver) => receiver.close()))
})
