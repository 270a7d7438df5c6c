import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { merchantEvent, startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'
import { startReceiver } from '../receiver.ts'

const RETRY_MS = 15 * 60_000

let fixture: MerchantFixture
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterAll(() => fixture.stop())

const registered = async () => {
  const receiver = await startReceiver()
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  return { receiver, merchant, id }
}
test('keeps the id, time and sequence of the first attempt in a retry and a redelivery', async () => {
  const { receiver, merchant, id } = await registered()
  receiver.answerWith((response) => response.writeHead(500).end())
  const event = merchantEvent(merchant.merchantId, null)
  await fixture.harness.publishEvent(event)
  await merchant.deliveryWhen(id, ({ attempts }) => attempts.length === 1)
  receiver.answerWith((response) => response.end())
  fixture.harness.clock.advance(RETRY_MS)
  const { delivery_id } = await merchant.deliveryWhen(id, ({ status }) => status === 'delivered')
  await merchant.redeliver(id, delivery_id)
  await eventually(() => receiver.hits.length === 3)
  const { id: eventId, created_at: occurredAt, sequence } = event
  for (const hit of receiver.hits) {
    expect(JSON.parse(hit.body)).toEqual({ ...event.merchant?.body, eventId, occurredAt, sequence })
    expect(hit.headers['x-webhook-event-id']).toBe(eventId)
  }
  await receiver.close()
})

test('delivers an event without a sequence when its relay sends none', async () => {
  const { receiver, merchant } = await registered()
  const { sequence: _none, ...event } = merchantEvent(merchant.merchantId, null)
  await fixture.harness.publishEvent(event)
  await eventually(() => receiver.hits.length === 1)
  expect(JSON.parse(String(receiver.hits[0]?.body))).toEqual({
    ...event.merchant?.body,
    eventId: event.id,
    occurredAt: event.created_at,
  })
  await receiver.close()
})
