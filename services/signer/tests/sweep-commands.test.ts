import { type Db } from '@causeway/chassis'
import { openTestDb, testDatabase } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { claimDueSweeps, insertSweeps, startSweeps, updateSweep } from '../src/sweeps/store.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
beforeAll(async () => {
  database = await testDatabase('signer')
  db = openTestDb(database.url)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('keeps a command that arrives during a round', async () => {
  const sweep = { network: 'ETH', asset: 'ETH' } as const
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
  await insertSweeps(db, { networks: ['ETH'], assets: ['ETH'], dueAt: at(0) })
  const claim = (seconds: number) => claimDueSweeps(db, { now: at(seconds), leaseUntil: at(seconds + 120) })
  const end = (seconds: number) =>
    updateSweep(db, {
      ...sweep,
      leaseUntil: at(seconds + 120),
      afterOrderId: null,
      againAfterOrderId: null,
      againPages: 0,
      dueAt: null,
    })
  expect(await claim(0)).toMatchObject([sweep])
  await startSweeps(db, { now: at(1) })
  await end(0)
  expect(await claim(2)).toMatchObject([sweep])
  await end(2)
  expect(await claim(500)).toEqual([])
})
