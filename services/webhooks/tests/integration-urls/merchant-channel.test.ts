import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { EXPECTED_URL } from '@causeway/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import {
  integrationOf,
  merchantEvent,
  startMerchantFixture,
  type MerchantFixture,
} from '../merchant-fixture.ts'
import { isSigned, startReceiver, type Receiver } from '../receiver.ts'

let fixture: MerchantFixture
const receivers: Receiver[] = []
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
afterAll(() => fixture.stop())

const receive = async (...parameters: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const receiver = await startReceiver(...parameters)
  receivers.push(receiver)
  return receiver
}
const ownIntegration = (merchantId: string): string => {
  const state = integrationOf(merchantId)
  fixture.known.set(state.integration_id, state)
  return state.integration_id
}
const secretOf = async (integrationId: string, url: string): Promise<string> => {
  const set = await fixture.ownUrl(integrationId, url)
  if (!set.ok || set.value.webhook_secret === null) throw new Error(JSON.stringify(set))
  return set.value.webhook_secret
}

test("sends an integration's event to its own URL, to webhooks bound to it and to wildcards, with its body unchanged", async () => {
  const merchant = fixture.newMerchant()
  const [mine, sibling] = [ownIntegration(merchant.merchantId), ownIntegration(merchant.merchantId)]
  const [own, bound, wildcard] = [await receive(), await receive(), await receive()]
  const [siblingOwn, siblingBound, foreign] = [await receive(), await receive(), await receive()]
  const ownSecret = await secretOf(mine, own.url)
  await secretOf(sibling, siblingOwn.url)
  const boundTo = await merchant.registered({ url: bound.url, integrationId: mine })
  const everything = await merchant.registered({ url: wildcard.url })
  await merchant.registered({ url: siblingBound.url, integrationId: sibling })
  await fixture.newMerchant().registered({ url: foreign.url })

  const event = merchantEvent(merchant.merchantId, mine)
  await fixture.harness.publishEvent(event)
  await eventually(() => [own, bound, wildcard].every((receiver) => receiver.hits.length === 1))
  for (const { hits } of [own, bound, wildcard])
    expect(JSON.parse(String(hits[0]?.body))).toMatchObject(event.merchant?.body ?? {})
  expect([own, bound, wildcard].map((receiver) => receiver.hits[0]?.headers['x-webhook-id'])).toEqual([
    `integration:${mine}`,
    boundTo.id,
    everything.id,
  ])
  expect(await isSigned(own.hits[0], ownSecret)).toBe(true)
  expect(await isSigned(bound.hits[0], boundTo.webhookSecret)).toBe(true)
  expect(await isSigned(wildcard.hits[0], everything.webhookSecret)).toBe(true)

  await fixture.harness.publishEvent(merchantEvent(merchant.merchantId, sibling))
  await eventually(() => [siblingOwn, siblingBound].every((receiver) => receiver.hits.length === 1))
  expect([own, bound, foreign].map((receiver) => receiver.hits.length)).toEqual([1, 1, 0])
})

test.each(['pending', 'expired', 'ramping.status_changed'] as const)(
  'sends an event without an integration (%s) to wildcards only',
  async (name) => {
    const merchant = fixture.newMerchant()
    const mine = ownIntegration(merchant.merchantId)
    const [own, bound, wildcard] = [await receive(), await receive(), await receive()]
    await secretOf(mine, own.url)
    await merchant.registered({ url: bound.url, integrationId: mine })
    const { id } = await merchant.registered({ url: wildcard.url })
    await fixture.harness.publishEvent(merchantEvent(merchant.merchantId, null, name))
    await merchant.deliveryWhen(id, (delivery) => delivery.status === 'delivered')
    expect([own, bound, wildcard].map((receiver) => receiver.hits.length)).toEqual([0, 0, 1])
  },
)

describe('an integration’s own URL', () => {
  test('keeps its secret when it changes, and gets a new one when it was cleared', async () => {
    const merchant = fixture.newMerchant()
    const mine = ownIntegration(merchant.merchantId)
    const [first, second] = [await receive(), await receive()]
    const secret = await secretOf(mine, first.url)
    expect(await fixture.ownUrl(mine, second.url)).toMatchObject({
      ok: true,
      value: { integration_id: mine, merchant_webhook_url: second.url, webhook_secret: null },
    })
    await fixture.harness.publishEvent(merchantEvent(merchant.merchantId, mine))
    await eventually(() => second.hits.length === 1)
    expect([first.hits.length, await isSigned(second.hits[0], secret)]).toEqual([0, true])

    expect(await fixture.ownUrl(mine, null)).toMatchObject({ value: { merchant_webhook_url: null } })
    const { id } = await merchant.registered({ url: first.url })
    await fixture.harness.publishEvent(merchantEvent(merchant.merchantId, mine))
    await merchant.deliveryWhen(id, (delivery) => delivery.status === 'delivered')
    expect(second.hits.length).toBe(1)
    expect(await secretOf(mine, second.url)).not.toBe(secret)
  })

  test('is not a registration: the merchant API neither lists nor changes it', async () => {
    const merchant = fixture.newMerchant()
    const mine = ownIntegration(merchant.merchantId)
    await secretOf(mine, (await receive()).url)
    expect(await merchant.list()).toEqual({ ok: true, value: { webhooks: [], next_cursor: null } })
    expect(await merchant.remove(`integration:${mine}`)).toEqual({ ok: false, code: 'resource_not_found' })
  })

  test('is 404 for an unknown integration, and an invalid URL is refused first', async () => {
    const unknown = newId('integration')
    expect(await fixture.ownUrl(unknown, 'https://shop.example/')).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
    expect(await fixture.ownUrl(unknown, 'ftp://shop.example/')).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'url', reason: 'not_https', expected: EXPECTED_URL }],
    })
    expect(await fixture.ownUrl(unknown, 'https:shop.example')).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'url', reason: 'invalid_value', expected: EXPECTED_URL }],
    })
  })
})

describe('the schedule', () => {
  test('makes three attempts, a quarter of an hour apart, and then the delivery is a dead letter', async () => {
    const merchant = fixture.newMerchant()
    const receiver = await receive((response) => response.writeHead(503).end())
    const { id } = await merchant.registered({ url: receiver.url })
    await fixture.harness.publishEvent(merchantEvent(merchant.merchantId, null))
    for (const attempts of [1, 2]) {
      const waiting = await merchant.deliveryWhen(id, (delivery) => delivery.attempts.length === attempts)
      const last = waiting.attempts.at(-1)
      expect(waiting.status).toBe('waiting')
      expect(
        Date.parse(waiting.next_attempt_at ?? '') - Date.parse(last?.at ?? '') - (last?.latency_ms ?? 0),
      ).toBe(900_000)
      fixture.harness.clock.advance(900_001)
    }
    const dead = await merchant.deliveryWhen(id, (delivery) => delivery.status === 'dead')
    expect(dead.attempts.map((attempt) => attempt.status_code)).toEqual([503, 503, 503])
    expect(new Set(receiver.hits.map((hit) => hit.body)).size).toBe(1)
  })

  test('ends at a final response; such a delivery can be sent again', async () => {
    const merchant = fixture.newMerchant()
    const receiver = await receive((response) => response.writeHead(410).end())
    const { id } = await merchant.registered({ url: receiver.url })
    await fixture.harness.publishEvent(merchantEvent(merchant.merchantId, null))
    const dead = await merchant.deliveryWhen(id, (delivery) => delivery.status === 'dead')
    receiver.answerWith((response) => response.end('better'))
    expect(await merchant.redeliver(id, dead.delivery_id)).toMatchObject({
      ok: true,
      value: { delivery: { delivery_id: dead.delivery_id, event_id: dead.event_id, status: 'waiting' } },
    })
    const delivered = await merchant.deliveryWhen(id, (delivery) => delivery.status === 'delivered')
    expect(delivered.attempts.map((attempt) => [attempt.status_code, attempt.response_body])).toEqual([
      [410, null],
      [200, 'better'],
    ])
    expect(receiver.hits[0]?.body).toBe(receiver.hits[1]?.body)
  })
})
