import { call, newId } from '@causeway/chassis'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  deliveries,
  destinations,
  EXPECTED_URL,
  OPT_IN_EVENT_TYPES,
  PARTNER_EVENT_TYPES,
  subscriptions,
} from '@causeway/contracts'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
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

const operator = { kind: 'operator', actor: 'test' } as const
const ask = () => ({
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: false,
  caller: operator,
})
const bus = () => [harness.bus, harness.clock] as const
const subscriptionsOf = async (partnerId: string) => {
  const caller = { kind: 'partner', partnerId, clientId: newId('client') } as const
  const listed = await call(...bus(), subscriptions.list, { ...ask(), caller, query: {} })
  if (!listed.ok) throw new Error(listed.code)
  return listed.value
}

describe('destinations', () => {
  test('are created with a secret that is shown once, and read back by their partner without it', async () => {
    const partnerId = newId('partner')
    const { webhook, secret } = await harness.createWebhook(partnerId, receiver.url, ['payment.pending'])
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(webhook).toEqual({
      webhook_id: expect.stringMatching(/^whk_/),
      url: receiver.url,
      event_types: ['payment.pending'],
      status: 'active',
      created_at: expect.any(String),
    })
    const seen = await subscriptionsOf(partnerId)
    expect(seen).toEqual({
      webhooks: [webhook],
      next_cursor: null,
      available_event_types: [...PARTNER_EVENT_TYPES],
      opt_in_event_types: [...OPT_IN_EVENT_TYPES],
      signature: {
        algorithm: 'hmac-sha256',
        header: 'x-signature',
        format: 'v1=<hex>',
        signed_payload: '<x-timestamp>.<raw request body>',
      },
    })
  })

  test('are read back with all types that need not be named when none was chosen', async () => {
    const partnerId = newId('partner')
    const { webhook } = await harness.createWebhook(partnerId, receiver.url, [])
    const { event_types: types } = webhook
    expect([types.length, types.filter((type) => type.startsWith('payout.'))]).toEqual([18, []])
    expect([...types, ...OPT_IN_EVENT_TYPES].sort()).toEqual([...PARTNER_EVENT_TYPES].sort())
  })

  test('keep their secret encrypted in the database', async () => {
    const { webhook, secret } = await harness.createWebhook(newId('partner'), receiver.url)
    const [row] = await harness.sql<{ text: string }>(
      'SELECT d::text AS text FROM destinations d WHERE id = $1',
      [webhook.webhook_id],
    )
    expect(row?.text).toContain(webhook.webhook_id)
    expect(row?.text).not.toContain(secret)
  })

  test.each([
    ['ftp://example.org/', 'not_https', EXPECTED_URL],
    ['https://user:pass@example.org/', 'invalid_value', EXPECTED_URL],
    ['https://10.0.0.1/', 'forbidden_address', 'an address on the public internet'],
    ['https://0xA9FEA9FE/', 'forbidden_address', 'an address on the public internet'],
    ['nowhere', 'invalid_value', EXPECTED_URL],
    ['https:example.org', 'invalid_value', EXPECTED_URL],
    ['https://example.org/\ta', 'invalid_value', EXPECTED_URL],
    [`https://example.org/${'a'.repeat(2_048)}`, 'too_long', 'at most 2048 characters'],
  ])('are refused with the URL %s as %s', async (url, reason, expected) => {
    const partnerId = newId('partner')
    const refusal = { ok: false, code: 'invalid_request', details: [{ field: 'url', reason, expected }] }
    const body = { url }
    expect(await call(...bus(), destinations.create, { ...ask(), params: { partnerId }, body })).toEqual(
      refusal,
    )
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    const params = { partnerId, webhookId: webhook.webhook_id }
    expect(await call(...bus(), destinations.update, { ...ask(), params, body })).toEqual(refusal)
    expect((await subscriptionsOf(partnerId)).webhooks).toEqual([webhook])
  })

  test('change only if they have the URL that the first person saw', async () => {
    const partnerId = newId('partner')
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    const params = { partnerId, webhookId: webhook.webhook_id }
    const body = { url: 'https://elsewhere.example/' }
    const prepare = (change: object) =>
      call(...bus(), destinations.prepareUpdate, { ...ask(), params, body: change })
    const update = (url: string) =>
      call(...bus(), destinations.update, { ...ask(), params, body, expected: { url } })
    const before = { url: receiver.url }
    expect(await prepare({ status: 'disabled' })).toMatchObject({ value: { before, groups: [] } })
    expect(await prepare(body)).toMatchObject({ value: { before, groups: ['webhooks'] } })
    const moved = `${receiver.url}moved`
    await call(...bus(), destinations.update, { ...ask(), params, body: { url: moved } })
    expect(await update(receiver.url)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ reason: 'not_as_expected' }],
    })
    expect((await subscriptionsOf(partnerId)).webhooks).toMatchObject([{ url: moved }])
    expect(await update(moved)).toMatchObject({ value: { webhook: body } })
  })

  test('name each other when they have the same URL and get the same events', async () => {
    const partnerId = newId('partner')
    const create = async (types: string[]) => {
      const body = { url: receiver.url, event_types: types as never }
      const made = await call(...bus(), destinations.create, { ...ask(), params: { partnerId }, body })
      if (!made.ok) throw new Error(made.code)
      return { id: made.value.webhook.webhook_id, duplicateOf: made.value.duplicate_of }
    }
    const first = await create(['payment.pending'])
    expect(await create(['customer.updated'])).not.toHaveProperty('duplicateOf', expect.anything())
    expect((await create(['payment.pending', 'payment.expired'])).duplicateOf).toEqual([first.id])
    expect((await create([])).duplicateOf).toHaveLength(3)
    // Only named ones get it.
    expect(await create(['payout.sent'])).not.toHaveProperty('duplicateOf', expect.anything())
    expect((await create(['payout.sent', 'payout.returned'])).duplicateOf).toHaveLength(1)
    expect((await create([])).duplicateOf).toHaveLength(4)
  })

  test('do not exist for another partner', async () => {
    const { webhook } = await harness.createWebhook(newId('partner'), receiver.url)
    const params = { partnerId: newId('partner'), webhookId: webhook.webhook_id }
    const unknown = { ok: false, code: 'resource_not_found' }
    expect(await call(...bus(), destinations.update, { ...ask(), params, body: {} })).toEqual(unknown)
    expect(await call(...bus(), destinations.delete, { ...ask(), params })).toEqual(unknown)
    expect(await call(...bus(), destinations.rotateSecret, { ...ask(), params })).toEqual(unknown)
    expect(await call(...bus(), deliveries.list, { ...ask(), params, query: {} })).toEqual(unknown)
    const redelivered = { ...params, deliveryId: newId('delivery') }
    expect(await call(...bus(), deliveries.redeliver, { ...ask(), params: redelivered })).toEqual(unknown)
    expect((await subscriptionsOf(params.partnerId)).webhooks).toEqual([])
  })

  test('are listed oldest first in pages, and a cursor is valid for its own list only', async () => {
    const [partnerId, other] = [newId('partner'), newId('partner')]
    const created: string[] = []
    for (let count = 0; count < 5; count += 1)
      created.push((await harness.createWebhook(partnerId, receiver.url)).webhook.webhook_id)
    const page = async (cursor?: string, of = partnerId) => {
      const query = { limit: '2', ...(cursor === undefined ? {} : { cursor }) }
      return call(...bus(), destinations.list, { ...ask(), params: { partnerId: of }, query })
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const listed = await page(cursor)
      if (!listed.ok) throw new Error(listed.code)
      seen.push(...listed.value.webhooks.map((webhook) => webhook.webhook_id))
      cursor = listed.value.next_cursor ?? undefined
      if (cursor !== undefined)
        expect(await page(cursor, other)).toEqual({ ok: false, code: 'invalid_cursor' })
    } while (cursor !== undefined)
    expect(seen).toEqual(created)
    expect(await page('made-up')).toEqual({ ok: false, code: 'invalid_cursor' })
  })

  test('get nothing more once deleted, and their waiting deliveries are dropped', async () => {
    const partnerId = newId('partner')
    const failing = await startReceiver((response) => response.writeHead(500).end())
    const { webhook } = await harness.createWebhook(partnerId, failing.url)
    await harness.publishEvent(paymentEvent(partnerId))
    await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 1)
    const params = { partnerId, webhookId: webhook.webhook_id }
    expect(await call(...bus(), destinations.delete, { ...ask(), params })).toEqual({
      ok: true,
      value: { deleted: true, webhook_id: webhook.webhook_id },
    })
    harness.clock.advance(60_000)
    await harness.publishEvent(paymentEvent(partnerId))
    const where = [webhook.webhook_id]
    await eventually(
      async () =>
        (await harness.sql('SELECT 1 FROM deliveries WHERE destination_id = $1', where)).length === 0,
    )
    expect(failing.hits.length).toBe(1)
    const [row] = await harness.sql<{ secret_sealed: string | null }>(
      'SELECT * FROM destinations WHERE id = $1',
      where,
    )
    expect(row?.secret_sealed).toBe(null)
    await failing.close()
  })
})
