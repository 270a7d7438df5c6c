import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startPostDue } from '../src/posting/jobs/post-due.ts'
import { log, openBooks, type OpenedBooks } from './fixtures/books.ts'
import { paid, RELATIONSHIPS, timeOf } from './fixtures/facts.ts'

let books: OpenedBooks
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

test('makes a payment available once the platform’s clock has reached its time', async () => {
  await books.post([paid(), paid({ fact_id: 'later', available_at: timeOf(4) })], timeOf(0))
  let now = timeOf(1)
  const job = startPostDue({ db: books.db, clock: { now: () => new Date(now) }, log })
  now = timeOf(2)
  await eventually(async () =>
    Object.keys(await books.sums()).some((account) => account.includes('available')),
  )
  await job.stop()
  expect(await books.sums()).toMatchObject({
    [`${RELATIONSHIPS[0]}:available EUR`]: 9_750n,
    [`${RELATIONSHIPS[0]}:pending EUR`]: 9_750n,
  })
})
