import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { deliveries, endpoints, events, MAX_OWN_ENDPOINTS, redeliveries } from '@causeway/contracts'
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

const callerOf = (partnerId: string) => ({ kind: 'partner', partnerId, clientId: newId('client') }) as const
const NOT_FOUND = { ok: false, code: 'resource_not_found' }

const create = async (partnerId: string, body: { url: string; event_types?: never[] }) => {
  const created = await harness.ask(endpoints.create, callerOf(partnerId), { body })
  if (!created.ok) throw new Error(JSON.stringify(created))
  return created.value
}

test('lets a partner create, read, change, rotate and delete its own endpoint', async () => {
  const caller = callerOf(newId('partner'))
  const created = await create(caller.partnerId, { url: receiver.url })
  expect(created.webhook_secret).toMatch(/^[0-9a-f]{64}$/)
  const params = { webhookId: created.webhook.webhook_id }
  expect(await harness.ask(endpoints.get, caller, { params })).toMatchObject({
    ok: true,
    value: { webhook: created.webhook },
  })
  expect(await harness.ask(endpoints.list, caller, { query: {} })).toMatchObject({
    ok: true,
    value: { webhooks: [created.webhook], next_cursor: null },
  })
  const body = { event_types: ['payment.pending' as const], status: 'disabled' as const }
  const updated = await harness.ask(endpoints.update, caller, { params, body })
  expect(updated).toMatchObject({ ok: true, value: { webhook: body } })
  const rotated = await harness.ask(endpoints.rotateSecret, caller, { params, body: { overlap_hours: 1 } })
  if (!rotated.ok) throw new Error(rotated.code)
  expect(rotated.value.webhook_secret).not.toBe(created.webhook_secret)
  expect(rotated.value.webhook.former_secret_until).toBeDefined()
  const deleted = await harness.ask(endpoints.delete, caller, { params })
  expect(deleted).toMatchObject({ ok: true, value: { deleted: true, webhook_id: params.webhookId } })
  expect(await harness.ask(endpoints.get, caller, { params })).toEqual(NOT_FOUND)
})

test('refuses a URL inside the network, with the rules for the URLs that staff enter', async () => {
  const body = { url: 'https://10.0.0.1/' }
  expect(await harness.ask(endpoints.create, callerOf(newId('partner')), { body })).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [expect.objectContaining({ field: 'url', reason: 'forbidden_address' })],
  })
})

test('sends a test event to the endpoint, and lists and repeats its deliveries', async () => {
  const caller = callerOf(newId('partner'))
  const { webhook } = await create(caller.partnerId, { url: receiver.url })
  const params = { webhookId: webhook.webhook_id }
  expect(await harness.ask(endpoints.test, caller, { params })).toMatchObject({
    ok: true,
    value: { success: true, status_code: 200 },
  })
  const event = paymentEvent(caller.partnerId)
  await harness.publishEvent(event)
  const listed = () => harness.ask(deliveries.listOfEndpoint, caller, { params, query: {} })
  const delivered = await eventually(async () => {
    const answer = await listed()
    if (!answer.ok) throw new Error(answer.code)
    return answer.value.deliveries.find(
      ({ event_id: id, status }) => id === event.id && status === 'delivered',
    )
  })
  const repeated = await harness.ask(deliveries.redeliverOfEndpoint, caller, {
    params: { ...params, deliveryId: delivered.delivery_id },
  })
  expect(repeated).toMatchObject({ ok: true, value: { delivery: { event_id: event.id } } })
  const since = event.created_at
  const begun = await harness.ask(redeliveries.createOfEndpoint, caller, { params, body: { since } })
  expect(begun).toMatchObject({ ok: true, value: { redelivery: { webhook_id: params.webhookId } } })
  expect(
    await harness.ask(events.getOfCallingPartner, caller, { params: { eventId: event.id } }),
  ).toMatchObject({ ok: true, value: { event: { event_id: event.id, payload: { event_id: event.id } } } })
})

test('answers as for an unknown endpoint where it belongs to another partner', async () => {
  const owner = callerOf(newId('partner'))
  const other = callerOf(newId('partner'))
  const { webhook } = await create(owner.partnerId, { url: receiver.url })
  const params = { webhookId: webhook.webhook_id }
  const event = paymentEvent(owner.partnerId)
  await harness.publishEvent(event)
  await harness.deliveryWhen(owner.partnerId, params.webhookId, ({ status }) => status === 'delivered')
  const answers = await Promise.all([
    harness.ask(endpoints.get, other, { params }),
    harness.ask(endpoints.update, other, { params, body: { status: 'disabled' } }),
    harness.ask(endpoints.rotateSecret, other, { params }),
    harness.ask(endpoints.test, other, { params }),
    harness.ask(endpoints.delete, other, { params }),
    harness.ask(deliveries.listOfEndpoint, other, { params, query: {} }),
    harness.ask(events.getOfCallingPartner, other, { params: { eventId: event.id } }),
    harness.ask(events.listOfEndpoint, other, { params, query: {} }),
    harness.ask(events.resendToEndpoint, other, { params: { ...params, eventId: event.id } }),
    harness.ask(redeliveries.createOfEndpoint, other, { params, body: { since: event.created_at } }),
  ])
  expect(answers).toEqual(answers.map(() => NOT_FOUND))
  expect(await harness.ask(endpoints.list, other, { query: {} })).toMatchObject({ value: { webhooks: [] } })
  expect(await harness.ask(endpoints.get, owner, { params })).toMatchObject({ value: { webhook } })
})

test('refuses one endpoint too many, also to requests at the same time', async () => {
  const caller = callerOf(newId('partner'))
  const body = { url: receiver.url, event_types: ['payment.pending' as const] }
  const answers = await Promise.all(
    Array.from({ length: MAX_OWN_ENDPOINTS + 3 }, () => harness.ask(endpoints.create, caller, { body })),
  )
  const refused = answers.filter(({ ok }) => !ok)
  expect(refused).toEqual([1, 2, 3].map(() => ({ ok: false, code: 'limit_reached' })))
})
