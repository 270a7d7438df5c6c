import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createClock, createDb, createLogger, NotDoneError, statement, type Db } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'

const ownPid = statement({
  name: 'test.own-pid',
  text: 'SELECT pg_backend_pid() AS pid',
  row: z.object({ pid: z.number() }),
})
const terminate = statement({ name: 'test.terminate', text: 'SELECT pg_terminate_backend($1)' })
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
beforeAll(async () => {
  database = await testDatabase('lost')
  const log = createLogger({ service: 'test', level: 'silent' })
  db = createDb({ url: database.url, name: 'test', log, clock: createClock(), poolSize: 1, lanes: 1 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

it('a connection lost between two statements of a transaction undoes it, and the process goes on', async () => {
  const transaction = db.transaction(async (tx) => {
    const [own] = await tx.query(ownPid)
    await db.query(terminate, [own?.pid])
    // The end comes as an event of its own; a statement that meets it fails with the server's word for it.
    await eventually(() =>
      tx.query(ownPid).then(
        () => false,
        (error: unknown) => String(error).includes('not queryable'),
      ),
    )
    await tx.query(ownPid)
  })
  await expect(transaction).rejects.toBeInstanceOf(NotDoneError)
  const [again] = await db.transaction((tx) => tx.query(ownPid))
  expect(again?.pid).toEqual(expect.any(Number))
})
