import { call, newId } from '@causeway/chassis'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { deliveries } from '@causeway/contracts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Receiver } from '../receiver.ts'

let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  harness = await startHarness()
  receiver = await startReceiver()
})
afterAll(async () => {
  await harness.stop()
  await receiver.close()
})

const DAY_MS = 24 * 3_600_000
const operator = { kind: 'operator', actor: 'test' } as const
const ask = () => ({ requestId: newId('request'), timeoutMs: 30_000, safe: false, caller: operator })
const bus = () => [harness.bus, harness.clock] as const

describe('deliveries', () => {
  test('are listed newest first in pages', async () => {
    const partnerId = newId('partner')
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    const events: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const event = paymentEvent(partnerId)
      events.unshift(event.id)
      await harness.publishEvent(event)
      await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.event_id === event.id)
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query = { limit: '2', ...(cursor === undefined ? {} : { cursor }) }
      const params = { partnerId, webhookId: webhook.webhook_id }
      const listed = await call(...bus(), deliveries.list, { ...ask(), params, query })
      if (!listed.ok) throw new Error(listed.code)
      seen.push(...listed.value.deliveries.map((delivery) => delivery.event_id))
      cursor = listed.value.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(events)
  })

  test.each([
    ['delivered', 200],
    ['dead', 400],
  ])('can be sent again when they are %s, with the same event', async (status, code) => {
    const partnerId = newId('partner')
    let answer = code
    const target = await startReceiver((response) => response.writeHead(answer).end())
    const { webhook } = await harness.createWebhook(partnerId, target.url)
    const event = paymentEvent(partnerId)
    await harness.publishEvent(event)
    const first = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === status)
    answer = 204
    const params = { partnerId, webhookId: webhook.webhook_id, deliveryId: first.delivery_id }
    const again = await call(...bus(), deliveries.redeliver, { ...ask(), params })
    expect(again).toMatchObject({ ok: true, value: { delivery: { status: 'waiting', event_id: event.id } } })
    const second = await harness.deliveryWhen(
      partnerId,
      webhook.webhook_id,
      (d) => d.attempts.length === 2 && d.status === 'delivered',
    )
    expect(second.delivery_id).toBe(first.delivery_id)
    expect(second.attempts.map((attempt) => attempt.status_code)).toEqual([code, 204])
    expect(target.hits.map((hit) => (JSON.parse(hit.body) as { event_id: string }).event_id)).toEqual([
      event.id,
      event.id,
    ])
    await target.close()
  })

  test('begin the retry schedule anew when they are sent again', async () => {
    const partnerId = newId('partner')
    let answer = 400
    const target = await startReceiver((response) => response.writeHead(answer).end())
    const { webhook } = await harness.createWebhook(partnerId, target.url)
    await harness.publishEvent(paymentEvent(partnerId))
    const dead = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'dead')
    answer = 503
    const params = { partnerId, webhookId: webhook.webhook_id, deliveryId: dead.delivery_id }
    await call(...bus(), deliveries.redeliver, { ...ask(), params })
    const waiting = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 2)
    const last = waiting.attempts.at(-1)
    expect(Date.parse(waiting.next_attempt_at ?? '') - Date.parse(last?.at ?? '')).toBe(
      60_000 + (last?.latency_ms ?? 0),
    )
    await target.close()
  })

  test('show the attempt that ended them for as long as attempts are kept', async () => {
    const partnerId = newId('partner')
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    await harness.publishEvent(paymentEvent(partnerId))
    await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
    const codes = async () => {
      const [delivery] = await harness.deliveriesOf(partnerId, webhook.webhook_id)
      return delivery?.attempts.map((attempt) => attempt.status_code)
    }
    harness.clock.advance(30 * DAY_MS - 600_000)
    expect(await codes()).toEqual([200])
    harness.clock.advance(1_200_000)
    expect(await codes()).toEqual([])
  })
})
