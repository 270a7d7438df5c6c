import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { z } from 'zod'
import { createDb } from '../src/database.ts'
import { createClock, createLogger, NotDoneError, queryMany, registry, type Db } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'

/** One a test: who has taken one keeps it as long as its connection. */
const [LOCK, ...LOCKS] = [7, 8, 9] as const
const waitForLock = queryMany({
  name: 'test.wait-for-lock',
  parameters: { lock: 'integer' },
  text: 'SELECT count(pg_advisory_lock(:lock))::integer AS taken',
  row: z.object({ taken: z.number() }),
})
const one = queryMany({ name: 'test.one', text: 'SELECT 1 AS one', row: z.object({ one: z.number() }) })

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
const log = createLogger({ service: 'test', level: 'silent' })
const open = (url: string, lockTimeoutMs = 60_000) =>
  createDb({
    url,
    name: 'test',
    log,
    clock: createClock(),
    poolSize: 1,
    pipelinedConnections: 1,
    lockTimeoutMs,
  })
beforeAll(async () => {
  database = await testDatabase('pooled')
  db = open(database.url)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

it('runs a slow statement on the pool without delaying others', async () => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [LOCK])
  const slow = waitForLock(db.pooled, { lock: LOCK })
  await eventually(async () => {
    const { rows } = await holder.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    return rows.length === 1
  })
  expect(await one(db)).toEqual([{ one: 1 }])
  await holder.query('SELECT pg_advisory_unlock($1)', [LOCK])
  expect(await slow).toEqual([{ taken: 1 }])
  await holder.end()
})

it.each([
  ['pipelined connections', LOCKS[0]],
  ['pool', LOCKS[1]],
] as const)('reports that a statement of the %s that gave up on a lock did nothing', async (way, lock) => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [lock])
  const impatient = open(database.url, 50)
  const run = way === 'pipelined connections' ? impatient : impatient.pooled
  await expect(waitForLock(run, { lock })).rejects.toBeInstanceOf(NotDoneError)
  await impatient.close()
  await holder.end()
})

it('reports that a statement did nothing when the disk is full, on every path', async () => {
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`CREATE FUNCTION write_to_full_disk() RETURNS integer LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
  await admin.end()
  const write = queryMany({
    name: 'test.write-to-full-disk',
    text: 'SELECT write_to_full_disk() AS written',
    row: z.object({ written: z.number() }),
  })
  await expect(write(db)).rejects.toBeInstanceOf(NotDoneError)
  await expect(write(db.pooled)).rejects.toBeInstanceOf(NotDoneError)
  await expect(db.transaction((tx) => write(tx))).rejects.toBeInstanceOf(NotDoneError)
})

it('reports that nothing was done when the database is unreachable', async () => {
  const url = new URL(database.url)
  url.port = '1'
  const unreachable = open(url.href)
  await expect(one(unreachable.pooled)).rejects.toBeInstanceOf(NotDoneError)
  await unreachable.close()
})

it('shows the connections of the pool and the waits for them in the metrics', async () => {
  const valueOf = async (name: string, labels: object = {}) =>
    (await registry.getSingleMetric(name)?.get())?.values.find((each) =>
      Object.entries(labels).every(
        ([label, value]) => (each.labels as Record<string, unknown>)[label] === value,
      ),
    )?.value
  const used = () => valueOf('db_client_connection_count', { state: 'used' })
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const first = db.transaction(async () => promise)
  await eventually(async () => (await used()) === 1)
  const second = db.transaction(async () => 'second')
  expect(await valueOf('db_client_connection_pending_requests')).toBe(1)
  expect(await valueOf('db_client_connection_max')).toBe(1)
  resolve(undefined)
  expect(await second).toBe('second')
  await first
  expect([await used(), await valueOf('db_client_connection_count', { state: 'idle' })]).toEqual([0, 1])
  expect(await valueOf('db_client_connection_pending_requests')).toBe(0)
})
