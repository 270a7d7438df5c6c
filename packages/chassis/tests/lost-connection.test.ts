import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createDb } from '../src/database.ts'
import { createClock, createLogger, NotDoneError, queryNone, queryOne, type Db } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'

const ownPid = queryOne({
  name: 'test.own-pid',
  text: 'SELECT pg_backend_pid() AS pid',
  row: z.object({ pid: z.number() }),
})
const terminate = queryNone({
  name: 'test.terminate',
  parameters: { pid: 'integer' },
  text: 'SELECT pg_terminate_backend(:pid)',
})
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
beforeAll(async () => {
  database = await testDatabase('lost')
  const log = createLogger({ service: 'test', level: 'silent' })
  db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock: createClock(),
    poolSize: 1,
    pipelinedConnections: 1,
  })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

it('rolls a transaction back when its connection is lost between two statements, and keeps running', async () => {
  const transaction = db.transaction(async (tx) => {
    const own = await ownPid(tx)
    await terminate(db, { pid: own?.pid ?? 0 })
    // The end is a separate event; a statement that runs into it fails with the server's error.
    await eventually(() =>
      ownPid(tx).then(
        () => false,
        (error: unknown) => String(error).includes('not queryable'),
      ),
    )
    await ownPid(tx)
  })
  await expect(transaction).rejects.toBeInstanceOf(NotDoneError)
  const again = await db.transaction((tx) => ownPid(tx))
  expect(again?.pid).toEqual(expect.any(Number))
})
