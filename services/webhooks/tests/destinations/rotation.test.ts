import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { destinations, type PartnerWebhook } from '@causeway/contracts'
import { verify } from '@causeway/webhook-verifier'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Hit, type Receiver } from '../receiver.ts'

const HOUR_MS = 3_600_000
let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const ask = () => ({
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: false,
  caller: { kind: 'operator', actor: 'test' } as const,
})

const newDestination = async () => {
  const partnerId = newId('partner')
  const { webhook, secret } = await harness.createWebhook(partnerId, receiver.url)
  const params = { partnerId, webhookId: webhook.webhook_id }
  return {
    params,
    secret,
    rotate: async (overlapHours?: number) => {
      const body = overlapHours === undefined ? undefined : { overlap_hours: overlapHours }
      const rotated = await call(harness.bus, harness.clock, destinations.rotateSecret, {
        ...ask(),
        params,
        body,
      })
      if (!rotated.ok) throw new Error(JSON.stringify(rotated))
      return rotated.value
    },
    update: (body: Readonly<{ former_secret_until: null }>) =>
      call(harness.bus, harness.clock, destinations.update, { ...ask(), params, body }),
    /** Emits an event, and gives the request by which the receiver was told. */
    delivered: async (): Promise<Hit> => {
      const event = paymentEvent(partnerId)
      await harness.publishEvent(event)
      await harness.deliveryWhen(partnerId, params.webhookId, (delivery) => delivery.event_id === event.id)
      const hit = receiver.hits.at(-1)
      if (hit === undefined) throw new Error('Nothing was received')
      return hit
    },
    listed: async (): Promise<PartnerWebhook | undefined> => {
      const list = await call(harness.bus, harness.clock, destinations.list, { ...ask(), params, query: {} })
      return list.ok ? list.value.webhooks[0] : undefined
    },
  }
}

/** A receiver from before overlaps: `x-signature` alone, by one secret (spec: Delivery and signing). */
const oldReceiverAccepts = ({ headers, body }: Hit, secret: string): boolean =>
  headers['x-signature'] ===
  `v1=${createHmac('sha256', secret)
    .update(`${String(headers['x-timestamp'])}.${body}`)
    .digest('hex')}`

const newReceiverAccepts = ({ headers, body }: Hit, secret: string): Promise<boolean> =>
  verify(body, headers, secret, { now: new Date(Number(headers['x-timestamp']) * 1000) }).then(
    () => true,
    () => false,
  )

test('lets old receivers with the former secret and new ones verify every delivery during an overlap', async () => {
  const { secret, rotate, delivered, listed } = await newDestination()
  const before = await delivered()
  expect([oldReceiverAccepts(before, secret), before.headers['x-signature-next']]).toEqual([true, undefined])
  const { webhook, webhook_secret: next } = await rotate(24)
  expect(webhook).toEqual(await listed())
  expect(Date.parse(webhook.former_secret_until ?? '') - harness.clock.nowMs()).toBeLessThanOrEqual(
    24 * HOUR_MS,
  )
  for (const hours of [0, 12, 11]) {
    harness.clock.advance(hours * HOUR_MS)
    const hit = await delivered()
    expect([oldReceiverAccepts(hit, secret), await newReceiverAccepts(hit, next)]).toEqual([true, true])
    expect([await newReceiverAccepts(hit, secret), oldReceiverAccepts(hit, next)]).toEqual([true, false])
  }
  harness.clock.advance(HOUR_MS)
  const after = await delivered()
  expect([oldReceiverAccepts(after, next), oldReceiverAccepts(after, secret)]).toEqual([true, false])
  expect(after.headers['x-signature-next']).toBeUndefined()
  expect(await listed()).not.toHaveProperty('former_secret_until')
})

test('keeps the secret that receivers know in a rotation during an overlap, and ends it without an overlap', async () => {
  const { secret, rotate, delivered } = await newDestination()
  const { webhook_secret: lost } = await rotate(24)
  const { webhook_secret: second } = await rotate(24)
  const overlapping = await delivered()
  expect(oldReceiverAccepts(overlapping, secret)).toBe(true)
  expect([
    await newReceiverAccepts(overlapping, second),
    await newReceiverAccepts(overlapping, lost),
  ]).toEqual([true, false])
  const { webhook, webhook_secret: third } = await rotate()
  expect(webhook).not.toHaveProperty('former_secret_until')
  const at = await delivered()
  expect([oldReceiverAccepts(at, third), at.headers['x-signature-next']]).toEqual([true, undefined])
})

test('leaves one signature, by the new secret, on every replica when an overlap is ended early', async () => {
  await harness.startReplica()
  const { secret, rotate, delivered, listed, update, params } = await newDestination()
  const { webhook: during, webhook_secret: next } = await rotate(24)
  expect(oldReceiverAccepts(await delivered(), secret)).toBe(true)
  expect(await update({ former_secret_until: null })).toMatchObject({
    ok: true,
    value: { webhook: await listed() },
  })
  expect(await listed()).toEqual({ ...during, former_secret_until: undefined })
  for (let count = 0; count < 10; count += 1) {
    const hit = await delivered()
    expect([oldReceiverAccepts(hit, secret), oldReceiverAccepts(hit, next)]).toEqual([false, true])
    expect(hit.headers['x-signature-next']).toBeUndefined()
  }
  const kept = 'SELECT 1 FROM destinations WHERE id = $1 AND former_secret_sealed IS NOT NULL'
  expect(await harness.sql(kept, [params.webhookId])).toEqual([])
  expect(await update({ former_secret_until: null })).toMatchObject({ ok: true })
})

test('deletes a former secret once it signs no more, and with its destination', async () => {
  const { rotate, params } = await newDestination()
  await rotate(1)
  const kept = () =>
    harness.sql('SELECT 1 FROM destinations WHERE id = $1 AND former_secret_sealed IS NOT NULL', [
      params.webhookId,
    ])
  expect(await kept()).toHaveLength(1)
  harness.clock.advance(HOUR_MS)
  await eventually(async () => (await kept()).length === 0)
  await rotate(1)
  expect(await kept()).toHaveLength(1)
  await call(harness.bus, harness.clock, destinations.delete, { ...ask(), params })
  expect(await kept()).toHaveLength(0)
})

test('signs a test call like a delivery, returns the response, and logs it', async () => {
  receiver.answerWith((response) => response.writeHead(422).end('<b>no</b>'))
  const { secret, params, rotate } = await newDestination()
  const { webhook_secret: next } = await rotate(1)
  const sent = await call(harness.bus, harness.clock, destinations.test, { ...ask(), params })
  expect(sent).toMatchObject({
    ok: true,
    value: { success: false, status_code: 422, error: null, response_body: '<b>no</b>' },
  })
  const [hit] = receiver.hits
  if (!sent.ok || hit === undefined) throw new Error('No test call')
  expect(JSON.parse(hit.body)).toEqual({
    event_id: sent.value.event_id,
    event_type: 'test',
    created_at: expect.any(String),
    partner_id: params.partnerId,
    data: {},
  })
  expect([oldReceiverAccepts(hit, secret), await newReceiverAccepts(hit, next)]).toEqual([true, true])
  const [logged] = await harness.deliveriesOf(params.partnerId, params.webhookId)
  expect(logged).toMatchObject({ event_id: sent.value.event_id, event_type: 'test', status: 'dead' })
  const foreign = { ...params, partnerId: newId('partner') }
  expect(
    await call(harness.bus, harness.clock, destinations.test, { ...ask(), params: foreign }),
  ).toMatchObject({
    ok: false,
    code: 'resource_not_found',
  })
})
