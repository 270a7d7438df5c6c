import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { runCheckpoint } from '../src/verification/jobs/verify-books.ts'
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
        { account: 'processor:stripe:receivable', class: 'asset', balance: 10_000n },
        { account: 'relationships:pending', class: 'liability', balance: 9_750n },
      ],
    },
  ])
  expect(
    (await getTrialBalance(books.db.pooled, new Date(timeOf(1))))[0]?.accounts.map(({ balance }) => balance),
  ).toEqual([250n, 6_000n, 5_750n])
  expect(await getTrialBalance(books.db.pooled, new Date(timeOf(-1)))).toEqual([])
})

describe('checkpoints', () => {
  const INSTANTS = Array.from({ length: 8 }, (_, at) => new Date(timeOf(at / 2 - 0.25)))
  const read = () => Promise.all(INSTANTS.map((at) => getTrialBalance(books.db.pooled, at)))
  beforeEach(async () => {
    for (const day of [1, 2, 3])
      await books.post(
        RELATIONSHIPS.map((partner_customer_id, at) =>
          paid({ fact_id: `paid-${day}-${at}`, partner_customer_id }),
        ),
        timeOf(day),
      )
  })

  test.each([1, 2, 3, 5])(
    'change no trial balance at any instant, one after every %d postings',
    async (every) => {
      const before = await read()
      let made = 0
      while (await runCheckpoint(books, every)) made += 1
      expect(made).toBe(Math.floor(17 / every))
      expect(await read()).toEqual(before)
      expect(await verifyBooks(books.db.pooled, new Date())).toEqual([])
    },
  )

  test('are made once by replicas that run simultaneously', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => runCheckpoint(books, 12)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await verifyBooks(books.db.pooled, new Date())).toEqual([])
  })

  test.each([
    [
      'UPDATE books.checkpoint_sums SET debits = debits + 1 WHERE seq = 4',
      'checkpoint 4: income:service_fee EUR has debits of 1',
    ],
    [
      "DELETE FROM books.checkpoint_sums WHERE seq = 8 AND name = 'relationships:pending'",
      'checkpoint 8: relationships:pending EUR has debits of 0',
    ],
    [
      'UPDATE books.transfers SET amount = amount + 1 WHERE seq = 6 AND line = 1',
      'checkpoint 8: processor:stripe:receivable EUR has debits of 60000',
    ],
  ])('are compared with the postings: %s', async (change, fault) => {
    while (await runCheckpoint(books, 4));
    await books.change(change)
    expect((await verifyBooks(books.db.pooled, new Date())).join('\n')).toContain(fault)
  })
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
