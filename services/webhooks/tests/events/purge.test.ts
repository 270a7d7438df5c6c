import { createClock, newId, newIdAt, type Db } from '@causeway/chassis'
import { openTestDb, statementOf, testDatabase } from '@causeway/chassis/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { FIRST, purgeEvents, type PurgePosition } from '../../src/events/retention-store.ts'

const EVENTS = 12_000
const PURGED = 10_000
const now = Date.now()
const [oldest, beforeId] = [new Date(now), newIdAt('event', now)]

let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
/** Holds a snapshot, as a dump does. */
let holder: pg.Client
let db: Db

/** Events of one owner, a second apart; the first of them is `count` seconds old. */
const insert = async (ownerId: string, count: number): Promise<string[]> => {
  const at = Array.from({ length: count }, (_, n) => now - (count - n) * 1_000)
  const ids = at.map((ms) => newIdAt('event', ms))
  await client.query(
    `INSERT INTO events (owner_id, event_id, type, body, created_at)
     SELECT $1, event_id, 'paid', '{}', to_timestamp(ms / 1000.0)
     FROM unnest($2::text[], $3::float8[]) AS given (event_id, ms)`,
    [ownerId, ids, at],
  )
  return ids
}
const valuesOf = (after: PurgePosition, limit: number) => ({
  oldest,
  beforeId,
  limit,
  afterOwnerId: after.ownerId,
  afterEventId: after.eventId,
})
const kept = async (): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>('SELECT event_id AS id FROM events ORDER BY 1')
  return rows.map(({ id }) => id)
}

/** Pages that a batch of ten reads, undone. */
const pagesRead = async (after: PurgePosition): Promise<number> => {
  const { text, values } = await statementOf((queryable) => purgeEvents(queryable, valuesOf(after, 10)))
  const given = (values as (string | number | Date)[]).map((value) =>
    pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
  )
  await client.query('BEGIN')
  await client.query(`PREPARE batch AS ${text}`)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE batch (${given.join(', ')})`,
  )
  await client.query('ROLLBACK')
  await client.query('DEALLOCATE batch')
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

beforeEach(async () => {
  database = await testDatabase('webhooks')
  client = new pg.Client({ connectionString: database.url, options: '-c enable_seqscan=off' })
  await client.connect()
  holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  db = openTestDb(database.url, createClock(), { timeoutFactor: 1 })
})
afterEach(async () => {
  await db.close()
  await Promise.all([client.end(), holder.end()])
  await database.drop()
})

test('reads as little in a batch of a purge after 10,000 events as in the first one, while a snapshot is held', async () => {
  await client.query('ALTER TABLE events SET (autovacuum_enabled = false)')
  await insert(newId('partner'), EVENTS)
  await client.query('ANALYZE')
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
  const first = await pagesRead(FIRST)
  let after = FIRST
  for (let purged = 0; purged < PURGED; purged += 1_000)
    after = (await purgeEvents(db.pooled, valuesOf(after, 1_000))) ?? FIRST
  expect(await kept()).toHaveLength(EVENTS - PURGED)
  expect(await pagesRead(after)).toBeLessThan(2 * first)
  expect(await pagesRead(FIRST)).toBeGreaterThan(4 * first)
})

test('continues a batch behind the previous one with the next owner, and the last one of a round reports that', async () => {
  const [one, other] = [newId('partner'), newId('partner')].sort() as [string, string]
  const [ofOne, ofOther] = [await insert(one, 3), await insert(other, 3)]
  const first = await purgeEvents(db.pooled, valuesOf(FIRST, 2))
  expect(first).toEqual({ ownerId: one, eventId: ofOne[1] })
  const second = await purgeEvents(db.pooled, valuesOf(first ?? FIRST, 2))
  expect(second).toEqual({ ownerId: other, eventId: ofOther[0] })
  expect(await kept()).toEqual(ofOther.slice(1))
  expect(await purgeEvents(db.pooled, valuesOf(second ?? FIRST, 3))).toBeNull()
  expect(await kept()).toEqual([])
})
