import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'
import { isSigned, startRawReceiver, startReceiver } from '../receiver.ts'

let fixture: MerchantFixture
const receivers: { close: () => Promise<void> }[] = []
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
afterAll(() => fixture.stop())

const receive = async (...parameters: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...parameters)
  receivers.push(receiver)
  return receiver
}

test('sends a signed sample to the suffixed path and returns all six fields of its outcome', async () => {
  const receiver = await receive((response) => response.writeHead(202).end('thanks'))
  const merchant = fixture.newMerchant()
  const { id, url, webhookSecret } = await merchant.registered({ url: receiver.url })
  const answer = await merchant.test(id)
  const [hit] = receiver.hits
  expect(answer).toEqual({
    ok: true,
    value: {
      success: true,
      url,
      httpStatus: 202,
      signed: true,
      responseBody: 'thanks',
      payload: {
        event: 'test',
        order: {
          id: expect.stringMatching(/^ord_/),
          reference: 'TEST',
          chain: 'BTC',
          asset: 'BTC',
          amount: '0.001',
          status: 'pending',
        },
        eventId: hit?.headers['x-webhook-event-id'],
        occurredAt: expect.stringMatching(/Z$/),
        sequence: 1,
      },
    },
  })
  expect(answer.ok && JSON.parse(hit?.body ?? '')).toEqual(answer.ok && answer.value.payload)
  expect(hit?.path).toBe('/hook/service/webhook')
  expect(hit?.headers['content-type']).toBe('application/json')
  expect(hit?.headers['x-webhook-id']).toBe(id)
  expect(await isSigned(hit, webhookSecret)).toBe(true)
  expect(receiver.hits.length).toBe(1)
})

test('returns the status of a receiver that refuses, and does not follow a redirect', async () => {
  const target = await receive()
  const receiver = await receive((response) => response.writeHead(307, { location: target.url }).end())
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  expect(await merchant.test(id)).toMatchObject({
    value: { success: false, httpStatus: 307, responseBody: null },
  })
  expect(target.hits.length).toBe(0)
})

test('ends the test call at the merchant timeout when a receiver never answers', async () => {
  const silent = await startRawReceiver(() => undefined)
  receivers.push(silent)
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: silent.url })
  const { config, startReplica, stopReplicas } = fixture.harness
  const { partner } = config.policies
  await stopReplicas()
  await startReplica({ policies: { partner, merchant: { ...config.policies.merchant, timeoutMs: 1_000 } } })
  const startedMs = performance.now()
  expect(await merchant.test(id)).toMatchObject({
    ok: true,
    value: { success: false, httpStatus: null, signed: true, responseBody: null },
  })
  expect(performance.now() - startedMs).toBeLessThan(TEST_DEADLINE_MS / 2)
  await stopReplicas()
  await startReplica()
})

test('logs the test call as an ended delivery, which no other webhook of the merchant missed', async () => {
  const receiver = await receive((response) => response.writeHead(503).end('later'))
  const merchant = fixture.newMerchant()
  const tested = await merchant.registered({ url: receiver.url })
  const other = await merchant.registered({ url: `${receiver.url}/other` })
  const answer = await merchant.test(tested.id)
  const listed = await merchant.deliveries(tested.id)
  expect(listed).toMatchObject({
    ok: true,
    value: {
      deliveries: [
        {
          event_type: 'test',
          status: 'dead',
          next_attempt_at: null,
          attempts: [{ status_code: 503, error: null, response_body: 'later' }],
        },
      ],
    },
  })
  const eventId = listed.ok ? (listed.value.deliveries[0]?.event_id ?? '') : ''
  expect(await merchant.event(eventId)).toMatchObject({
    ok: true,
    value: { event: { event_id: eventId, payload: answer.ok && answer.value.payload } },
  })
  expect(await merchant.eventsOf(other.id)).toEqual({ ok: true, value: { events: [], next_cursor: null } })
  expect(await merchant.resend(other.id, eventId)).toMatchObject({ ok: false, code: 'invalid_state' })
})

test('records an unreachable receiver with the reason', async () => {
  const receiver = await receive()
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  await receiver.close()
  expect(await merchant.test(id)).toMatchObject({ ok: true, value: { success: false, httpStatus: null } })
  expect(await merchant.deliveries(id)).toMatchObject({
    value: { deliveries: [{ attempts: [{ status_code: null, error: 'connection refused' }] }] },
  })
})

test('cuts an endless response off at 8 KiB', async () => {
  const receiver = await receive((response) => {
    const timer = setInterval(() => response.write('x'.repeat(16_384)), 5)
    response.on('close', () => clearInterval(timer))
  })
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: receiver.url })
  const answer = await merchant.test(id)
  expect(answer).toMatchObject({ value: { success: true, httpStatus: 200 } })
  expect(answer.ok && answer.value.responseBody?.length).toBe(8_192)
})
