import { createClock, createLogger, newId, type Db } from '@causeway/chassis'
import { openTestDb, eventually, testDatabase } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { DueIndex } from '../../src/engine/due-index.ts'
import { createRecorder } from '../../src/engine/record/record-store.ts'
import { Writer } from '../../src/engine/record/writer.ts'
import { SlowPath } from '../../src/engine/slow-path/claim-due.ts'
import type { Job } from '../../src/sending/destination-queue.ts'
import type { Destination } from '../../src/sending/destination.ts'
import { FRESH } from '../../src/sending/health.ts'

const byNumber = (one: string, other: string) => Number.parseInt(one, 10) - Number.parseInt(other, 10)
const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const APART_MS = 60_000

const clock = createClock()
const log = createLogger({ service: 'test', level: 'silent' })
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
beforeAll(async () => {
  database = await testDatabase('next_due')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  for (const file of readdirSync(MIGRATIONS).sort(byNumber))
    await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  await client.end()
  db = openTestDb(database.url, clock)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const destination = {
  id: newId('webhook'),
  policy: { timeoutMs: 10_000, retryDelaysMs: [] },
} as never as Destination

/** A retry that waits until then. */
const waitingRetry = (body: string, dueMs: number) => {
  const [ownerId, eventId, createdMs] = [newId('partner'), newId('event'), clock.nowMs()]
  const progress = { state: 'waiting', priority: 1, retriesUsed: 1, dueMs, nextAttemptMs: dueMs } as const
  const keys = { destinationId: destination.id, id: newId('delivery'), ownerId, eventId, eventType: 'paid' }
  return {
    event: { ownerId, eventId, type: 'paid', integrationId: null, body, createdMs },
    deliveries: [{ ...keys, ...progress, leaseId: null, createdMs, attempt: null }],
  }
}

/** The scan of all destinations finds nothing. */
const withoutScan = (whole: Db): Db => ({
  ...whole,
  pooled: {
    query: (declared, values) =>
      declared.name === 'deliveries.survey' ? Promise.resolve([]) : whole.pooled.query(declared, values),
  },
})

/** Starts the slow path with a queue that accepts every job and ends it immediately. */
const startSlowPath = (dueIndex: DueIndex, writer: Writer) => {
  const offered: string[] = []
  const queue = {
    health: FRESH,
    offer: (job: Job) => {
      offered.push(job.body.toString())
      job.done(null)
    },
  }
  const dependencies = {
    db: withoutScan(db),
    clock,
    log,
    vault: {},
    registry: { get: () => destination, reach: () => Promise.resolve() },
    queues: { of: () => queue, use: () => queue },
    dueIndex,
    writer,
  }
  return { offered, slowPath: new SlowPath(dependencies as never) }
}

test('knows the next retry of a destination after one, without a scan of all', async () => {
  const dueIndex = new DueIndex()
  const writer = new Writer({
    db,
    clock,
    dueIndex,
    record: createRecorder({ attemptsOutliveDeliveries: true }),
  })
  const retries = ['first', 'second', 'third']
  for (const [index, body] of retries.entries())
    await writer.record(waitingRetry(body, clock.nowMs() + (index + 1) * APART_MS))
  const { offered, slowPath } = startSlowPath(dueIndex, writer)
  for (const [index] of retries.entries()) {
    clock.advance(APART_MS)
    await eventually(() => offered.length > index)
  }
  expect(offered).toEqual(retries)
  await slowPath.stop()
})
