import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { destinations, events, registrations } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { paymentEvent, SCHEDULE_MS, startHarness, type Harness } from '../harness.ts'
import { merchantEvent } from '../merchant-fixture.ts'
import { startReceiver, type Hit } from '../receiver.ts'

let harness: Harness
let revision = 0
beforeAll(async () => {
  harness = await startHarness()
  await harness.startReplica()
})
afterAll(() => harness.stop())

const ask = () => ({ requestId: newId('request'), timeoutMs: TEST_DEADLINE_MS, safe: false })
const operator = { kind: 'operator', actor: 'test' } as const
const eventIdOf = (hit: Hit): unknown => hit.headers['x-webhook-event-id']

/** Replaces the set under the next revision. */
const disable = async (...partnerIds: string[]) => {
  expect(await harness.setDisabledPartners((revision += 1), partnerIds)).toBe(true)
}

/** A partner's destination whose receiver answers 500 until the test says otherwise. */
const newDestination = async (partnerId: string) => {
  const receiver = await startReceiver((response) => response.writeHead(500).end())
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const params = { partnerId, webhookId: webhook.webhook_id }
  return {
    receiver,
    params,
    got: () => receiver.hits.map(eventIdOf),
    mend: () => receiver.answerWith((response) => response.end()),
  }
}

const missedAt = async ({ params }: Awaited<ReturnType<typeof newDestination>>) => {
  const query = { status: 'missed' as const }
  const asked = { ...ask(), caller: operator, params, query }
  const listed = await call(harness.bus, harness.clock, events.listOfDestination, asked)
  return listed.ok ? listed.value.events.map((event) => event.event_id) : listed
}

test('sends nothing to a disabled partner on any replica, and what waits is sent once the partner is enabled', async () => {
  const [partnerId, otherId] = [newId('partner'), newId('partner')]
  const [stopped, control] = [await newDestination(partnerId), await newDestination(otherId)]
  const first = paymentEvent(partnerId)
  await harness.publishEvent(first)
  await harness.publishEvent(paymentEvent(otherId))
  for (const { params } of [stopped, control])
    await harness.deliveryWhen(params.partnerId, params.webhookId, ({ attempts }) => attempts.length === 1)
  await disable(partnerId)
  const late = await newDestination(partnerId)
  for (const { mend } of [stopped, control, late]) mend()

  // What the other partner gets meanwhile shows that there was time enough.
  harness.clock.advance(SCHEDULE_MS[0] ?? 0)
  await eventually(() => control.got().length === 2)
  const meanwhile = [paymentEvent(partnerId), paymentEvent(partnerId)]
  for (const event of meanwhile) await harness.publishEvent(event)
  await harness.publishEvent(paymentEvent(otherId))
  await eventually(() => control.got().length === 3)
  const missed = meanwhile
    .map(({ id }) => id)
    .sort()
    .reverse()
  await eventually(async () => JSON.stringify(await missedAt(stopped)) === JSON.stringify(missed))
  expect([stopped.got(), late.got()]).toEqual([[first.id], []])

  await disable()
  await eventually(() => stopped.got().length === 2)
  const last = paymentEvent(partnerId)
  await harness.publishEvent(last)
  await eventually(() => stopped.got().length === 3 && late.got().length === 1)
  expect([stopped.got(), late.got()]).toEqual([[first.id, first.id, last.id], [last.id]])
  expect(await missedAt(stopped)).toEqual(missed)
  for (const { receiver } of [stopped, control, late]) await receiver.close()
})

test('allows staff a test call to a disabled partner, and delays what they resend until it is enabled', async () => {
  const partnerId = newId('partner')
  const destination = await newDestination(partnerId)
  const { params, got, mend, receiver } = destination
  mend()
  await disable(partnerId)
  const event = paymentEvent(partnerId)
  await harness.publishEvent(event)
  await eventually(async () => JSON.stringify(await missedAt(destination)) === JSON.stringify([event.id]))
  const asked = { ...ask(), caller: operator }
  const resent = await call(harness.bus, harness.clock, events.resend, {
    ...asked,
    params: { ...params, eventId: event.id },
  })
  expect(resent).toMatchObject({ value: { delivery: { status: 'waiting' } } })
  const tested = await call(harness.bus, harness.clock, destinations.test, { ...asked, params })
  expect(tested).toMatchObject({ value: { success: true } })
  expect(receiver.hits.map(({ headers }) => headers['x-webhook-event-id'])).not.toContain(event.id)
  await disable()
  await eventually(() => got().includes(event.id))
  await receiver.close()
})

test('keeps sending to merchants while their partner is disabled', async () => {
  const [partnerId, merchantId] = [newId('partner'), newId('merchant')]
  const partner = await newDestination(partnerId)
  partner.mend()
  const receiver = await startReceiver()
  const made = await call(harness.bus, harness.clock, registrations.create, {
    ...ask(),
    caller: { kind: 'merchant', merchantId },
    body: { url: receiver.url },
  })
  expect(made).toMatchObject({ ok: true })
  await disable(partnerId)
  const event = { ...merchantEvent(merchantId, null), partners: paymentEvent(partnerId).partners }
  await harness.publishEvent(event)
  await eventually(() => receiver.hits.length === 1)
  await eventually(async () => JSON.stringify(await missedAt(partner)) === JSON.stringify([event.id]))
  expect([receiver.hits.map(eventIdOf), partner.got()]).toEqual([[event.id], []])
  await disable()
  for (const one of [receiver, partner.receiver]) await one.close()
})

test('refuses a set older than the known one until the known one was not confirmed for a minute', async () => {
  const storedIds = async () => {
    const rows = await harness.sql<{ id: string }>(
      'SELECT partner_id AS id FROM disabled_partners ORDER BY 1',
    )
    return rows.map(({ id }) => id)
  }
  const [earlier, later] = [newId('partner'), newId('partner')]
  await disable(later)
  const older = () => harness.setDisabledPartners(revision - 1, [earlier])
  expect([await older(), await storedIds()]).toEqual([false, [later]])
  harness.clock.advance(59_000)
  expect(await harness.setDisabledPartners(revision, [later])).toBe(true)
  harness.clock.advance(59_000)
  expect([await older(), await storedIds()]).toEqual([false, [later]])
  harness.clock.advance(2_000)
  expect([await older(), await storedIds()]).toEqual([true, [earlier]])
  expect(await harness.setDisabledPartners(revision, [])).toBe(true)
  expect(await storedIds()).toEqual([])
})
