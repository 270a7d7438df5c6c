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
/** Statement of the runbook for a parked event. */
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

test('publishes the event of a committed transaction and not that of a refused one', async () => {
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

test('publishes every event exactly once with two relays of one service', async () => {
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

test('republishes acknowledged events after the stream has lost its data', async () => {
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

test('does not treat an existing stream that is created again or reconfigured as lost', async () => {
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

test('republishes only the last batches after the stream has lost its end', async () => {
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

test('detects a loss even if another service has published past it', async () => {
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

test('keeps a published event for 7 days, and an unpublished one until it is published', async () => {
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

test('lets another relay take over once the lease of a dead relay ends', async () => {
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

test("does not advance the stream's known position after it has lost its lease", async () => {
  await leaseToDeadReplica(fixture.db, { leaseUntil: new Date(fixture.clock.nowMs() + 5_000) })
  const mark = (holder: string, lastStreamSeq: number) =>
    markPublished(fixture.db, { seqs: [], lastStreamSeq, now: fixture.clock.now(), holder })
  await mark('dead replica', 7)
  await mark('another replica', 9)
  expect((await readProgress(fixture.db))?.streamSeq).toBe(7)
})

test('loses nothing when a full stream refuses events: they are published when there is room', async () => {
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
