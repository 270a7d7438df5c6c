import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { destinations, events, type WebhookStatus } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { paymentEvent, SCHEDULE_MS, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Hit } from '../receiver.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  await harness.startReplica()
})
afterAll(() => harness.stop())

const ask = () => ({
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: false,
  caller: { kind: 'operator', actor: 'test' } as const,
})
const eventIdOf = (hit: Hit): string => (JSON.parse(hit.body) as { event_id: string }).event_id

const newDestination = async (partnerId: string) => {
  const receiver = await startReceiver((response) => response.writeHead(500).end())
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const params = { partnerId, webhookId: webhook.webhook_id }
  return {
    receiver,
    params,
    got: () => receiver.hits.map(eventIdOf),
    set: (status: WebhookStatus) =>
      call(harness.bus, harness.clock, destinations.update, { ...ask(), params, body: { status } }),
    resend: (eventId: string) =>
      call(harness.bus, harness.clock, events.resend, { ...ask(), params: { ...params, eventId } }),
    missed: async () => {
      const query = { status: 'missed' as const }
      const listed = await call(harness.bus, harness.clock, events.listOfDestination, {
        ...ask(),
        params,
        query,
      })
      return listed.ok ? listed.value.events.map((event) => event.event_id) : listed
    },
  }
}

test('makes no attempt at a disabled destination, and everything can be sent once it is enabled', async () => {
  const partnerId = newId('partner')
  const [disabled, control] = [await newDestination(partnerId), await newDestination(partnerId)]
  const first = paymentEvent(partnerId)
  await harness.publishEvent(first)
  for (const { params } of [disabled, control])
    await harness.deliveryWhen(partnerId, params.webhookId, ({ attempts }) => attempts.length === 1)
  expect(await disabled.set('disabled')).toMatchObject({
    value: { webhook: { status: 'disabled', disabled_at: expect.any(String) } },
  })

  // What the other destination gets meanwhile shows that there was time enough.
  harness.clock.advance(SCHEDULE_MS[0] ?? 0)
  control.receiver.answerWith((response) => response.end())
  disabled.receiver.answerWith((response) => response.end())
  await eventually(() => control.got().length === 2)
  const second = paymentEvent(partnerId)
  const third = paymentEvent(partnerId)
  await harness.publishEvent(second)
  await harness.publishEvent(third)
  await eventually(() => control.got().length === 4)
  // An event is in the log once its deliveries are recorded, which is after they are sent.
  await eventually(
    async () =>
      JSON.stringify(await disabled.missed()) === JSON.stringify([third.id, second.id].sort().reverse()),
  )
  expect(await disabled.resend(second.id)).toMatchObject({ value: { delivery: { status: 'waiting' } } })
  expect(await control.resend(second.id)).toMatchObject({ ok: true })
  await eventually(() => control.got().length === 5)
  expect(disabled.got()).toEqual([first.id])

  const enabled = await disabled.set('active')
  expect(enabled).toMatchObject({ value: { webhook: { status: 'active' } } })
  expect(enabled).not.toHaveProperty('value.webhook.disabled_at')
  await eventually(() => disabled.got().length === 3)
  expect(new Set(disabled.got())).toEqual(new Set([first.id, second.id]))
  expect(await disabled.missed()).toEqual([third.id])
  const fourth = paymentEvent(partnerId)
  await harness.publishEvent(fourth)
  await eventually(() => disabled.got().includes(fourth.id))
  for (const { receiver } of [disabled, control]) await receiver.close()
})

test('keeps the time of a disabled destination when it is disabled again', async () => {
  const { set, receiver } = await newDestination(newId('partner'))
  const before = await set('disabled')
  harness.clock.advance(1_000)
  expect(await set('disabled')).toEqual(before)
  await receiver.close()
})
