import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { createDb } from '../src/database.ts'
import { createClock, NotDoneError, queryOne } from '../src/index.ts'
import { requiredUrl } from '../src/testing/database.ts'
import { testDatabase } from '../src/testing/index.ts'
import { z } from 'zod'
import { silent } from './fixture.ts'

const role = `rotated_${randomBytes(6).toString('hex')}`
const CONNECTIONS = 4
const sleepBriefly = queryOne({
  name: 'test.sleep',
  text: 'SELECT pg_sleep(0.2)::text AS slept',
  row: z.object({ slept: z.string() }),
})
let database: Awaited<ReturnType<typeof testDatabase>>

const asAdmin = async (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: requiredUrl('CAUSEWAY_TEST_POSTGRES_URL') })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
const urlWith = (password: string): string => {
  const url = new URL(database.url)
  url.username = role
  url.password = password
  return url.href
}
/** Uses a separate connection for each. */
const useAll = (db: ReturnType<typeof createDb>) =>
  Promise.all([
    ...Array.from({ length: CONNECTIONS }, () => db.transaction((tx) => sleepBriefly(tx))),
    sleepBriefly(db),
  ])

beforeAll(async () => {
  database = await testDatabase('password')
  await asAdmin(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`)
})
afterAll(async () => {
  await database.drop()
  await asAdmin(`DROP ROLE ${role}`)
})

test('replaces a password while connections are opened, without failing a statement', async () => {
  let currentUrl = urlWith('first')
  const open = () => {
    const options = { url: currentUrl, currentUrl: () => currentUrl, name: 'test', log: silent }
    return createDb({ ...options, clock: createClock(), poolSize: CONNECTIONS, pipelinedConnections: 1 })
  }
  const dbs = Array.from({ length: 4 }, open)
  const [beforeBoth, withBoth, replaced, after] = dbs as [
    (typeof dbs)[0],
    (typeof dbs)[0],
    (typeof dbs)[0],
    (typeof dbs)[0],
  ]
  try {
    await useAll(beforeBoth)
    currentUrl = `${urlWith('first')} ${urlWith('second')}`
    await useAll(withBoth)
    await asAdmin(`ALTER ROLE ${role} PASSWORD 'second'`)
    // The first attempt of each connection is with the former password.
    await useAll(replaced)
    currentUrl = urlWith('second')
    await useAll(after)
    currentUrl = urlWith('first')
    const former = open()
    dbs.push(former)
    await expect(useAll(former)).rejects.toThrow(NotDoneError)
  } finally {
    await Promise.all(dbs.map((db) => db.close()))
  }
})
