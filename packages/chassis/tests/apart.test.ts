import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { z } from 'zod'
import { createClock, createDb, createLogger, NotDoneError, statement, type Db } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'

const LOCK = 7
const waitForLock = statement({
  name: 'test.wait-for-lock',
  text: 'SELECT count(pg_advisory_lock($1::integer))::integer AS taken',
  row: z.object({ taken: z.number() }),
})
const one = statement({ name: 'test.one', text: 'SELECT 1 AS one', row: z.object({ one: z.number() }) })

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
const log = createLogger({ service: 'test', level: 'silent' })
const open = (url: string) =>
  createDb({ url, name: 'test', log, clock: createClock(), poolSize: 1, lanes: 1, lockTimeoutMs: 60_000 })
beforeAll(async () => {
  database = await testDatabase('apart')
  db = open(database.url)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

it('a statement that takes long stands in nobody’s way when it runs apart', async () => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [LOCK])
  const slow = db.apart.query(waitForLock, [LOCK])
  await eventually(async () => {
    const { rows } = await holder.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    return rows.length === 1
  })
  expect(await db.query(one)).toEqual([{ one: 1 }])
  await holder.query('SELECT pg_advisory_unlock($1)', [LOCK])
  expect(await slow).toEqual([{ taken: 1 }])
  await holder.end()
})

it('tells that nothing was done when the database cannot be reached', async () => {
  const url = new URL(database.url)
  url.port = '1'
  const unreachable = open(url.href)
  await expect(unreachable.apart.query(one)).rejects.toBeInstanceOf(NotDoneError)
  await unreachable.close()
})
