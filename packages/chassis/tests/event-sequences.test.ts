import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { DomainEvent, EVENT_STREAM } from '@causeway/contracts'
import { z } from 'zod'
import { queryNone, queryOne, startRelay, type Bus } from '../src/index.ts'
import { continueSequences } from '../src/outbox/continue-sequences.ts'
import { eventually, forgetEvents, testBus } from '../src/testing/index.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

const unpublished = queryOne({
  name: 'test.unpublished',
  text: 'SELECT count(*)::int AS count FROM outbox_unpublished',
  row: z.object({ count: z.number() }),
})
const createCounted = queryNone({
  name: 'test.create-counted',
  text: 'CREATE TABLE counted AS SELECT 0 AS changes',
})
const change = queryOne({
  name: 'test.change',
  text: 'UPDATE counted SET changes = changes + 1 RETURNING changes',
  row: z.object({ changes: z.number() }),
})
const newestSequence = queryOne({
  name: 'test.newest-sequence',
  text: 'SELECT max(seq) AS seq FROM outbox_events',
  row: z.object({ seq: z.number() }),
})
/** As pg_dump and a restore leave the row: with another transaction's xmin. */
const copyOrigin = queryNone({
  name: 'test.copy-origin',
  text: 'UPDATE outbox_origin SET written_by = written_by',
})
const setHistory = queryNone({
  name: 'test.set-history',
  parameters: { history: 'text' },
  text: 'UPDATE outbox_origin SET history = :history, written_by = pg_current_xact_id()::xid',
})

let fixture: Awaited<ReturnType<typeof openDatabase>>
let bus: Bus
const relay = () =>
  startRelay({ service: 'payments', db: fixture.db, bus, clock: fixture.clock, log: silent })

beforeAll(async () => {
  bus = await testBus()
})
beforeEach(async () => {
  await forgetEvents(bus)
  fixture = await openDatabase()
})
afterEach(() => fixture.close())
afterAll(() => bus.close())

test('publishes the events of an object with sequences in the order of its changes, however they race', async () => {
  await createCounted(fixture.db)
  const changed: string[] = []
  await Promise.all(
    Array.from({ length: 40 }, () =>
      fixture.db.transaction(async (tx) => {
        const event = anEvent()
        const row = await change(tx)
        changed[Number(row?.changes) - 1] = event.id
        tx.emit(event)
      }),
    ),
  )
  const running = relay()
  await eventually(async () => (await unpublished(fixture.db))?.count === 0)
  await running.stop()
  const manager = await bus.jetstreamManager()
  const { state } = await manager.streams.info(EVENT_STREAM)
  const sequences = new Map<string, number>()
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const text = (await manager.streams.getMessage(EVENT_STREAM, { seq }))?.string() ?? ''
    const { id, sequence } = DomainEvent.parse(JSON.parse(text))
    sequences.set(id, Number(sequence))
  }
  const inOrder = changed.map((id) => Number(sequences.get(id)))
  expect(inOrder).toHaveLength(40)
  expect(inOrder).toEqual([...new Set(inOrder)].sort((a, b) => a - b))
})

const emit = async (): Promise<number> => {
  await fixture.db.transaction(async (tx) => tx.emit(anEvent()))
  return (await newestSequence(fixture.db))?.seq ?? 0
}

test('skips past every earlier sequence in a restored or copied database, but not after a restart', async () => {
  const start = () => Promise.all([1, 2, 3].map(() => continueSequences(fixture, silent)))
  await start()
  expect(await emit()).toBe(1)
  await start()
  expect(await emit()).toBe(2)

  const restoredAt = fixture.clock.outsideMs() * 1_000
  await setHistory(fixture.db, { history: '7000000000000000000/00000001' })
  await start()
  const restored = await emit()
  expect(restored).toBeGreaterThan(restoredAt)
  expect(restored).toBeLessThan(Number.MAX_SAFE_INTEGER)
  await start()
  expect(await emit()).toBe(restored + 1)

  const copiedAt = fixture.clock.outsideMs() * 1_000
  await copyOrigin(fixture.db)
  await start()
  expect(await emit()).toBeGreaterThan(copiedAt)
})

test('skips past every earlier sequence of a promoted database while the relay runs', async () => {
  const running = relay()
  try {
    expect(await emit()).toBe(1)
    await eventually(async () => (await unpublished(fixture.db))?.count === 0)
    await setHistory(fixture.db, { history: '7000000000000000000/00000001' })
    const promotedAt = fixture.clock.outsideMs() * 1_000
    await eventually(async () => (await emit()) > promotedAt)
  } finally {
    await running.stop()
  }
})
