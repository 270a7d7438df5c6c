import { expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createDb, migrate } from '../src/database.ts'
import { createClock, type Logger } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))

test('migrates once when eight replicas start together', async () => {
  const { url, drop } = await testDatabase('migrate')
  await Promise.all(Array.from({ length: 8 }, () => migrate({ url, folder: FOLDER, log: silent })))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'SELECT name FROM migrations_chassis UNION ALL SELECT name FROM migrations',
  )
  await client.end()
  await drop()
  expect(rows.map(({ name }: { name: string }) => name)).toEqual([
    '1_chassis',
    '2_idempotency_steps',
    '4_key-ring',
    '5_outbox',
    '6_inbox-age',
    '7_stream-id',
    '8_outbox-progress',
    '9_parked-events',
    '10_outbox-origin',
    '11_outbox-blocks',
    '12_ledger-facts',
    '1_effects',
  ])
})

test('refuses a server that is older than PostgreSQL 18 and changes nothing in it', async () => {
  const { url, drop } = await testDatabase('older')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    CREATE SCHEMA older;
    CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql
      AS $$ SELECT CASE name WHEN 'server_version_num' THEN '170006' ELSE '17.6' END $$`)
  await client.query(
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = older, pg_catalog, public`,
  )
  await expect(migrate({ url, folder: FOLDER, log: silent })).rejects.toThrow(
    'PostgreSQL 18 or newer is required, but the server has version 17.6',
  )
  const { rows } = await client.query(`SELECT to_regclass('public.migrations_chassis') AS made`)
  expect(rows).toEqual([{ made: null }])
  await client.end()
  await drop()
})

test('names a database that belongs to another service and changes nothing in it', async () => {
  const { url, drop } = await testDatabase('foreign')
  const other = mkdtempSync(join(tmpdir(), 'causeway-other-'))
  writeFileSync(join(other, '1_other.sql'), 'CREATE TABLE others (id text)')
  await migrate({ url, folder: other, log: silent })
  const name = new URL(url).pathname.slice(1)
  await expect(migrate({ url, folder: FOLDER, log: silent })).rejects.toThrow(
    `the database ${name} contains the tables of another service`,
  )
  // Its own service still starts on it.
  await migrate({ url, folder: other, log: silent })
  await drop()
  rmSync(other, { recursive: true })
})

test.each([
  ['migration', (url: string, log: Logger) => migrate({ url, folder: FOLDER, log })],
  [
    'first connection',
    async (url: string, log: Logger) => {
      const db = createDb({
        url,
        name: 'test',
        log,
        clock: createClock(),
        poolSize: 1,
        pipelinedConnections: 1,
      })
      await db.open()
      await db.close()
    },
  ],
])('makes the %s wait for an unavailable database, and logs a line from time to time', async (_, start) => {
  const { url, drop } = await testDatabase('away')
  const { port: databasePort } = new URL(url)
  const way = createServer((near) => {
    const far = connect(Number(databasePort), '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  // A port that was free a moment ago: nobody listens there until this test does.
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const { port } = way.address() as AddressInfo
  await new Promise((resolve) => way.close(resolve))
  const awayUrl = new URL(url)
  awayUrl.host = `127.0.0.1:${port}`
  const warned: unknown[] = []
  const log = {
    ...silent,
    info: () => undefined,
    warn: (fields: object) => void warned.push(fields),
  } as never
  const started = start(awayUrl.href, log)
  await eventually(() => warned.length > 0)
  expect(warned).toMatchObject([{ event: 'db.waiting' }])
  way.listen(port, '127.0.0.1')
  await started
  way.close()
  await drop()
})

test('lets other statements run first while a migration waits for a lock, and migrates once the lock is free', async () => {
  const { url, drop } = await testDatabase('locked')
  const folder = mkdtempSync(join(tmpdir(), 'causeway-migrations-'))
  writeFileSync(
    join(folder, '1_items.sql'),
    'CREATE TABLE items (name text); INSERT INTO items VALUES (NULL);',
  )
  await migrate({ url, folder, log: silent })
  writeFileSync(join(folder, '2_size.sql'), 'ALTER TABLE items ADD COLUMN size integer;')
  const [reader, writer] = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: url }),
  ]
  await Promise.all([reader.connect(), writer.connect()])
  await reader.query('BEGIN')
  await reader.query('SELECT * FROM items')
  const warned: object[] = []
  const log = {
    ...silent,
    info: () => undefined,
    warn: (fields: object) => void warned.push(fields),
  } as never
  const migrated = migrate({ url, folder, log })
  await eventually(() => warned.length > 0)
  expect(warned).toMatchObject([{ event: 'db.locked', error: { code: '55P03' } }])
  // Waits behind the migration for half a second at most, although the reader is still there.
  await writer.query(`UPDATE items SET name = 'written'`)
  await reader.query('COMMIT')
  await migrated
  const { rows } = await writer.query('SELECT * FROM items')
  expect(rows).toEqual([{ name: 'written', size: null }])
  rmSync(folder, { recursive: true })
  await Promise.all([reader.end(), writer.end()])
  await drop()
})

/** Takes long enough that a transaction waits for the first table before the migration asks for the second. */
const FIRST = 'ALTER TABLE first ADD COLUMN size integer; SELECT pg_sleep(0.3);'
const SECOND = 'ALTER TABLE second ADD COLUMN size integer;'

test.each([
  ['two files', [FIRST, SECOND]],
  ['one file', [`${FIRST} ${SECOND}`]],
])(
  'fails no transaction that locks two tables in the other order than a migration by %s',
  async (_, files) => {
    const { url, drop } = await testDatabase('crossed')
    const folder = mkdtempSync(join(tmpdir(), 'causeway-migrations-'))
    writeFileSync(
      join(folder, '1_tables.sql'),
      ['first', 'second']
        .map((name) => `CREATE TABLE ${name} (name text); INSERT INTO ${name} VALUES (NULL);`)
        .join(''),
    )
    await migrate({ url, folder, log: silent })
    for (const [index, sql] of files.entries()) writeFileSync(join(folder, `${index + 2}_size.sql`), sql)
    const [writer, watcher] = [
      new pg.Client({ connectionString: url }),
      new pg.Client({ connectionString: url }),
    ]
    await Promise.all([writer.connect(), watcher.connect()])
    await writer.query('BEGIN')
    await writer.query(`UPDATE second SET name = 'written'`)
    const migrated = migrate({ url, folder, log: silent })
    await eventually(async () => {
      const { rows } = await watcher.query(
        `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'first'::regclass`,
      )
      return rows.length === 1
    })
    await writer.query(`UPDATE first SET name = 'written'`)
    await writer.query('COMMIT')
    await migrated
    const { rows } = await writer.query('SELECT * FROM first UNION ALL SELECT * FROM second')
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ name: 'written', size: null })))
    rmSync(folder, { recursive: true })
    await Promise.all([writer.end(), watcher.end()])
    await drop()
  },
)

test('does not wait for a database that refuses the user', async () => {
  const { url, drop } = await testDatabase('refusing')
  const wrong = new URL(url)
  wrong.password = 'not this one'
  await expect(migrate({ url: wrong.href, folder: FOLDER, log: silent })).rejects.toThrow(
    'password authentication failed',
  )
  await drop()
})
