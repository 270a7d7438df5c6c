import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { EVENT_STREAM } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createDb } from '../src/database.ts'
import { claimNew, consume, newId, queryMany, queryOne, type Bus, type Received } from '../src/index.ts'
import { eventually, forgetEvents, testBus } from '../src/testing/index.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

const SUBJECT = 'events.onboarding.relationship.changed'
const parked = queryMany({
  name: 'test.parked',
  text: 'SELECT event_id, error FROM parked_events ORDER BY event_id',
  row: z.object({ eventId: z.string(), error: z.string() }),
})

const outboxRows = queryOne({
  name: 'test.outbox-rows',
  text: 'SELECT count(*)::int AS count FROM outbox_events',
  row: z.object({ count: z.number() }),
})

let bus: Bus
let fixture: Awaited<ReturnType<typeof openDatabase>>
let running: { stop: () => Promise<void> } | null = null

const start = (handle: (events: readonly Received[]) => Promise<void>) => {
  const { db, clock } = fixture
  running = consume(bus, {
    service: 'payments',
    durable: 'payments-projection',
    batch: 16,
    db,
    clock,
    log: silent,
    handle,
  })
}
const publish = (event = anEvent('relationship.changed')) =>
  bus.publishEvent(SUBJECT, JSON.stringify(event), event.id, null).then(() => event)

beforeAll(async () => {
  bus = await testBus()
})
beforeEach(async () => {
  await forgetEvents(bus)
  fixture = await openDatabase()
})
afterEach(async () => {
  await running?.stop()
  running = null
  await fixture.close()
})
afterAll(() => bus.close())

test('handles each event of a failed batch once, by the inbox', async () => {
  const handled: string[] = []
  let failures = 1
  start(async (events) => {
    if (failures-- > 0) throw new Error('the database went away')
    await fixture.db.transaction(async (tx) => {
      const fresh = await claimNew(
        tx,
        'test',
        events.map((received) => received.event.id),
        fixture.clock.now(),
      )
      handled.push(...fresh)
    })
  })
  const events = await Promise.all([publish(), publish(), publish()])
  await eventually(() => handled.length >= 3)
  expect(handled.sort()).toEqual(events.map((event) => event.id).sort())
})

test('parks a message that is not an event and handles the next one', async () => {
  const handled: string[] = []
  start(async (events) => {
    handled.push(...events.map((received) => received.event.id))
  })
  await bus.publishEvent(SUBJECT, '{"id":"nonsense"}', 'evt_poison', null)
  await bus.publishEvent(SUBJECT, 'not json', 'evt_garbage', null)
  const good = await publish()
  await eventually(() => handled.length === 1)
  expect(handled).toEqual([good.id])
  const rows = await eventually(async () => {
    const found = await parked(fixture.db)
    return found.length === 2 && found
  })
  expect(rows).toEqual([
    { eventId: 'evt_garbage', error: 'Not JSON' },
    { eventId: 'evt_poison', error: 'Not an event: id, name, created_at, partners, merchant, fact' },
  ])
})

test('handles the events that another process had pulled when it died', async () => {
  const event = await publish()
  const dead = await testBus()
  const consumer = await dead.jetstream.consumers.get(EVENT_STREAM, 'payments-projection')
  const taken = await consumer.next()
  expect(taken?.headers?.get('Nats-Msg-Id')).toBe(event.id)
  await dead.close()
  const handled: string[] = []
  start(async (events) => {
    handled.push(...events.map((received) => received.event.id))
  })
  await eventually(() => handled.length === 1)
  expect(handled).toEqual([event.id])
})

test('handles an event once that takes longer than its acknowledgement wait', async () => {
  const manager = await bus.jetstreamManager()
  const { config } = await manager.consumers.info(EVENT_STREAM, 'payments-projection')
  const ackWaitMs = (config.ack_wait ?? 0) / 1_000_000
  const handled: string[] = []
  start(async (events) => {
    handled.push(...events.map((received) => received.event.id))
    await sleep(1.5 * ackWaitMs)
  })
  const [slow, next] = [await publish(), await publish()]
  await eventually(async () => {
    const info = await manager.consumers.info(EVENT_STREAM, 'payments-projection')
    return info.num_ack_pending === 0 && info.num_pending === 0
  })
  expect(handled.sort()).toEqual([slow.id, next.id].sort())
})

test('continues to consume after its stream was lost and recreated', async () => {
  const handled: string[] = []
  start(async (events) => {
    handled.push(...events.map((received) => received.event.id))
  })
  const before = await publish()
  await eventually(() => handled.includes(before.id))
  await forgetEvents(bus)
  const after = await publish()
  await eventually(() => handled.includes(after.id))
  expect(handled).toEqual([before.id, after.id])
})

test('ignores an event under the subject of another service or another event', async () => {
  const handled: string[] = []
  start(async (events) => {
    handled.push(...events.map((received) => received.event.id))
  })
  const status = { customer_id: newId('merchant'), over_threshold: true, version: 1 }
  const foreign = {
    ...anEvent('relationship.changed'),
    fact: { kind: 'dispute_standing' as const, standing: status },
  }
  const renamed = anEvent('customer.updated')
  for (const event of [foreign, renamed])
    await bus.publishEvent(SUBJECT, JSON.stringify(event), event.id, null)
  const genuine = await publish()
  await eventually(() => handled.length > 0)
  expect(handled).toEqual([genuine.id])
  expect(await parked(fixture.db)).toEqual([])
})

test('fails and rolls back when a service emits an event that belongs to another service', async () => {
  const { url, clock } = fixture
  const db = createDb({ url, name: 'onramp', log: silent, clock, poolSize: 1, pipelinedConnections: 1 })
  const emitting = db.transaction(async (tx) => tx.emit(anEvent('payment.confirmed')))
  await expect(emitting).rejects.toThrow('onramp emits payment.confirmed, which belongs to another service')
  await db.close()
  expect(await outboxRows(fixture.db)).toEqual({ count: 0 })
})
