import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { EVENT_STREAM } from '@causeway/contracts'
import { AckPolicy } from '@nats-io/jetstream'
import { newId, startRelay, startStreamKeeper, type Bus } from '../src/index.ts'
import { purgeAcknowledged } from '../src/bus/streams.ts'
import { eventually, forgetEvents, makeStreams, testBus } from '../src/testing/index.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

const LATE = 'events.payments.payment.late'

let bus: Bus
beforeAll(async () => {
  bus = await testBus()
})
beforeEach(() => forgetEvents(bus))
afterAll(() => bus.close())

const publish = async (count: number): Promise<number> => {
  let last = 0
  for (let each = 0; each < count; each += 1)
    last = await bus.publishEvent(LATE, JSON.stringify({ pad: 'x'.repeat(1_000) }), newId('event'), null)
  return last
}

/** Acknowledges the next events of a consumer. */
const acknowledge = async (durable: string, count: number): Promise<void> => {
  const consumer = await bus.jetstream.consumers.get(EVENT_STREAM, durable)
  for await (const message of await consumer.fetch({ max_messages: count, expires: 5_000 }))
    await message.ackAck()
}

const stateOf = async () => {
  const manager = await bus.jetstreamManager()
  const { messages, first_seq: first, bytes } = (await manager.streams.info(EVENT_STREAM)).state
  return { messages, first, bytes }
}

test('purges what every consumer has acknowledged and keeps the rest', async () => {
  const manager = await bus.jetstreamManager()
  const last = await publish(10)
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 10, first: 1 })

  await acknowledge('webhooks-fanout', 4)
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 6, first: 5 })

  await acknowledge('webhooks-fanout', 6)
  await purgeAcknowledged(manager, last - 2)
  expect(await stateOf()).toMatchObject({ messages: 2, first: 9 })
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 0 })
})

test('keeps events that a consumer created by the operator has not acknowledged', async () => {
  const manager = await bus.jetstreamManager()
  await manager.consumers.add(EVENT_STREAM, { durable_name: 'warehouse', ack_policy: AckPolicy.Explicit })
  const last = await publish(5)
  await acknowledge('webhooks-fanout', 5)
  await acknowledge('warehouse', 2)
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 3, first: 3 })
})

test('continues without a restart when a full stream has room again, and loses no event of the outbox', async () => {
  await makeStreams(bus, { events: 64 * 1_024 })
  const keeper = await startStreamKeeper({
    bus,
    log: silent,
    bounds: { events: 64 * 1_024, documents: null, replicas: 1 },
    everyMs: 20,
    keepAcknowledgedMs: 1,
  })
  const fixture = await openDatabase()
  const relay = startRelay({ service: 'payments', db: fixture.db, bus, clock: fixture.clock, log: silent })
  try {
    let filled = 0
    await expect(
      (async () => {
        for (; filled < 1_000; filled += 1) await publish(1)
      })(),
    ).rejects.toThrow(/maximum bytes exceeded/)
    const events = Array.from({ length: 5 }, () => anEvent())
    await fixture.db.transaction(async (tx) => {
      for (const event of events) tx.emit(event)
      await Promise.resolve()
    })
    await acknowledge('webhooks-fanout', filled)
    const ids: string[] = []
    const consumer = await bus.jetstream.consumers.get(EVENT_STREAM, 'webhooks-fanout')
    await eventually(async () => {
      for await (const message of await consumer.fetch({ max_messages: 5, expires: 1_000 })) {
        ids.push(message.headers?.get('Nats-Msg-Id') ?? '')
        await message.ackAck()
      }
      return ids.length >= events.length
    })
    expect(ids).toEqual(events.map(({ id }) => id))
  } finally {
    await relay.stop()
    await keeper.stop()
    await fixture.close()
  }
})

test('keeps an event that a projection has not read, even if webhooks has acknowledged it', async () => {
  const manager = await bus.jetstreamManager()
  await bus.publishEvent('events.onboarding.relationship.changed', '{}', newId('event'), null)
  const last = await publish(3)
  await acknowledge('webhooks-fanout', 4)
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 4, first: 1 })
  await acknowledge('payments-projection', 1)
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 4, first: 1 })
  await acknowledge('ledger-projection', 1)
  await purgeAcknowledged(manager, last)
  expect(await stateOf()).toMatchObject({ messages: 0 })
})
