import { createClock, newId, type Clock, type Db } from '@causeway/chassis'
import { openTestDb, eventually, testDatabase } from '@causeway/chassis/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { keepDailyPartitions } from '../../src/attempts/jobs/daily-partitions.ts'

const DAY_MS = 24 * 3_600_000
const migration = (name: string) =>
  readFileSync(new URL(`../../migrations/${name}.sql`, import.meta.url), 'utf8')

let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
let replicas: Db[]
let clock: Clock

const inserted = (at: Date, deliveryId: string = newId('delivery')) =>
  client.query('INSERT INTO attempts (delivery_id, at, latency_ms) VALUES ($1, $2, 1)', [deliveryId, at])
const fromNow = (days: number) => new Date(clock.nowMs() + days * DAY_MS)
/** How many attempts each partition holds, by its name; empty ones are left out. */
const counted = async (): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ name: string; n: number }>(
    'SELECT tableoid::regclass::text AS name, count(*)::integer AS n FROM attempts GROUP BY 1',
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.n]))
}
const nameOf = (at: Date) => `attempts_${at.toISOString().slice(0, 10).replaceAll('-', '')}`
const keep = (retentionMs: number, at = 0) =>
  keepDailyPartitions({ db: replicas[at] as never, clock }, retentionMs)

beforeEach(async () => {
  clock = createClock()
  database = await testDatabase('attempts')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(migration('1_webhooks'))
  replicas = [0, 1, 2].map((n) => openTestDb(database.url, clock, { timeoutFactor: 1, name: `replica-${n}` }))
})
afterEach(async () => {
  await client.end()
  await Promise.all(replicas.map((db) => db.close()))
  await database.drop()
})

test('keeps attempts older than the daily partitions, and adds later ones of that day to the first partition', async () => {
  const deliveryId = newId('delivery')
  const [now, at] = [clock.now(), fromNow(-3)]
  await inserted(at, deliveryId)
  await inserted(fromNow(-400))
  await client.query(migration('4_attempts-by-day'))
  await inserted(now)
  expect(await counted()).toEqual({ attempts_before: 3 })
  await expect(inserted(at, deliveryId)).rejects.toThrow('duplicate key')
  await inserted(fromNow(1))
  expect(await counted()).toEqual({ attempts_before: 3, attempts_other: 1 })
})

test('creates each partition once when replicas create them concurrently, and loses no earlier attempt', async () => {
  await client.query(migration('4_attempts-by-day'))
  const days = [1, 2, 3].map(fromNow)
  for (const day of days) await inserted(day)
  expect(await counted()).toEqual({ attempts_other: 3 })
  await eventually(async () => {
    await Promise.all(replicas.map((_, at) => keep(30 * DAY_MS, at)))
    return !('attempts_other' in (await counted()))
  })
  expect(await counted()).toEqual(Object.fromEntries(days.map((day) => [nameOf(day), 1])))
})

test('keeps every attempt of writers that continue while a partition is created', async () => {
  await client.query(migration('4_attempts-by-day'))
  const writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  const ending = { isDone: false }
  const writing = (async () => {
    let written = 0
    for (; !ending.isDone; written += 1)
      await writer.query('INSERT INTO attempts (delivery_id, at, latency_ms) VALUES ($1, $2, 1)', [
        newId('delivery'),
        fromNow(1 + (written % 3)),
      ])
    return written
  })()
  await eventually(async () => Object.values(await counted()).some((n) => n > 10))
  await keep(30 * DAY_MS)
  await eventually(async () => ((await counted())[nameOf(fromNow(3))] ?? 0) > 10)
  ending.isDone = true
  const written = await writing
  await writer.end()
  const counts = await counted()
  expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(written)
  expect(Object.keys(counts).sort()).toEqual([1, 2, 3].map((day) => nameOf(fromNow(day))))
})

test('drops a partition once its last attempt is past the retention, also the first one, and rows of the default one', async () => {
  await inserted(fromNow(-2))
  await client.query(migration('4_attempts-by-day'))
  await keep(30 * DAY_MS)
  for (const day of [1, 2, 20]) await inserted(fromNow(day))
  expect(await counted()).toEqual({
    attempts_before: 1,
    [nameOf(fromNow(1))]: 1,
    [nameOf(fromNow(2))]: 1,
    attempts_other: 1,
  })
  const kept = [nameOf(fromNow(2))]
  clock.advance(9 * DAY_MS)
  await keep(7 * DAY_MS)
  expect(Object.keys(await counted()).filter((name) => name !== 'attempts_other')).toEqual(kept)
  clock.advance(20 * DAY_MS)
  await keep(7 * DAY_MS)
  expect(await counted()).toEqual({})
})

test('drops a partition that is locked in a later round', async () => {
  await client.query(migration('4_attempts-by-day'))
  await keep(30 * DAY_MS)
  const reader = new pg.Client({ connectionString: database.url })
  await reader.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT FROM attempts_before')
  clock.advance(40 * DAY_MS)
  await expect(keep(7 * DAY_MS)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('lock timeout') },
  })
  await inserted(clock.now())
  await reader.query('COMMIT')
  await reader.end()
  await keep(7 * DAY_MS)
  const { rows } = await client.query(`SELECT to_regclass('attempts_before') AS there`)
  expect(rows).toEqual([{ there: null }])
})
