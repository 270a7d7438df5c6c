import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  integrationFact,
  integrationOf,
  startMerchantFixture,
  type MerchantFixture,
} from '../merchant-fixture.ts'
import { startReceiver, type Receiver } from '../receiver.ts'

let fixture: MerchantFixture
let receiver: Receiver
beforeAll(async () => {
  fixture = await startMerchantFixture()
  receiver = await startReceiver()
})
afterAll(async () => {
  await fixture.stop()
  await receiver.close()
})

const notFound = { ok: false, code: 'resource_not_found' }
const foreign = {
  ok: false,
  code: 'invalid_request',
  details: [
    {
      field: 'integrationId',
      reason: 'invalid_value',
      expected: 'an integration of your own, or null for all of them',
    },
  ],
}

describe('a registration', () => {
  test('is a wildcard unless it is bound, shows its secret once, and is listed without it', async () => {
    const merchant = fixture.newMerchant()
    const made = await merchant.registered({ url: 'https://shop.example/hooks?shop=1' })
    expect(made).toEqual({
      id: expect.stringMatching(/^whk_/),
      url: 'https://shop.example/hooks/service/webhook?shop=1',
      integrationId: null,
      createdAt: expect.any(String),
      webhookSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const { webhookSecret, ...shown } = made
    expect(await merchant.list()).toEqual({
      ok: true,
      value: { webhooks: [{ ...shown, hasSecret: true }], next_cursor: null },
    })
    const rows = await fixture.harness.sql('SELECT d::text FROM destinations d WHERE id = $1', [made.id])
    expect(JSON.stringify(rows)).not.toContain(webhookSecret)
  })

  test.each([
    ['http://shop.example', 'ok'],
    ['ftp://shop.example/', 'not_https'],
    ['https://user:pass@shop.example/', 'invalid_value'],
    ['https://192.168.0.1/', 'forbidden_address'],
    ['nowhere', 'invalid_value'],
    ['https:shop.example', 'invalid_value'],
    ['https://shop.example/a\r\nb', 'invalid_value'],
    [`https://shop.example/${'a'.repeat(2_020)}`, 'too_long'],
  ])('is checked with the URL %s as %s', async (url, reason) => {
    const merchant = fixture.newMerchant()
    const refusal = { ok: false, code: 'invalid_request', details: [{ field: 'url', reason }] }
    const expected = reason === 'ok' ? { ok: true } : refusal
    expect(await merchant.create({ url })).toMatchObject(expected)
    const { id } = await merchant.registered({ url: receiver.url })
    expect(await merchant.update(id, { url })).toMatchObject(expected)
  })

  test('does not exist for another merchant', async () => {
    const { id } = await fixture.newMerchant().registered({ url: receiver.url })
    const other = fixture.newMerchant()
    expect(await other.list()).toEqual({ ok: true, value: { webhooks: [], next_cursor: null } })
    expect(await other.update(id, {})).toEqual(notFound)
    expect(await other.update(id, { integrationId: null })).toEqual(notFound)
    expect(await other.remove(id)).toEqual(notFound)
    expect(await other.rotate(id)).toEqual(notFound)
    expect(await other.test(id)).toEqual(notFound)
    expect(await other.deliveries(id)).toEqual(notFound)
    expect(await other.redeliver(id, newId('delivery'))).toEqual(notFound)
  })

  test('is gone when it is deleted', async () => {
    const merchant = fixture.newMerchant()
    const { id } = await merchant.registered({ url: receiver.url })
    expect(await merchant.remove(id)).toEqual({ ok: true, value: { ok: true } })
    expect(await merchant.list()).toEqual({ ok: true, value: { webhooks: [], next_cursor: null } })
    expect(await merchant.remove(id)).toEqual(notFound)
    expect(await merchant.test(id)).toEqual(notFound)
  })

  test('gets a new secret on request', async () => {
    const merchant = fixture.newMerchant()
    const made = await merchant.registered({ url: receiver.url })
    const rotated = await merchant.rotate(made.id)
    expect(rotated).toEqual({
      ok: true,
      value: { id: made.id, url: made.url, webhookSecret: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(rotated).not.toMatchObject({ value: { webhookSecret: made.webhookSecret } })
  })

  test('shows until when the former secret signs together with a new one', async () => {
    const merchant = fixture.newMerchant()
    const made = await merchant.registered({ url: receiver.url })
    const formerSecretUntil = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await merchant.rotate(made.id, { overlapHours: 24 })).toMatchObject({
      value: { formerSecretUntil },
    })
    expect(await merchant.list()).toMatchObject({ value: { webhooks: [{ formerSecretUntil }] } })
    expect(await merchant.rotate(made.id, { overlapHours: 73 })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'overlapHours', reason: 'too_big' }],
    })
    await merchant.rotate(made.id)
    expect(await merchant.list()).not.toMatchObject({ value: { webhooks: [{ formerSecretUntil }] } })
    await merchant.rotate(made.id, { overlapHours: 1 })
    expect(await merchant.update(made.id, { formerSecretUntil: null })).toEqual({
      ok: true,
      value: { id: made.id, url: made.url },
    })
    expect(await merchant.list()).not.toMatchObject({ value: { webhooks: [{ formerSecretUntil }] } })
  })
})

test('disables and enables a registration, and shows that in the list', async () => {
  const merchant = fixture.newMerchant()
  const made = await merchant.registered({ url: receiver.url })
  const shown = { id: made.id, url: made.url }
  expect(await merchant.update(made.id, { status: 'disabled' })).toMatchObject({
    value: { ...shown, status: 'disabled' },
  })
  expect(await merchant.list()).toMatchObject({
    value: { webhooks: [{ ...shown, disabledAt: expect.any(String) }] },
  })
  expect(await merchant.update(made.id, {})).toEqual({ ok: true, value: shown })
  await merchant.update(made.id, { status: 'active' })
  expect(await merchant.list()).not.toHaveProperty('value.webhooks.0.disabledAt')
})

describe('a second registration of a URL', () => {
  test('names the first where both get an event, and only there', async () => {
    const merchant = fixture.newMerchant()
    const [one, two] = [integrationOf(merchant.merchantId), integrationOf(merchant.merchantId)]
    for (const state of [one, two]) fixture.known.set(state.integration_id, state)
    const url = 'https://shop.example/hooks'
    const first = await merchant.registered({ url, integrationId: one.integration_id })
    const second = await merchant.registered({ url, integrationId: two.integration_id })
    expect([first.duplicateOf, second.duplicateOf]).toEqual([undefined, undefined])
    const elsewhere = await merchant.registered({ url: `${url}/2` })
    expect(elsewhere).not.toHaveProperty('duplicateOf')
    const wildcard = await merchant.registered({ url: `${url}/service/webhook` })
    expect(wildcard.duplicateOf).toEqual([first.id, second.id])
    expect(await merchant.update(elsewhere.id, { url })).toMatchObject({
      value: { duplicateOf: [first.id, second.id, wildcard.id] },
    })
    await merchant.remove(wildcard.id)
    expect(await merchant.update(first.id, {})).toMatchObject({ value: { duplicateOf: [elsewhere.id] } })
    expect(await fixture.newMerchant().registered({ url })).not.toHaveProperty('duplicateOf')
  })
})

describe('the binding', () => {
  test('changes when it is given, is cleared by null and by an empty string, and stays when it is left out', async () => {
    const merchant = fixture.newMerchant()
    const integration = integrationOf(merchant.merchantId)
    const integrationId = integration.integration_id
    fixture.known.set(integrationId, integration)
    const { id, url } = await merchant.registered({ url: receiver.url, integrationId })
    const bindingNow = async () => {
      const listed = await merchant.list()
      return listed.ok ? listed.value.webhooks[0]?.integrationId : undefined
    }
    expect(await bindingNow()).toBe(integrationId)
    expect(await merchant.update(id, { url })).toEqual({ ok: true, value: { id, url } })
    expect(await bindingNow()).toBe(integrationId)
    for (const cleared of [null, '']) {
      expect(await merchant.update(id, { url, integrationId: cleared })).toEqual({
        ok: true,
        value: { id, url, integrationId: null },
      })
      expect(await bindingNow()).toBe(null)
      expect(await merchant.update(id, { integrationId })).toEqual({
        ok: true,
        value: { id, url, integrationId },
      })
      expect(await bindingNow()).toBe(integrationId)
    }
  })

  test('is refused for anything but an own integration', async () => {
    const merchant = fixture.newMerchant()
    const others = integrationOf(newId('merchant'))
    const deleted = integrationOf(merchant.merchantId, true)
    for (const state of [others, deleted]) fixture.known.set(state.integration_id, state)
    const { id } = await merchant.registered({ url: receiver.url })
    for (const integrationId of [
      others.integration_id,
      deleted.integration_id,
      newId('integration'),
      newId('webhook'),
      'x',
    ]) {
      expect(await merchant.create({ url: receiver.url, integrationId })).toEqual(foreign)
      expect(await merchant.update(id, { integrationId })).toEqual(foreign)
    }
  })

  test("uses the projection of payments' events, and reads an unknown integration from payments", async () => {
    const merchant = fixture.newMerchant()
    const told = integrationOf(merchant.merchantId)
    const fact = integrationFact(told)
    await fixture.harness.bus.publishEvent(
      'events.payments.integration.changed',
      JSON.stringify(fact),
      fact.id,
      null,
    )
    const bound = await eventually(async () => {
      const made = await merchant.create({ url: receiver.url, integrationId: told.integration_id })
      return made.ok ? made.value : undefined
    })
    expect(bound.integrationId).toBe(told.integration_id)
    const gone = integrationFact({ ...told, deleted: true })
    await fixture.harness.bus.publishEvent(
      'events.payments.integration.changed',
      JSON.stringify(gone),
      gone.id,
      null,
    )
    await eventually(async () => {
      const made = await merchant.create({ url: receiver.url, integrationId: told.integration_id })
      return !made.ok
    })
  })
})
