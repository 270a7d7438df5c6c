import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { copyInto, createClock, createDb, createLogger, NotDoneError, type Db } from '../src/index.ts'
import { eventually, testDatabase, TEST_TIMEOUT_FACTOR } from '../src/testing/index.ts'

type Event = Readonly<{ id: string; atMs: number }>
type Part = Readonly<{
  eventId: string
  body: string | null
  small?: number
  whole?: number | null
  lease?: string | null
}>

const record = copyInto<{ copied_events: Event; copied_parts: Part }>({
  name: 'test.copy',
  tables: {
    copied_events: { id: ['text', (event) => event.id], at: ['timestamptz', (event) => event.atMs] },
    copied_parts: {
      event_id: ['text', (part) => part.eventId],
      body: ['text', (part) => part.body],
      small: ['smallint', (part) => part.small ?? 0],
      whole: ['integer', (part) => part.whole ?? null],
      lease: ['uuid', (part) => part.lease ?? null],
    },
  },
})

const [LOCK_TIMEOUT_MS, LONG_MS] = [100, 60_000]
let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
let db: Db
/** What a test that fails must not leave behind: a row that is held makes those after it wait for ever. */
const cleanups: (() => unknown)[] = []
const log = createLogger({ service: 'test', level: 'silent' })
const open = (
  url: string,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, statementTimeoutMs = 5_000 }: Partial<Record<string, number>> = {},
): Db =>
  createDb({
    url,
    name: 'copying',
    log,
    clock: createClock(),
    poolSize: 1,
    pipelinedConnections: 1,
    lockTimeoutMs,
    statementTimeoutMs,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })

beforeAll(async () => {
  database = await testDatabase('copy')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    CREATE TABLE copied_events (id text PRIMARY KEY, at timestamptz NOT NULL);
    CREATE TABLE copied_parts (event_id text PRIMARY KEY, body text CHECK (body <> 'refused'), small smallint NOT NULL,
      whole integer, lease uuid)`)
})
beforeEach(() => {
  db = open(database.url)
})
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
  await db.close()
  await client.query('TRUNCATE copied_events, copied_parts')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const event = (id: string): Event => ({ id, atMs: Date.UTC(2026, 10, 22) })
const written = async (table: string) =>
  (await client.query<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1`)).rows
const backends = async (): Promise<number[]> => {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'copying' AND query LIKE '%test.copy%' ORDER BY pid`,
  )
  return rows.map((row) => row.pid)
}
/** Copies one more, and says whether it was the same connection that did it. */
const goesOn = async (): Promise<boolean> => {
  const before = await backends()
  await record(db, { copied_events: [event('next')], copied_parts: [] })
  return before.length === 1 && before[0] === (await backends())[0]
}

it('writes each type as it is, null included, and rows of more bytes than the first buffer', async () => {
  const lease = randomUUID()
  const long = 'é\u{1F600}\n\\.'.repeat(100_000)
  const atMs = Date.UTC(1969, 6, 20, 20, 17, 40, 123) + 0.25
  await record(db, {
    copied_events: [{ id: 'a', atMs }],
    copied_parts: [
      { eventId: 'a', body: long, small: -32_768, whole: 2_147_483_647, lease },
      { eventId: 'b', body: null },
    ],
  })
  expect(await written('copied_parts')).toEqual([
    { event_id: 'a', body: long, small: -32_768, whole: 2_147_483_647, lease },
    { event_id: 'b', body: null, small: 0, whole: null, lease: null },
  ])
  const { rows } = await client.query(
    "SELECT at = '1969-07-20 20:17:40.12325+00' AS is_exact FROM copied_events",
  )
  expect(rows).toEqual([{ is_exact: true }])
})

it.each([
  ['a unique violation', { eventId: 'a', body: 'twice' }, '23505'],
  ['a refused value', { eventId: 'c', body: 'refused' }, '23514'],
  ['a text with NUL', { eventId: 'c', body: 'a\0b' }, '22021'],
])('%s in the last table leaves nothing in the first, and the connection goes on', async (_, part, code) => {
  await record(db, { copied_events: [], copied_parts: [{ eventId: 'a', body: 'once' }] })
  const parts = [
    ...Array.from({ length: 3_000 }, (_, n) => ({ eventId: `n${n}`, body: 'x'.repeat(100) })),
    part,
  ]
  await expect(record(db, { copied_events: [event('c')], copied_parts: parts })).rejects.toMatchObject({
    code,
  })
  expect([await written('copied_events'), (await written('copied_parts')).length]).toEqual([[], 1])
  expect(await goesOn()).toBe(true)
})

it('a failure in the first table leaves the second alone, whose rows are on their way already', async () => {
  await record(db, { copied_events: [event('a')], copied_parts: [] })
  const parts = Array.from({ length: 20_000 }, (_, n) => ({ eventId: `n${n}`, body: 'x'.repeat(100) }))
  await expect(record(db, { copied_events: [event('a')], copied_parts: parts })).rejects.toMatchObject({
    constraint: 'copied_events_pkey',
  })
  expect(await written('copied_parts')).toEqual([])
  expect(await goesOn()).toBe(true)
})

it('refuses a value that is not of its column before anything is sent', async () => {
  const part = { eventId: 'a', body: '', small: 32_768 }
  await expect(record(db, { copied_events: [event('a')], copied_parts: [part] })).rejects.toMatchObject({
    code: '22P03',
    message: 'Column small cannot hold a value that it was given',
  })
  expect([await backends(), await written('copied_events')]).toEqual([[], []])
})

/** Another connection has written the row `a` and not committed it. */
const holdRow = async () => {
  const holder = new pg.Client({ connectionString: database.url })
  cleanups.push(() => holder.end())
  await holder.connect()
  await holder.query("BEGIN; INSERT INTO copied_events VALUES ('a', now())")
  return { end: () => holder.end() }
}

it.each([
  ['lock', LOCK_TIMEOUT_MS, LONG_MS],
  ['statement', LONG_MS, LOCK_TIMEOUT_MS],
])(
  'a %s timeout undoes all of it, says so, and the connection goes on',
  async (_, lockTimeoutMs, statementTimeoutMs) => {
    await db.close()
    db = open(database.url, { lockTimeoutMs, statementTimeoutMs })
    const held = await holdRow()
    const given = { copied_events: [event('b'), event('a')], copied_parts: [{ eventId: 'a', body: '' }] }
    await expect(record(db, given)).rejects.toBeInstanceOf(NotDoneError)
    await held.end()
    expect([await written('copied_events'), await written('copied_parts')]).toEqual([[], []])
    expect(await goesOn()).toBe(true)
  },
)

it('a connection that PostgreSQL ends in the middle undoes all of it; the next copy has a new one', async () => {
  await db.close()
  db = open(database.url, { lockTimeoutMs: LONG_MS, statementTimeoutMs: LONG_MS })
  const held = await holdRow()
  const copying = record(db, { copied_events: [event('b'), event('a')], copied_parts: [] })
  const failed = expect(copying).rejects.toMatchObject({ code: '57P01' })
  await eventually(async () => {
    const { rows } = await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'copying' AND wait_event_type = 'Lock'",
    )
    return rows.length === 1
  })
  await failed
  await held.end()
  expect(await written('copied_events')).toEqual([])
  await record(db, { copied_events: [event('b'), event('a')], copied_parts: [] })
  expect((await written('copied_events')).map(({ id }) => id)).toEqual(['a', 'b'])
})

/** Passes on to PostgreSQL what a client sends, and cuts the first connection after so many bytes. */
const startCuttingProxy = async (cutAfterBytes: number) => {
  const { hostname, port } = new URL(database.url)
  const sockets: Socket[] = []
  const sent: Buffer[] = []
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    let left = sockets.length === 0 ? cutAfterBytes : Infinity
    sockets.push(socket, upstream)
    for (const each of [socket, upstream]) each.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      sent.push(chunk)
      upstream.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) for (const each of [socket, upstream]) each.end()
    })
    upstream.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(database.url)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    sent: () => Buffer.concat(sent).toString('latin1'),
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

it('a connection that is cut in the middle of a stream leaves nothing; the next copy has a new one', async () => {
  const proxy = await startCuttingProxy(400_000)
  const cut = open(proxy.url)
  cleanups.push(proxy.close, () => cut.close())
  const given = {
    copied_events: [event('a')],
    copied_parts: Array.from({ length: 8_000 }, (_, n) => ({ eventId: `n${n}`, body: 'x'.repeat(100) })),
  }
  await expect(record(cut, given)).rejects.toThrow(/terminated|ECONNRESET|EPIPE/)
  expect([await written('copied_events'), await written('copied_parts')]).toEqual([[], []])
  await record(cut, given)
  expect((await written('copied_parts')).length).toBe(8_000)
})

it('asks PostgreSQL to give up a client whose machine is gone after 15 s, before its events go to another', async () => {
  const proxy = await startCuttingProxy(Infinity)
  const probed = open(proxy.url)
  cleanups.push(proxy.close, () => probed.close())
  await record(probed, { copied_events: [event('a')], copied_parts: [] })
  const asked = /-c tcp_keepalives_(idle|interval|count)=\d+/g
  expect(proxy.sent().match(asked)).toEqual([
    '-c tcp_keepalives_idle=5',
    '-c tcp_keepalives_interval=5',
    '-c tcp_keepalives_count=2',
  ])
})

it('tells that nothing was done when the database cannot be reached', async () => {
  const url = new URL(database.url)
  url.port = '1'
  const unreachable = open(url.href)
  cleanups.push(() => unreachable.close())
  await expect(record(unreachable, { copied_events: [event('a')], copied_parts: [] })).rejects.toBeInstanceOf(
    NotDoneError,
  )
})
