import { EVENT_RETENTION_MS } from '@causeway/contracts'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { keepOutbox } from '../src/outbox/retention.ts'
import { markPublished } from '../src/outbox/store.ts'
import { eventually } from '../src/testing/index.ts'
import { anEvent, openDatabase } from './fixture.ts'

/** Events of a block in these tests; the first one ends where the second begins. */
const SIZE = 10
const FIRST_ENDS = 100_000_000
const SECOND = `outbox_events_${FIRST_ENDS}`
const THIRD = `outbox_events_${FIRST_ENDS + SIZE}`

let fixture: Awaited<ReturnType<typeof openDatabase>>
let client: pg.Client

const append = (count: number) =>
  fixture.db.transaction(async (tx) => {
    for (let n = 0; n < count; n += 1)
      tx.emit({ ...anEvent(), created_at: fixture.clock.now().toISOString() })
    await Promise.resolve()
  })
const listed = async (): Promise<number[]> => {
  const { rows } = await client.query<{ seq: string }>('SELECT seq FROM outbox_unpublished ORDER BY seq')
  return rows.map(({ seq }) => Number(seq))
}
const publish = (seqs: readonly number[]) =>
  markPublished(fixture.db, { seqs: [...seqs], lastStreamSeq: 1, now: fixture.clock.now(), holder: 'test' })
const publishAll = async () => publish(await listed())
const moveSequence = (to: number) =>
  client.query(`SELECT setval(pg_get_serial_sequence('outbox_events', 'seq'), $1)`, [to])
/** How many events each table holds, by its name. */
const placed = async (): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ name: string; n: number }>(
    'SELECT tableoid::regclass::text AS name, count(*)::integer AS n FROM outbox_events GROUP BY 1',
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}
const blocks = async (): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM outbox_blocks WHERE ends IS NOT NULL ORDER BY ends',
  )
  return rows.map(({ name }) => name)
}
const keep = async (size = SIZE) => {
  while (await keepOutbox(fixture, size));
}
/** As {@link keep}; a round that did not get its locks is made again by the job. */
const keepSoon = (size: number) =>
  keep(size).catch((error: unknown) => {
    if (!String((error as Error).cause).includes('lock timeout')) throw error
  })

beforeEach(async () => {
  fixture = await openDatabase()
  client = new pg.Client({ connectionString: fixture.url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await fixture.close()
})

test('opens the next block ahead of time, and another one when writers reach it', async () => {
  await keep()
  await keep()
  expect(await blocks()).toEqual(['outbox_events_before', SECOND])
  await moveSequence(FIRST_ENDS - 2)
  await append(3)
  await keep()
  expect(await blocks()).toEqual(['outbox_events_before', SECOND, THIRD])
  expect(await placed()).toEqual({ outbox_events_before: 1, [SECOND]: 2 })
})

test('drops a full block seven days after its last event was published, not before', async () => {
  await keep()
  await moveSequence(FIRST_ENDS - 3)
  await append(1)
  await publishAll()
  fixture.clock.advance(EVENT_RETENTION_MS - 1_000)
  await append(3)
  await publishAll()
  fixture.clock.advance(2_000)
  await keep()
  expect(await placed()).toEqual({ outbox_events_before: 2, [SECOND]: 2 })
  fixture.clock.advance(EVENT_RETENTION_MS)
  await keep()
  expect(await placed()).toEqual({})
  expect(await blocks()).toEqual([SECOND, THIRD])
})

test('keeps a full block with an unpublished event until seven days after its publication', async () => {
  await keep()
  await moveSequence(FIRST_ENDS - 4)
  await append(5)
  const [first, waiting, ...later] = await listed()
  await publish([first ?? 0, ...later])
  fixture.clock.advance(2 * EVENT_RETENTION_MS)
  await keep()
  expect(await placed()).toEqual({ outbox_events_before: 3, [SECOND]: 2 })
  await publish([waiting ?? 0])
  fixture.clock.advance(EVENT_RETENTION_MS - 1_000)
  await keep()
  expect(await placed()).toEqual({ outbox_events_before: 3, [SECOND]: 2 })
  fixture.clock.advance(2_000)
  await keep()
  expect(await placed()).toEqual({})
})

test('deletes rows of the current block after seven days', async () => {
  await keep()
  await append(4)
  await publishAll()
  fixture.clock.advance(EVENT_RETENTION_MS + 1)
  await append(1)
  await keep()
  expect(await placed()).toEqual({ outbox_events_before: 1 })
  expect(await listed()).toHaveLength(1)
})

test('keeps events beyond every block, deletes them after seven days and starts a new block behind them', async () => {
  await keep()
  await moveSequence(5_000_000_000)
  await append(3)
  expect(await placed()).toEqual({ outbox_events_other: 3 })
  await keep()
  expect((await blocks()).at(-1)).toBe(`outbox_events_${5_000_000_003 + SIZE}`)
  await append(SIZE)
  expect(await placed()).toMatchObject({ outbox_events_other: 3 + SIZE - 1 })
  await publishAll()
  fixture.clock.advance(EVENT_RETENTION_MS + 1)
  await keep()
  expect(await placed()).toEqual({})
})

test('drops a locked block in a later round, without making writers wait for long', async () => {
  await keep()
  await moveSequence(FIRST_ENDS - 2)
  await append(2)
  await publishAll()
  fixture.clock.advance(EVENT_RETENTION_MS + 1)
  const reader = new pg.Client({ connectionString: fixture.url })
  await reader.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT FROM outbox_events')
  const dropping = keep()
  const begunMs = performance.now()
  await append(1)
  expect(performance.now() - begunMs).toBeLessThan(2_000)
  await expect(dropping).rejects.toMatchObject({
    cause: { message: expect.stringContaining('lock timeout') },
  })
  await reader.query('COMMIT')
  await reader.end()
  // The failed round may still hold its lock for an instant: then this one leaves the work to it.
  await eventually(async () => {
    await keep()
    return (await blocks()).join() === [SECOND, THIRD].join()
  })
})

test('opens and drops each block once when several replicas maintain the outbox while others append', async () => {
  const size = 400
  await keep(size)
  await moveSequence(FIRST_ENDS - 2)
  const ending = { isDone: false }
  const writing = (async () => {
    let written = 0
    for (; !ending.isDone; written += 1) await append(1)
    return written
  })()
  await eventually(async () => {
    await Promise.all([keepSoon(size), keepSoon(size), keepSoon(size)])
    return (await blocks()).length === 4
  })
  ending.isDone = true
  const written = await writing
  expect(Object.values(await placed()).reduce((sum, n) => sum + n, 0)).toBe(written)
  await publishAll()
  fixture.clock.advance(EVENT_RETENTION_MS + 1)
  await eventually(async () => {
    await Promise.all([keepSoon(size), keepSoon(size), keepSoon(size)])
    return (await blocks()).length === 2
  })
  expect(await placed()).toEqual({})
})
