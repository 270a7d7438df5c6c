import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { testDatabase } from '@causeway/chassis/testing'
import pg from 'pg'
import { compareBooks, rebuildBooks } from '../src/rebuild/rebuild.ts'
import { openBooks, openDb, type OpenedBooks, type OpenedDb } from './fixtures/books.ts'
import { deposited, disputed, paid, refunded, timeOf } from './fixtures/facts.ts'

/** Facts as payments keeps them. */
const FACTS = [paid(), refunded(), disputed(), deposited()]
const LATER = timeOf(10)

let books: OpenedBooks
let rebuilt: OpenedBooks
let source: OpenedDb
let dropSource: () => Promise<void>

beforeAll(async () => {
  ;[books, rebuilt] = await Promise.all([openBooks(), openBooks()])
  const payments = await testDatabase('payments')
  dropSource = payments.drop
  const client = new pg.Client({ connectionString: payments.url })
  await client.connect()
  for (const [index, fact] of FACTS.entries())
    await client.query('INSERT INTO ledger_facts (fact_id, seq, fact) VALUES ($1, $2, $3)', [
      fact.fact_id,
      // Two facts of one event have its sequence.
      1 + Math.floor(index / 2),
      fact,
    ])
  await client.end()
  source = openDb(payments.url)
})
beforeEach(async () => {
  await Promise.all([books.empty(), rebuilt.empty()])
  for (const fact of FACTS) await books.post([fact], timeOf(0))
})
afterAll(async () => {
  await source.close()
  await Promise.all([books.close(), rebuilt.close(), dropSource()])
})

const rebuild = () => rebuildBooks(source.pooled, { db: rebuilt.db, clock: { now: () => new Date(LATER) } })
const compare = () => compareBooks(source.pooled, books.db.pooled, rebuilt.db.pooled)

test('rebuilds identical books from facts that are posted twice in random order', async () => {
  expect(await rebuild()).toBe(FACTS.length)
  expect(await compare()).toEqual([])
  await books.postDue(LATER)
  expect(await compare()).toEqual([])
  expect(await rebuilt.sums()).toEqual(await books.sums())
})

test.each([
  [
    'an amount was changed',
    'UPDATE books.transfers SET amount = amount + 1 WHERE seq = 1 AND line = 1',
    'the books have other content',
  ],
  [
    'an entry was deleted',
    'DELETE FROM books.entries WHERE seq = 1 AND line = 1',
    'the books have other content',
  ],
  ['a posting is missing', 'DELETE FROM books.scheduled', 'missing in the books'],
  [
    'a posting has no fact',
    `INSERT INTO books.scheduled SELECT source, 'invented', due_at, digest, posting FROM books.scheduled LIMIT 1`,
    'no fact of the source gives this posting',
  ],
])('finds that %s', async (_, change, fault) => {
  await rebuild()
  await books.change(change)
  const found = await compare()
  expect(found.length).toBeGreaterThan(0)
  expect(found.every((line) => line.endsWith(`: ${fault}`))).toBe(true)
})
