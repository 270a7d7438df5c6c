import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { call, newId } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { deliveries, events } from '@causeway/contracts'
import { merchantEvent, startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'
import { startReceiver } from '../receiver.ts'

let fixture: MerchantFixture
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterAll(() => fixture.stop())

test('finds rare deliveries behind ten thousand others, page by page', async () => {
  const merchant = fixture.newMerchant()
  const receiver = await startReceiver()
  const { id } = await merchant.registered({ url: receiver.url })
  const event = merchantEvent(merchant.merchantId, null, 'expired')
  await fixture.harness.publishEvent(event)
  await merchant.deliveryWhen(id, (delivery) => delivery.status === 'delivered')
  await fixture.harness.sql(
    `WITH given AS (SELECT 'evt_' || lpad(n::text, 26, '0') AS event_id, 'dlv_7' || lpad(n::text, 25, '0') AS id
       FROM generate_series(1, 10000) AS n),
     logged AS (INSERT INTO events (owner_id, event_id, type, body, created_at)
       SELECT $1, event_id, 'paid', '{}', now() FROM given)
     INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
       created_at)
     SELECT $2, id, $1, event_id, 'paid', 'delivered', 1, 0, now(), now() FROM given`,
    [merchant.merchantId, id],
  )
  const first = await merchant.deliveries(id, { event_type: 'expired' })
  if (!first.ok) throw new Error(first.code)
  expect(first.value).toEqual({ deliveries: [], next_cursor: expect.any(String) })
  const next = await merchant.deliveries(id, {
    event_type: 'expired',
    cursor: first.value.next_cursor ?? '',
  })
  expect(next).toMatchObject({
    value: { deliveries: [{ event_id: event.id }], next_cursor: null },
  })
  await receiver.close()
})

test('finds dead deliveries of all owners, and the owner of an event, for staff, and failing webhooks for notices', async () => {
  const merchant = fixture.newMerchant()
  const receiver = await startReceiver()
  const { id } = await merchant.registered({ url: receiver.url })
  const event = merchantEvent(merchant.merchantId, null, 'expired')
  await fixture.harness.publishEvent(event)
  const { delivery_id } = await merchant.deliveryWhen(id, (delivery) => delivery.status === 'delivered')
  await fixture.harness.sql("UPDATE deliveries SET state = 'dead' WHERE id = $1", [delivery_id])
  const { bus, clock } = fixture.harness
  const asked = () => ({
    caller: { kind: 'operator' as const, actor: 'staff' },
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: true,
  })
  const owner = { partner_id: null, customer_id: merchant.merchantId }
  expect(await call(bus, clock, deliveries.listDead, { ...asked(), query: {} })).toMatchObject({
    value: {
      deliveries: [
        { delivery_id, event_id: event.id, webhook_id: id, url: `${receiver.url}/service/webhook`, ...owner },
      ],
      next_cursor: null,
    },
  })
  const failing = async (since: number, afterId = '', limit = 200) =>
    call(bus, clock, deliveries.listFailing, {
      ...asked(),
      caller: { kind: 'service' as const, service: 'access' as const },
      body: { since: new Date(since).toISOString(), after_id: afterId, limit },
    })
  const hourAgoMs = clock.nowMs() - 3_600_000
  const noneAfter = { value: { webhooks: [], next_id: null } }
  expect(await failing(hourAgoMs)).toMatchObject({
    value: { webhooks: [{ webhook_id: id, ...owner }], next_id: null },
  })
  expect(await failing(hourAgoMs, '', 1)).toMatchObject({ value: { next_id: id } })
  expect(await failing(hourAgoMs, id)).toMatchObject(noneAfter)
  // Of a delivery that was given up longer ago, of a test call, and of a disabled webhook nobody is notified.
  expect(await failing(clock.nowMs() + 3_600_000)).toMatchObject(noneAfter)
  for (const change of [
    "UPDATE deliveries SET event_type = 'test' WHERE destination_id = $1",
    "UPDATE deliveries SET event_type = 'expired' WHERE destination_id = $1",
    'UPDATE destinations SET disabled_at = now() WHERE id = $1',
  ]) {
    await fixture.harness.sql(change, [id])
    const isCounted = change.includes("'expired'")
    expect(await failing(hourAgoMs)).toMatchObject(
      isCounted ? { value: { webhooks: [{ webhook_id: id }] } } : noneAfter,
    )
  }
  const params = { eventId: event.id }
  expect(await call(bus, clock, events.listOwners, { ...asked(), params })).toMatchObject({
    value: { owners: [owner] },
  })
  const unknown = { eventId: newId('event') }
  expect(await call(bus, clock, events.listOwners, { ...asked(), params: unknown })).toMatchObject({
    code: 'resource_not_found',
  })
  await receiver.close()
})
