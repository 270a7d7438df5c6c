import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { EVENT_RETENTION_MS, EVENT_STREAM } from '@causeway/contracts'
import { z } from 'zod'
import {
  queryMany,
  queryNone,
  queryOne,
  refuse,
  startRelay,
  startStreamKeeper,
  type Bus,
} from '../src/index.ts'
import { markPublished, readProgress } from '../src/outbox/store.ts'
import { eventually, forgetEvents, makeStreams, testBus } from '../src/testing/index.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

const unpublished = queryOne({
  name: 'test.unpublished',
  text: 'SELECT count(*)::int AS count FROM outbox_unpublished',
  row: z.object({ count: z.number() }),
})
const keptIds = queryMany({
  name: 'test.kept',
  text: 'SELECT event_id FROM outbox_events ORDER BY seq',
  row: z.object({ eventId: z.string() }),
})
const batches = queryMany({
  name: 'test.batches',
  text: 'SELECT batch, cardinality(seqs) AS events FROM outbox_published ORDER BY batch',
  row: z.object({ batch: z.number(), events: z.number() }),
})
/** What the runbook says of a parked event. */
const listAgain = queryNone({
  name: 'test.list-again',
  parameters: { eventId: 'text' },
  text: 'INSERT INTO outbox_unpublished SELECT seq FROM outbox_events WHERE event_id = :eventId',
})
/** Another creation date than the relay remembers, whether or not this server renews it. */
const setStreamCreated = queryNone({
  name: 'test.set-stream-created',
  parameters: { streamCreated: 'text' },
  text: 'UPDATE outbox_relay SET stream_created = :streamCreated',
})
/** As if the stream had acknowledged the last batch under sequences that it has lost. */
const loseLastBatch = queryNone({
  name: 'test.lose-last-batch',
  text: `
    WITH lost AS (
      UPDATE outbox_published SET last_stream_seq = last_stream_seq + 1000
      WHERE batch = (SELECT max(batch) FROM outbox_published)
    )
    UPDATE outbox_relay SET stream_seq = stream_seq + 1000`,
})
const leaseToDeadReplica = queryNone({
  name: 'test.foreign-lease',
  parameters: { leaseUntil: 'timestamptz' },
  text: "UPDATE outbox_relay SET holder = 'dead replica', lease_until = :leaseUntil",
})

let fixture: Awaited<ReturnType<typeof openDatabase>>
let bus: Bus
const relay = () =>
  startRelay({ service: 'payments', db: fixture.db, bus, clock: fixture.clock, log: silent })

/** Message ids on the stream, in its order. */
const onStream = async (): Promise<string[]> => {
  const manager = await bus.jetstreamManager()
  const { state } = await manager.streams.info(EVENT_STREAM)
  const ids: string[] = []
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
    const stored = await manager.streams.getMessage(EVENT_STREAM, { seq })
    ids.push(stored?.header.get('Nats-Msg-Id') ?? '')
  }
  return ids
}

beforeAll(async () => {
  bus = await testBus()
})
beforeEach(async () => {
  await forgetEvents(bus)
  fixture = await openDatabase()
})
afterEach(() => fixture.close())
afterAll(() => bus.close())

test('an event of a committed transaction reaches the stream, one of a refused transaction does not', async () => {
  const [kept, dropped] = [anEvent(), anEvent()]
  const running = relay()
  await fixture.db.transaction(async (tx) => tx.emit(kept))
  await fixture.db.transaction(async (tx) => {
    tx.emit(dropped)
    return refuse('invalid_state')
  })
  await eventually(async () => (await onStream()).length === 1)
  await running.stop()
  expect(await onStream()).toEqual([kept.id])
})

test('two relays of one service together publish every event exactly once', async () => {
  const events = Array.from({ length: 600 }, () => anEvent())
  const relays = [relay(), relay()]
  for (let start = 0; start < events.length; start += 60)
    await fixture.db.transaction(async (tx) => {
      for (const event of events.slice(start, start + 60)) tx.emit(event)
    })
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await Promise.all(relays.map((running) => running.stop()))
  expect((await onStream()).sort()).toEqual(events.map((event) => event.id).sort())
})

test('after the stream has lost its data, what it had acknowledged is published again', async () => {
  const events = [anEvent(), anEvent(), anEvent()]
  const first = relay()
  await fixture.db.transaction(async (tx) => {
    for (const event of events) tx.emit(event)
  })
  await eventually(async () => (await onStream()).length === 3)
  await first.stop()
  await forgetEvents(bus)

  const second = relay()
  await eventually(async () => (await onStream()).length === 3)
  await second.stop()
  expect(await onStream()).toEqual(events.map((event) => event.id))
})

test('a stream that exists, is created once more and is brought up to its limits is no lost stream', async () => {
  const first = relay()
  await fixture.db.transaction(async (tx) => tx.emit(anEvent()))
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await first.stop()
  const manager = await bus.jetstreamManager()
  const { config, created } = await manager.streams.info(EVENT_STREAM)
  await manager.streams.add(config)
  await makeStreams(bus, { events: 32 * 1_048_576 })
  await setStreamCreated(fixture.db, { streamCreated: `not ${created}` })

  const second = relay()
  await fixture.db.transaction(async (tx) => tx.emit(anEvent()))
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await second.stop()
  expect(await batches(fixture.db)).toEqual([
    { batch: 1, events: 1 },
    { batch: 2, events: 1 },
  ])
})

test('after the stream has lost its end, only the batches of that end are published again', async () => {
  for (const size of [3, 2]) {
    const running = relay()
    await fixture.db.transaction(async (tx) => {
      for (let count = 0; count < size; count += 1) tx.emit(anEvent())
    })
    await eventually(async () => (await unpublished(fixture.db))?.count === 0)
    await running.stop()
  }
  await loseLastBatch(fixture.db)
  const running = relay()
  await eventually(async () => (await batches(fixture.db)).at(-1)?.batch === 3)
  await running.stop()
  expect(await batches(fixture.db)).toEqual([
    { batch: 1, events: 3 },
    { batch: 3, events: 2 },
  ])
})

test('a loss is found although another service has published past it', async () => {
  const events = [anEvent(), anEvent(), anEvent()]
  const first = relay()
  await fixture.db.transaction(async (tx) => {
    for (const event of events) tx.emit(event)
  })
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await first.stop()
  const manager = await bus.jetstreamManager()
  const { config } = await manager.streams.info(EVENT_STREAM)
  await manager.streams.delete(EVENT_STREAM)
  await manager.streams.add(config)
  const others = ['a', 'b', 'c', 'd']
  for (const id of others) await bus.publishEvent('events.onboarding.relationship.changed', '{}', id, null)

  const second = relay()
  await eventually(async () => (await onStream()).length === 7)
  await second.stop()
  expect((await onStream()).sort()).toEqual([...others, ...events.map(({ id }) => id)].sort())
})

test('a published event is kept for 7 days, one that is unpublished, or so again, until it is published', async () => {
  const [old, again, waiting] = [anEvent(), anEvent(), anEvent()]
  const first = relay()
  await fixture.db.transaction(async (tx) => {
    tx.emit(old)
    tx.emit(again)
  })
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  const DAY_MS = 86_400_000
  fixture.clock.advance(EVENT_RETENTION_MS - DAY_MS)
  await first.stop()
  expect(await keptIds(fixture.db)).toEqual([{ eventId: old.id }, { eventId: again.id }])

  await leaseToDeadReplica(fixture.db, { leaseUntil: new Date(fixture.clock.nowMs() + 3 * DAY_MS) })
  await listAgain(fixture.db, { eventId: again.id })
  const second = relay()
  await fixture.db.transaction(async (tx) => tx.emit(waiting))
  fixture.clock.advance(2 * DAY_MS)
  await eventually(async () => (await batches(fixture.db)).length === 0)
  await second.stop()
  expect(await keptIds(fixture.db)).toEqual([{ eventId: again.id }, { eventId: waiting.id }])
})

test('a relay that died holding the lease is followed by another once the lease ends', async () => {
  const event = anEvent()
  await leaseToDeadReplica(fixture.db, { leaseUntil: new Date(fixture.clock.nowMs() + 5_000) })
  const running = relay()
  await fixture.db.transaction(async (tx) => tx.emit(event))
  expect((await unpublished(fixture.db))?.count).toBe(1)
  fixture.clock.advance(5_001)
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await running.stop()
  expect(await onStream()).toEqual([event.id])
})

test('a relay that has lost its lease does not advance what the stream is known to have', async () => {
  await leaseToDeadReplica(fixture.db, { leaseUntil: new Date(fixture.clock.nowMs() + 5_000) })
  const mark = (holder: string, lastStreamSeq: number) =>
    markPublished(fixture.db, { seqs: [], lastStreamSeq, now: fixture.clock.now(), holder })
  await mark('dead replica', 7)
  await mark('another replica', 9)
  expect((await readProgress(fixture.db))?.streamSeq).toBe(7)
})

test('a full stream refuses and forgets nothing: what waits is published when there is room', async () => {
  const small = { events: 40_000, documents: 1_048_576, replicas: 1 }
  const warned: Record<string, unknown>[] = []
  const log = {
    warn: (fields: Record<string, unknown>) => void warned.push(fields),
    error: () => undefined,
  } as never
  const keeper = await startStreamKeeper({ bus, log, bounds: small, everyMs: 20 })
  const filler = JSON.stringify(anEvent()).padEnd(5_000)
  let refused = false
  for (let count = 0; !refused; count += 1)
    refused = await bus.publishEvent('events.payments.payment.late', filler, `filler-${count}`, null).then(
      () => false,
      (error: unknown) => String(error).includes('maximum bytes exceeded'),
    )
  // The other stream may hold what an earlier file of this worker left in it.
  const warning = await eventually(() => warned.find(({ stream }) => stream === EVENT_STREAM))
  expect(warning).toMatchObject({ event: 'stream.filling', maxBytes: 40_000 })
  const events = Array.from({ length: 40 }, () => anEvent())
  const running = relay()
  await fixture.db.transaction(async (tx) => {
    for (const event of events) tx.emit(event)
  })
  const waiting = await eventually(async () => {
    const count = (await unpublished(fixture.db))?.count ?? 0
    return count > 0 && count
  })
  expect(waiting).toBeGreaterThan(0)
  await keeper.stop()
  await makeStreams(bus)
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await running.stop()
  const ids = (await onStream()).filter((id) => id.startsWith('evt_'))
  expect(ids.sort()).toEqual(events.map((event) => event.id).sort())
})
