import { createClock, newId, type Db } from '@causeway/chassis'
import { openTestDb, testDatabase } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ATTEMPTS } from '../attempt-rows.ts'
import { DueIndex } from '../../src/engine/due-index.ts'
import { createRecorder, type EventRecord } from '../../src/engine/record/record-store.ts'
import { Writer } from '../../src/engine/record/writer.ts'

const byNumber = (one: string, other: string) => Number.parseInt(one, 10) - Number.parseInt(other, 10)
const MIGRATIONS = new URL('../../migrations/', import.meta.url)

const clock = createClock()
let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
let db: Db
let writer: Writer
const writerWith = (options: Parameters<typeof createRecorder>[0]) =>
  new Writer({ db, clock, dueIndex: new DueIndex(), record: createRecorder(options) })
beforeAll(async () => {
  database = await testDatabase('writer')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  for (const file of readdirSync(MIGRATIONS).sort(byNumber))
    await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  db = openTestDb(database.url, clock)
  writer = writerWith({ attemptsOutliveDeliveries: true })
})
afterAll(async () => {
  await db.close()
  await client.end()
  await database.drop()
})

const ownerId = newId('merchant')
const destinationId = newId('webhook')
/** An event with a delivery that was answered by this status. */
const record = (eventId: string, statusCode: number): EventRecord => {
  const atMs = Date.now()
  const event = { ownerId, eventId, type: 'paid', integrationId: null, body: '{}', createdMs: atMs }
  const attempt = { atMs, statusCode, latencyMs: 1, error: null, responseBody: null, retryAfterMs: null }
  const progress = { state: 'delivered', priority: 1, retriesUsed: 0, dueMs: atMs } as const
  const keys = { destinationId, id: newId('delivery'), ownerId, eventId, eventType: 'paid' }
  const delivery = { ...keys, ...progress, nextAttemptMs: null, leaseId: null, createdMs: atMs, attempt }
  return { event, deliveries: [delivery] }
}
const recorded = async () => {
  const { rows } = await client.query<{ event_id: string; status_code: number }>(
    `SELECT e.event_id, a.status_code FROM events e
     LEFT JOIN deliveries d USING (owner_id, event_id) LEFT JOIN ${ATTEMPTS} a ON a.delivery_id = d.id
     ORDER BY e.event_id`,
  )
  return rows.map((row) => [row.event_id, row.status_code])
}

test('keeps an event that another replica has recorded, and records the others of the batch', async () => {
  const [before, known, after] = [newId('event'), newId('event'), newId('event')]
  await writer.record(record(known, 200))
  await Promise.all(
    [record(before, 201), record(known, 202), record(after, 203)].map((one) => writer.record(one)),
  )
  expect(await recorded()).toEqual([
    [before, 201],
    [known, 200],
    [after, 203],
  ])
})

test.each([
  ['that ended its delivery', 'delivered', true, ['deliveries']],
  ['after which its delivery waits', 'waiting', true, ['attempts']],
  ['that ended its delivery, where deliveries are kept longer,', 'delivered', false, ['attempts']],
] as const)('records an attempt %s once', async (_, state, attemptsOutliveDeliveries, tables) => {
  const given = record(newId('event'), 201)
  const deliveries = given.deliveries.map((delivery) => ({ ...delivery, state }))
  await writerWith({ attemptsOutliveDeliveries }).record({
    ...given,
    deliveries,
  })
  const { rows } = await client.query<{ name: string }>(
    `SELECT 'deliveries' AS name FROM deliveries WHERE id = $1 AND first_at IS NOT NULL
     UNION ALL SELECT 'attempts' FROM attempts WHERE delivery_id = $1`,
    [deliveries[0]?.id],
  )
  expect(rows.map(({ name }) => name)).toEqual(tables)
})

test('records an attempt of a missing event together with a known one', async () => {
  const [known, ended, waits] = [200, 201, 503].map((code) => record(newId('event'), code)) as [
    EventRecord,
    EventRecord,
    EventRecord,
  ]
  await writer.record(known)
  const retried = waits.deliveries.map((delivery) => ({ ...delivery, state: 'waiting' as const }))
  await Promise.all([known, ended, { ...waits, deliveries: retried }].map((one) => writer.record(one)))
  const { rows } = await client.query<{ first_status_code: number | null; status_code: number | null }>(
    `SELECT d.first_status_code, a.status_code FROM deliveries d LEFT JOIN attempts a ON a.delivery_id = d.id
     WHERE d.event_id = ANY ($1) ORDER BY d.event_id`,
    [[ended, waits].map(({ event }) => event.eventId)],
  )
  expect(rows).toEqual([
    { first_status_code: 201, status_code: null },
    { first_status_code: null, status_code: 503 },
  ])
})

test('fails alone for a record that PostgreSQL refuses, and stores nothing of it', async () => {
  const [before, after] = [record(newId('event'), 200), record(newId('event'), 201)]
  const [noState, noText] = [record(newId('event'), 202), record(newId('event'), 203)]
  const refused = {
    ...noState,
    deliveries: noState.deliveries.map((delivery) => ({ ...delivery, state: 'ended' as 'dead' })),
  }
  const unreadable = { ...noText, event: { ...noText.event, body: 'a\0b' } }
  const outcomes = await Promise.allSettled(
    [before, refused, unreadable, after].map((one) => writer.record(one)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const ids = (await recorded()).map(([eventId]) => eventId)
  expect([before, refused, unreadable, after].map(({ event }) => ids.includes(event.eventId))).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('rejects a record whose delivery is already recorded for a different event', async () => {
  const [first, second] = [record(newId('event'), 200), record(newId('event'), 200)]
  await writer.record(first)
  const taken = second.deliveries.map((delivery) => ({ ...delivery, id: first.deliveries[0]?.id ?? '' }))
  await expect(writer.record({ ...second, deliveries: taken })).rejects.toMatchObject({ code: '23505' })
  expect((await recorded()).map(([eventId]) => eventId)).not.toContain(second.event.eventId)
})

/** In how many transactions two records are written, of which the second comes 60 ms after the first. */
const transactionsOf = async (first: EventRecord, second: EventRecord): Promise<number | undefined> => {
  const writing = writer.record(first)
  await sleep(60)
  await Promise.all([writing, writer.record(second)])
  const { rows } = await client.query<{ n: number }>(
    'SELECT count(DISTINCT xmin::text)::int AS n FROM events WHERE event_id = ANY ($1)',
    [[first.event.eventId, second.event.eventId]],
  )
  return rows[0]?.n
}

test.each([
  { age: 'fresh', ageMs: 0, transactions: 1 },
  { age: 'old', ageMs: 60_000, transactions: 2 },
])(
  'records $age events without a receiver, 60 ms apart, in $transactions transactions',
  async ({ ageMs, transactions }) => {
    const untaken = (): EventRecord => {
      const { event } = record(newId('event'), 200)
      return { event: { ...event, createdMs: event.createdMs - ageMs }, deliveries: [] }
    }
    expect(await transactionsOf(untaken(), untaken())).toBe(transactions)
  },
)

test('records fresh delivered events, 60 ms apart, in 2 transactions', async () => {
  expect(await transactionsOf(record(newId('event'), 200), record(newId('event'), 200))).toBe(2)
})
