import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { endpoints, feed, FEED_WAITS_END_SUBJECT, type EventFeedPage } from '@causeway/contracts'
import { startHarness, type Harness } from '../harness.ts'
import { startReceiver } from '../receiver.ts'
import { callerOf, partnerEvent } from './feed-fixture.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const DAY_MS = 24 * 3_600_000
type Query = Readonly<Record<string, string>>

const ask = (partnerId: string, query: Query = {}) =>
  harness.ask(feed.list, callerOf(partnerId), { query, safe: true })

const read = async (partnerId: string, query: Query = {}): Promise<EventFeedPage> => {
  const answer = await ask(partnerId, query)
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  return answer.value
}
const idsOf = ({ events }: EventFeedPage) => events.map((event) => event.event_id)

type Made = ReturnType<typeof partnerEvent>
type Options = Parameters<typeof partnerEvent>[2]

/** Publishes an event and waits until it is in the feed. */
const publish = async (partnerId: string, options: Options = {}): Promise<Made> => {
  const made = partnerEvent(partnerId, harness.clock.nowMs(), options)
  await harness.publishEvent(made.event)
  await eventually(async () => {
    const params = { eventId: made.id }
    return (await harness.ask(feed.get, callerOf(partnerId), { params })).ok
  })
  return made
}

const publishAll = async (partnerId: string, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await publish(partnerId)).id)
  return ids
}

test('lists events of a partner without an endpoint, oldest first, and continues after any of them', async () => {
  const partnerId = newId('partner')
  const ids = await publishAll(partnerId, 3)
  const [first = '', second, third] = ids
  expect(await read(partnerId)).toMatchObject({ next_cursor: null, resume_after: third })
  expect(idsOf(await read(partnerId))).toEqual(ids)
  expect(idsOf(await read(partnerId, { after: first }))).toEqual([second, third])
  const page = await read(partnerId, { limit: '2' })
  expect([idsOf(page), page.next_cursor]).toEqual([[first, second], second])
  expect(await read(partnerId, { after: String(third) })).toEqual({
    events: [],
    next_cursor: null,
    resume_after: third,
  })
})

test('returns each event with the body of its webhook', async () => {
  const partnerId = newId('partner')
  const receiver = await startReceiver()
  await harness.createWebhook(partnerId, receiver.url)
  const { id } = await publish(partnerId)
  await eventually(() => receiver.hits.length === 1)
  const [event] = (await read(partnerId)).events
  expect(JSON.stringify(event)).toBe(receiver.hits[0]?.body)
  const one = await harness.ask(feed.get, callerOf(partnerId), { params: { eventId: id } })
  expect(one).toEqual({ ok: true, value: { event } })
  await receiver.close()
})

test('answers with an empty page where there is no event', async () => {
  const partnerId = newId('partner')
  expect(await read(partnerId)).toEqual({ events: [], next_cursor: null, resume_after: null })
})

test('filters by type, and resumes after events of other types', async () => {
  const partnerId = newId('partner')
  await publish(partnerId)
  const expired = await publish(partnerId, { type: 'payment.expired' })
  const last = await publish(partnerId)
  const page = await read(partnerId, { types: 'payment.expired, refund.completed' })
  expect([idsOf(page), page.next_cursor, page.resume_after]).toEqual([[expired.id], null, last.id])
})

test('refuses an unknown type and names the nearest one', async () => {
  expect(await ask(newId('partner'), { types: 'payment.expird' })).toMatchObject({
    code: 'invalid_request',
    details: [
      {
        field: 'types',
        reason: 'invalid_value',
        expected: 'event types of the partner channel; payment.expird is not one',
        hint: 'Did you mean payment.expired?',
      },
    ],
  })
})

test('begins with the events created at a time', async () => {
  const partnerId = newId('partner')
  await publish(partnerId)
  harness.clock.advance(3_600_000)
  const since = harness.clock.now().toISOString()
  const later = [(await publish(partnerId)).id, (await publish(partnerId)).id]
  expect(idsOf(await read(partnerId, { since }))).toEqual(later)
  expect(idsOf(await read(partnerId, { since, after: String(later[0]) }))).toEqual(later.slice(1))
})

test('hides the events of other partners, and refuses their ids as cursors', async () => {
  const [partnerId, otherId] = [newId('partner'), newId('partner')]
  const { id } = await publish(otherId)
  expect(idsOf(await read(partnerId))).toEqual([])
  const refusal = { ok: false, code: 'invalid_cursor', details: [{ field: 'after' }] }
  expect(await ask(partnerId, { after: id })).toMatchObject(refusal)
  expect(await ask(partnerId, { after: newId('event') })).toMatchObject(refusal)
  const params = { eventId: id }
  expect(await harness.ask(feed.get, callerOf(partnerId), { params })).toEqual({
    ok: false,
    code: 'resource_not_found',
  })
})

test('hides test calls, but accepts their ids as cursors', async () => {
  const partnerId = newId('partner')
  const receiver = await startReceiver()
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const params = { webhookId: webhook.webhook_id }
  const tested = await harness.ask(endpoints.test, callerOf(partnerId), { params })
  if (!tested.ok) throw new Error(tested.code)
  const { id } = await publish(partnerId)
  expect(idsOf(await read(partnerId))).toEqual([id])
  expect(idsOf(await read(partnerId, { after: tested.value.event_id }))).toEqual([id])
  await receiver.close()
})

test('hides the events of a revoked relationship, whose webhooks are not sent either', async () => {
  const partnerId = newId('partner')
  const relationshipId = newId('relationship')
  await publish(partnerId, { relationshipId })
  const { id } = await publish(partnerId)
  await harness.sql('INSERT INTO relationships VALUES ($1, true, 1)', [relationshipId])
  expect(idsOf(await read(partnerId))).toEqual([id])
})

test('resends an event without moving it in the feed', async () => {
  const partnerId = newId('partner')
  const receiver = await startReceiver()
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const ids = await publishAll(partnerId, 2)
  await harness.sql(
    `UPDATE deliveries SET state = 'waiting', due_at = now() - interval '1 hour' WHERE destination_id = $1`,
    [webhook.webhook_id],
  )
  await eventually(() => receiver.hits.length === 4)
  expect(idsOf(await read(partnerId))).toEqual(ids)
  await receiver.close()
})

test('forgets an event after its retention, and says so for its id', async () => {
  const partnerId = newId('partner')
  const old = await publish(partnerId)
  harness.clock.advance(31 * DAY_MS)
  const { id } = await publish(partnerId)
  expect(idsOf(await read(partnerId))).toEqual([id])
  await harness.sql('DELETE FROM events WHERE event_id = $1', [old.id])
  expect(await ask(partnerId, { after: old.id })).toMatchObject({ code: 'invalid_cursor' })
})

test('ends a wait of a partner with an empty page when it has too many', async () => {
  const partnerId = newId('partner')
  const waiting = Array.from({ length: 9 }, () => read(partnerId, { wait: '30' }))
  expect(idsOf(await Promise.race(waiting))).toEqual([])
  const { id } = await publish(partnerId)
  const pages = await Promise.all(waiting)
  expect(pages.map(idsOf).filter(([first]) => first === id).length).toBe(8)
})

test('waits for the next event, recorded by this replica or another one', async () => {
  await harness.startReplica()
  const partnerId = newId('partner')
  for (let n = 0; n < 4; n += 1) {
    const { resume_after: after } = await read(partnerId)
    const waiting = read(partnerId, { wait: '30', ...(after === null ? {} : { after }) })
    const made = partnerEvent(partnerId, harness.clock.nowMs())
    const begunMs = performance.now()
    await harness.publishEvent(made.event)
    expect(idsOf(await waiting)).toEqual([made.id])
    expect(performance.now() - begunMs).toBeLessThan(20_000)
  }
})

test('answers a wait with an empty page when its time is over', async () => {
  const partnerId = newId('partner')
  const { id } = await publish(partnerId)
  const begunMs = performance.now()
  expect(await read(partnerId, { after: id, wait: '1' })).toMatchObject({ events: [], resume_after: id })
  expect(performance.now() - begunMs).toBeGreaterThan(950)
  expect(await ask(partnerId, { wait: '31' })).toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'wait', expected: '0 to 30 seconds' }],
  })
})

test('ends every wait with an empty page when a gateway stops', async () => {
  const waiting = read(newId('partner'), { wait: '30' })
  const timer = setInterval(() => harness.bus.connection.publish(FEED_WAITS_END_SUBJECT, 'gateway'), 100)
  expect((await waiting).events).toEqual([])
  clearInterval(timer)
})

test('ends waits with an empty page when the service stops', async () => {
  const waiting = [1, 2, 3].map(() => read(newId('partner'), { wait: '30' }))
  // Each replica receives in order: once both have answered later requests, the waits have begun.
  for (let n = 0; n < 20; n += 1) await read(newId('partner'))
  const begunMs = performance.now()
  await harness.stopReplicas()
  for (const page of await Promise.all(waiting)) expect(page.events).toEqual([])
  expect(performance.now() - begunMs).toBeLessThan(20_000)
})
