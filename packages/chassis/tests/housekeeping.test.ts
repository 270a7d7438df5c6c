import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { z } from 'zod'
import { startHousekeeping } from '../src/housekeeping.ts'
import { deleteOldReceipts } from '../src/inbox.ts'
import { queryNone, queryOne } from '../src/index.ts'
import { eventually } from '../src/testing/index.ts'
import { openDatabase, silent } from './fixture.ts'

/** More than two batches. */
const OLD_ROWS = 4_500
const DAY_MS = 24 * 3_600_000

const insertOld = queryNone({
  name: 'test.insert-old',
  parameters: { rows: 'integer', at: 'timestamptz', now: 'timestamptz' },
  text: `
    WITH rows AS (SELECT n, CASE WHEN n > 0 THEN :at ELSE :now END AS at FROM generate_series(0, :rows) AS n),
    keys AS (
      INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at)
      SELECT 'prt_1', 'test', n::text, '', '', at FROM rows
    )
    INSERT INTO inbox (consumer, event_id, received_at) SELECT 'test', n::text, at FROM rows`,
})
const insertReceipts = queryNone({
  name: 'test.insert-receipts',
  parameters: { times: 'timestamptz[]' },
  text: `
    INSERT INTO inbox (consumer, event_id, received_at)
    SELECT 'test', at::text, at FROM unnest(:times) AS at`,
})
const lockOne = queryOne({
  name: 'test.lock-one',
  text: `SELECT key FROM idempotency_keys WHERE key = '7' FOR UPDATE`,
  row: z.object({ key: z.string() }),
})
const count = queryOne({
  name: 'test.count',
  text: `
    SELECT (SELECT count(*)::integer FROM idempotency_keys) AS keys, (SELECT count(*)::integer FROM inbox) AS receipts`,
  row: z.object({ keys: z.number(), receipts: z.number() }),
})

let fixture: Awaited<ReturnType<typeof openDatabase>>
beforeEach(async () => {
  fixture = await openDatabase()
})
afterEach(() => fixture.close())

test('deletes everything past its retention in batches, and does not wait for a row that another replica holds', async () => {
  const { db, clock } = fixture
  const old = new Date(clock.nowMs() - 7 * DAY_MS - 1)
  await insertOld(db, { rows: OLD_ROWS, at: old, now: new Date(old.getTime() + 60_000) })
  const housekeeping = await db.transaction(async (tx) => {
    await lockOne(tx)
    const started = startHousekeeping({ db, clock, log: silent })
    await eventually(async () => (await count(db))?.keys === 2)
    expect(await count(db)).toEqual({ keys: 2, receipts: 1 })
    return started
  })
  clock.advance(1)
  await eventually(async () => (await count(db))?.keys === 1)
  expect(await count(db)).toEqual({ keys: 1, receipts: 1 })
  await housekeeping.stop()
})

test('continues each batch at the time that the previous batch returned, and reads nothing before it', async () => {
  const { db, clock } = fixture
  const beginMs = clock.nowMs() - 30 * DAY_MS
  const at = (hours: number) => new Date(beginMs + hours * 3_600_000)
  await insertReceipts(db, { times: [1, 2, 3, 5].map(at) })
  const old = { before: at(4), limit: 1 }
  expect(await deleteOldReceipts(db.pooled, { ...old, from: at(2) })).toEqual({ through: at(2) })
  expect(await deleteOldReceipts(db.pooled, { ...old, from: at(2) })).toEqual({ through: at(3) })
  expect(await deleteOldReceipts(db.pooled, { ...old, from: at(3) })).toBeNull()
  expect((await count(db))?.receipts).toBe(2)
})
