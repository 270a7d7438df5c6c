import { queryOne } from '@causeway/chassis'
import { openTestDb } from '@causeway/chassis/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { postFacts } from '../src/posting/post-facts.ts'
import type { LedgerFact } from '@causeway/contracts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { deposited, paid, RELATIONSHIPS, someFacts, timeOf } from './fixtures/facts.ts'
import { modelOf } from './fixtures/model.ts'

let books: OpenedBooks
beforeAll(async () => {
  books = await openBooks()
})
beforeEach(() => books.empty())
afterAll(() => books.close())

const NOW = timeOf(8)
const batchesOf = (facts: readonly LedgerFact[], size: number): LedgerFact[][] =>
  Array.from({ length: Math.ceil(facts.length / size) }, (_, at) => facts.slice(at * size, (at + 1) * size))

test('gives the books of an independent model for facts that are shuffled, doubled and posted simultaneously', async () => {
  const histories = someFacts(40).chain((facts) =>
    fc.record({
      facts: fc.constant(facts),
      arrivals: fc.shuffledSubarray([...facts, ...facts], { minLength: 2 * facts.length }),
      size: fc.integer({ min: 1, max: 9 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(histories, async ({ facts, arrivals, size }) => {
      await books.empty()
      await Promise.all([
        ...batchesOf(arrivals, size).map((batch, place) => books.post(batch, timeOf(place % 9))),
        books.postDue(timeOf(5)),
        books.postDue(timeOf(6)),
      ])
      await books.postDue(NOW)
      expect(await books.sums()).toEqual(modelOf(facts, NOW))
      expect(await verifyBooks(books.db.pooled, new Date())).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('counts a fact once that 16 processes post simultaneously', async () => {
  const dbs = Array.from({ length: 4 }, () => openTestDb(books.url))
  const clock = { now: () => new Date(timeOf(0)) }
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, at) =>
      postFacts({ db: dbs[at % dbs.length] ?? books.db, clock }, [paid(), deposited()]),
    ),
  )
  await Promise.all(dbs.map((db) => db.close()))
  expect(results.filter(({ posted }) => posted > 0)).toEqual([{ posted: 2, scheduled: 1, repeated: 0 }])
  expect(await books.sums()).toMatchObject({ [`${RELATIONSHIPS[0]}:pending EUR`]: 9_750n })
})

const backend = queryOne({
  name: 'test.backend',
  text: 'SELECT pg_backend_pid() AS pid',
  row: z.object({ pid: z.number() }),
})

test('leaves nothing of a batch whose connection dies before the commit, and posts it when it is redelivered', async () => {
  const clock = { now: () => new Date(timeOf(0)) }
  const dying = books.db.transaction(async (tx) => {
    expect(await postFacts({ db: { pooled: tx }, clock }, [paid(), deposited()])).toMatchObject({ posted: 2 })
    await books.change(`SELECT pg_terminate_backend(${(await backend(tx))?.pid})`)
  })
  await expect(dying).rejects.toThrow()
  expect([await books.sums(), await books.entries()]).toEqual([{}, []])
  expect(await books.post([paid(), deposited()], timeOf(0))).toEqual({ posted: 2, scheduled: 1, repeated: 0 })
  expect(await verifyBooks(books.db.pooled, new Date())).toEqual([])
})

test('changes nothing when a batch is redelivered that was committed and not acknowledged', async () => {
  await books.post([paid(), deposited()], timeOf(0))
  const before = await books.entries()
  expect(before).toHaveLength(2)
  expect(await books.post([paid(), deposited()], timeOf(0))).toEqual({ posted: 0, scheduled: 0, repeated: 3 })
  expect(await books.entries()).toEqual(before)
})
