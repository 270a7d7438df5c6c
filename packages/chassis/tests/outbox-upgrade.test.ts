import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../src/database.ts'
import { newId } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))
const UPGRADE = 11
const numberOf = (file: string) => Number.parseInt(file)

/** Statements of the previous version's replicas, verbatim; each is prepared before the upgrade. */
const BEFORE = {
  append: `WITH appended AS (
      INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
      SELECT "eventId", "eventName", "eventPayload", "eventCreatedAt", "eventTraceparent" FROM
      unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
        AS e ("eventId", "eventName", "eventPayload", "eventCreatedAt", "eventTraceparent")
      RETURNING seq
    ), unpublished AS (INSERT INTO outbox_unpublished (seq) SELECT seq FROM appended) SELECT`,
  claim: `SELECT e.seq, e.event_id
    FROM outbox_unpublished u CROSS JOIN LATERAL (SELECT * FROM outbox_events WHERE seq = u.seq LIMIT 1) e
    WHERE u.seq > 0 ORDER BY u.seq LIMIT 256`,
  mark: `WITH batch AS (
      INSERT INTO outbox_published (published_at, last_stream_seq, seqs, advances) SELECT now(), 1, $1::bigint[], true
    )
    DELETE FROM outbox_unpublished WHERE seq = ANY ($1::bigint[])`,
  republish: `WITH identity AS (UPDATE outbox_relay SET stream_id = 'x', stream_created = 'x', stream_seq = $1::bigint),
    lost AS (DELETE FROM outbox_published WHERE last_stream_seq > $1::bigint RETURNING seqs)
    INSERT INTO outbox_unpublished (seq)
    SELECT unnest(seqs) FROM lost UNION SELECT seq FROM outbox_events WHERE stream_seq > $1::bigint
    ON CONFLICT DO NOTHING RETURNING seq`,
  deleteExpired: `WITH expired AS (
      DELETE FROM outbox_published
      WHERE batch IN (SELECT batch FROM outbox_published ORDER BY batch LIMIT 100) AND published_at < $1::timestamptz
      RETURNING batch, seqs
    ), deleted AS (
      DELETE FROM outbox_events WHERE seq = ANY (ARRAY(
        SELECT s.seq FROM expired CROSS JOIN unnest(expired.seqs) AS s (seq)
        WHERE NOT EXISTS (SELECT FROM outbox_unpublished u WHERE u.seq = s.seq)))
    )
    SELECT batch FROM expired`,
  deleteExpiredWithoutBatch: `DELETE FROM outbox_events e
    WHERE seq IN (SELECT seq FROM outbox_events ORDER BY seq LIMIT 5000) AND published_at < $1::timestamptz
      AND NOT EXISTS (SELECT FROM outbox_unpublished u WHERE u.seq = e.seq)
    RETURNING seq`,
}

let database: Awaited<ReturnType<typeof testDatabase>>
let replica: pg.Client

const run = async (name: keyof typeof BEFORE, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await replica.query<Record<string, unknown>>({ name, text: BEFORE[name], values })).rows
const append = (count: number) => {
  const ids = Array.from({ length: count }, () => newId('event'))
  const of = (value: unknown) => ids.map(() => value)
  return run('append', [ids, of('payment.pending'), of('{}'), of(new Date()), of(null)])
}
const claimed = async (): Promise<number[]> => (await run('claim')).map(({ seq }) => Number(seq))
const upgrade = () => migrate({ url: database.url, folder: FOLDER, log: silent })
const placed = async (): Promise<Record<string, number>> => {
  const { rows } = await replica.query<{ name: string; n: number }>(
    'SELECT tableoid::regclass::text AS name, count(*)::integer AS n FROM outbox_events GROUP BY 1',
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

/** A database as the version before has left it. */
beforeEach(async () => {
  database = await testDatabase('upgrade')
  replica = new pg.Client({ connectionString: database.url })
  await replica.connect()
  await replica.query(
    'CREATE TABLE migrations_chassis (id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL)',
  )
  const earlier = readdirSync(MIGRATIONS)
    .filter((file) => numberOf(file) < UPGRADE)
    .sort((a, b) => numberOf(a) - numberOf(b))
  for (const file of earlier) {
    await replica.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
    await replica.query('INSERT INTO migrations_chassis (name, run_on) VALUES ($1, now())', [
      file.replace('.sql', ''),
    ])
  }
})
afterEach(async () => {
  await replica.end()
  await database.drop()
})

test('turns a filled outbox into the first block and continues its sequences', async () => {
  await append(300)
  await upgrade()
  await append(2)
  expect(await placed()).toEqual({ outbox_events_before: 302 })
  expect((await claimed()).length).toBe(256)
  const { rows } = await replica.query(
    'SELECT min(seq)::integer, max(seq)::integer, (SELECT ends FROM outbox_blocks WHERE begins IS NULL AND ends IS NOT NULL) FROM outbox_events',
  )
  expect(rows).toEqual([{ min: 1, max: 302, ends: '100000300' }])
})

test('lets the previous version append, claim, mark, republish and delete on the upgraded outbox', async () => {
  await append(3)
  await run('mark', [(await claimed()).slice(0, 1)])
  for (const name of ['republish'] as const) await run(name, [10])
  for (const name of ['deleteExpired', 'deleteExpiredWithoutBatch'] as const) await run(name, [new Date(0)])
  await upgrade()
  await append(2)
  expect(await claimed()).toEqual([2, 3, 4, 5])
  await run('mark', [[2, 3]])
  expect(await claimed()).toEqual([4, 5])
  expect((await run('republish', [0])).map(({ seq }) => Number(seq)).sort()).toEqual([1, 2, 3])
  await run('mark', [[1, 2, 3]])
  await run('deleteExpired', [new Date(Date.now() + 60_000)])
  expect(await run('deleteExpiredWithoutBatch', [new Date()])).toEqual([])
  expect(await placed()).toEqual({ outbox_events_before: 2 })
})

test('upgrades without reading a table under a lock, because the bound of the first block is validated before', async () => {
  await append(10)
  await upgrade()
  const text = readFileSync(new URL('11_outbox-blocks.sql', MIGRATIONS), 'utf8')
  const preparation = readFileSync(new URL('../preparations/11_outbox-blocks.sql', import.meta.url), 'utf8')
  const again = await testDatabase('upgrade_again')
  const client = new pg.Client({ connectionString: again.url })
  await client.connect()
  const earlier = readdirSync(MIGRATIONS)
    .filter((file) => numberOf(file) < UPGRADE)
    .sort((a, b) => numberOf(a) - numberOf(b))
  for (const file of earlier) await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  const notices: string[] = []
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  await client.query(preparation)
  await client.query('SET client_min_messages = debug1')
  await client.query(text)
  expect(notices).toContain(
    'partition constraint for table "outbox_events_before" is implied by existing constraints',
  )
  await client.end()
  await again.drop()
})

test('replaces a bound that the sequence has passed when the preparation runs again', async () => {
  const preparation = readFileSync(new URL('../preparations/11_outbox-blocks.sql', import.meta.url), 'utf8')
  await append(1)
  await replica.query(preparation)
  await replica.query(`SELECT setval(pg_get_serial_sequence('outbox_events', 'seq'), 1000000000)`)
  await replica.query(preparation)
  await append(1)
  await upgrade()
  const { rows } = await replica.query('SELECT ends FROM outbox_blocks WHERE ends IS NOT NULL')
  expect(rows).toEqual([{ ends: '1100000000' }])
})

test('lets writers of the previous version continue during the upgrade, without losing events', async () => {
  await append(1_000)
  const ending = { isDone: false }
  const writing = (async () => {
    let written = 1_000
    for (; !ending.isDone; written += 1) await append(1)
    return written
  })()
  await Promise.all([upgrade(), upgrade(), upgrade()])
  const before = Object.values(await placed())[0] ?? 0
  await eventually(async () => (Object.values(await placed())[0] ?? 0) > before + 10)
  ending.isDone = true
  expect(await placed()).toEqual({ outbox_events_before: await writing })
})
