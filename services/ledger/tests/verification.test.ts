import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { getTrialBalance, verifyBooks } from '../src/verification/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { paid, refunded, RELATIONSHIPS, timeOf } from './fixtures/facts.ts'

const PENDING = `${RELATIONSHIPS[0]}:pending`
let books: OpenedBooks
beforeAll(async () => {
  books = await openBooks()
})
beforeEach(async () => {
  await books.empty()
  await books.post([paid()], timeOf(0))
  await books.post([refunded()], timeOf(1))
})
afterAll(() => books.close())

test('shows the trial balance of each unit at an instant', async () => {
  expect(await getTrialBalance(books.db.pooled, new Date(timeOf(0)))).toEqual([
    {
      unit: 'EUR',
      debits: 10_250n,
      credits: 10_250n,
      difference: 0n,
      accounts: [
        { account: 'income:service_fee', class: 'income', balance: 250n },
        { account: PENDING, class: 'liability', balance: 9_750n },
        { account: 'processor:stripe:receivable', class: 'asset', balance: 10_000n },
      ],
    },
  ])
  expect(
    (await getTrialBalance(books.db.pooled, new Date(timeOf(1))))[0]?.accounts.map(({ balance }) => balance),
  ).toEqual([250n, 5_750n, 6_000n])
  expect(await getTrialBalance(books.db.pooled, new Date(timeOf(-1)))).toEqual([])
})

test.each([
  [
    'a balance that was changed',
    'UPDATE books.balances SET amount = amount + 1',
    [`${PENDING} EUR: balance 5751 of 3 entries, but 3 entries sum to 5750`],
  ],
  [
    'a balance that was deleted',
    'DELETE FROM books.balances',
    [`${PENDING} EUR: balance missing of no entries, but 3 entries sum to 5750`],
  ],
  [
    'an entry that was deleted',
    'DELETE FROM books.entries WHERE number = 2',
    [
      `posting 1 line 2: ${PENDING} has an entry of nothing for a transfer of -250`,
      `${PENDING} EUR: entry 3 is number 2 and leaves 6000, not 5750`,
      `${PENDING} EUR: balance 5750 of 3 entries, but 2 entries sum to 6000`,
    ],
  ],
  [
    'a transfer that was changed',
    'UPDATE books.transfers SET amount = 9999 WHERE amount = 10000',
    [`posting 1 line 1: ${PENDING} has an entry of 10000 for a transfer of 9999`],
  ],
  [
    'a posting that was deleted',
    'DELETE FROM books.entries WHERE seq = 2; DELETE FROM books.transfers WHERE seq = 2; DELETE FROM books.journal WHERE seq = 2',
    [
      'posting 2: is the head, but the journal ends with 1',
      `${PENDING} EUR: balance 5750 of 3 entries, but 2 entries sum to 9750`,
    ],
  ],
  [
    'a posting that was dated back',
    "UPDATE books.journal SET recorded_at = '2020-01-01' WHERE seq = 2",
    ['posting 2: is recorded before the posting before it'],
  ],
])('finds %s', async (_, change, faults) => {
  expect(await verifyBooks(books.db.pooled, new Date())).toEqual([])
  await books.change(change)
  expect(await verifyBooks(books.db.pooled, new Date())).toEqual(faults)
})
