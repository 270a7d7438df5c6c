import { queryOne } from '@causeway/chassis'
import { openTestDb } from '@causeway/chassis/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { postFacts } from '../src/posting/post-facts.ts'
import { isContradiction } from '../src/posting/store.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { deposited, disputed, paid, refunded, RELATIONSHIPS, timeOf } from './fixtures/facts.ts'

const [MERCHANT] = RELATIONSHIPS
let books: OpenedBooks
beforeAll(async () => {
  books = await openBooks()
})
beforeEach(() => books.empty())
afterAll(() => books.close())

/** Rows of the books that this transaction has read so far. */
const countRead = queryOne({
  name: 'test.rows-read',
  text: `
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows FROM pg_stat_xact_all_tables
    WHERE schemaname = 'books'`,
  row: z.object({ rows: z.number() }),
})

const faults = () => verifyBooks(books.db.pooled, new Date())

test('posts a payment with its fee, and leaves the balance after each entry', async () => {
  expect(await books.post([paid()], timeOf(0))).toEqual({ posted: 1, scheduled: 1, repeated: 0 })
  expect(await books.entries()).toEqual([
    `${MERCHANT}:pending EUR 1 payment 10000 10000`,
    `${MERCHANT}:pending EUR 2 service_fee -250 9750`,
  ])
  expect(await books.sums()).toEqual({
    [`${MERCHANT}:pending EUR`]: 9_750n,
    'income:service_fee EUR': 250n,
    'processor:stripe:receivable EUR': -10_000n,
  })
  expect(await faults()).toEqual([])
})

const DEPOSIT_WITH_FEE = deposited({ open: '0', applied: '0.5', service_fee: '0.00500001' })

test('posts the service fee with the deposit that bears it, so that the parts sum to what arrived', async () => {
  expect(await books.post([DEPOSIT_WITH_FEE], timeOf(0))).toEqual({ posted: 1, scheduled: 0, repeated: 0 })
  expect(await books.entries()).toEqual([
    `${MERCHANT}:available BTC/BTC 1 deposit 50000000 50000000`,
    `${MERCHANT}:available BTC/BTC 2 service_fee -500001 49499999`,
  ])
  expect(await books.sums()).toEqual({
    [`${MERCHANT}:available BTC/BTC`]: 49_499_999n,
    'income:service_fee BTC/BTC': 500_001n,
    'chain:BTC:deposits BTC/BTC': -50_000_000n,
  })
  expect(await faults()).toEqual([])
})

test('returns the service fee with a deposit that a reorganisation takes back, and leaves nothing', async () => {
  const reverted = deposited({
    ...{ fact_id: 'reverted-1', at: timeOf(1) },
    ...{ open: '0', applied: '-0.5', service_fee: '-0.00500001' },
  })
  await books.post([DEPOSIT_WITH_FEE], timeOf(0))
  await books.post([reverted, reverted], timeOf(1))
  expect((await books.entries()).slice(2)).toEqual([
    `${MERCHANT}:available BTC/BTC 3 deposit_reverted -50000000 -500001`,
    `${MERCHANT}:available BTC/BTC 4 fee_returned 500001 0`,
  ])
  expect(await books.sums()).toEqual({})
  expect(await faults()).toEqual([])
})

const CONVERTED = deposited({
  ...{ open: '0', applied: '0.5', service_fee: '0.00500001' },
  ...{ settled_amount: '0.49499999', settled_cents: 2_969_999, settled_currency: 'EUR' },
})

test('posts a conversion with its deposit, so that the asset is left with nothing', async () => {
  expect(await books.post([CONVERTED, CONVERTED], timeOf(0))).toMatchObject({ posted: 1, repeated: 1 })
  expect(await books.entries()).toEqual([
    `${MERCHANT}:available BTC/BTC 1 deposit 50000000 50000000`,
    `${MERCHANT}:available BTC/BTC 2 service_fee -500001 49499999`,
    `${MERCHANT}:available BTC/BTC 3 conversion -49499999 0`,
    `${MERCHANT}:available EUR 1 conversion 2969999 2969999`,
  ])
  expect(await books.sums()).toEqual({
    [`${MERCHANT}:available EUR`]: 2_969_999n,
    'fx:EUR EUR': -2_969_999n,
    'fx:BTC/BTC BTC/BTC': 49_499_999n,
    'income:service_fee BTC/BTC': 500_001n,
    'chain:BTC:deposits BTC/BTC': -50_000_000n,
  })
  expect(await faults()).toEqual([])
})

test('takes a conversion back with its deposit, and leaves nothing in either unit', async () => {
  const reverted = deposited({
    ...{ fact_id: 'reverted-1', at: timeOf(1), open: '0', applied: '-0.5', service_fee: '-0.00500001' },
    ...{ settled_amount: '-0.49499999', settled_cents: -2_969_999, settled_currency: 'EUR' },
  })
  await books.post([CONVERTED], timeOf(0))
  await books.post([reverted], timeOf(1))
  expect(await books.sums()).toEqual({})
  expect(await faults()).toEqual([])
})

test('posts a deposit whose fact states no service fee without one', async () => {
  await books.post([deposited({ open: '0', applied: '0.5' })], timeOf(0))
  expect(await books.entries()).toEqual([`${MERCHANT}:available BTC/BTC 1 deposit 50000000 50000000`])
})

test('reads as many rows for a payment among many as for the first ones, with the plans of empty tables', async () => {
  // PostgreSQL counts by connection until a transaction ends.
  const db = openTestDb(books.url)
  const reads = await db.transaction(async (tx) => {
    const counts: number[] = []
    for (let at = 0; at < 300; at += 1) {
      const before = (await countRead(tx))?.rows ?? 0
      const fact = paid({ fact_id: `card_paid:${at}`, partner_customer_id: `pcu_${at}` })
      await postFacts({ db: { pooled: tx }, clock: { now: () => new Date(timeOf(3)) } }, [fact])
      counts.push(((await countRead(tx))?.rows ?? 0) - before)
    }
    return counts
  })
  await db.close()
  expect(Math.max(...reads)).toBeLessThanOrEqual(3 * (reads[0] ?? 0))
  expect(await faults()).toEqual([])
})

test('releases a payment and its refund when they are due, entry by entry, and only once', async () => {
  await books.post([paid(), refunded()], timeOf(1))
  expect(await books.postDue(timeOf(1.9))).toBe(0)
  expect(await books.postDue(timeOf(2))).toBe(2)
  expect(await books.postDue(timeOf(3))).toBe(0)
  expect(await books.sums()).toEqual({
    [`${MERCHANT}:available EUR`]: 5_750n,
    'income:service_fee EUR': 250n,
    'processor:stripe:receivable EUR': -6_000n,
  })
  expect((await books.entries()).slice(3)).toEqual([
    `${MERCHANT}:available EUR 1 payment 10000 10000`,
    `${MERCHANT}:pending EUR 4 release -10000 -4250`,
    `${MERCHANT}:available EUR 2 service_fee -250 9750`,
    `${MERCHANT}:pending EUR 5 release 250 -4000`,
    `${MERCHANT}:available EUR 3 refund -4000 5750`,
    `${MERCHANT}:pending EUR 6 release 4000 0`,
  ])
  expect(await faults()).toEqual([])
})

test('releases no more than the limit at a time, oldest first', async () => {
  await books.post([paid({ fact_id: 'b', available_at: timeOf(4) }), paid({ fact_id: 'a' })], timeOf(0))
  expect(await books.postDue(timeOf(9), 1)).toBe(1)
  expect((await books.entries()).at(-1)).toContain('release')
  expect(await books.post([paid({ fact_id: 'a' })], timeOf(9))).toMatchObject({ repeated: 2 })
  expect(await books.postDue(timeOf(9), 1)).toBe(1)
})

test('posts the release of a payment immediately when the fact arrives after it is due', async () => {
  expect(await books.post([paid()], timeOf(7))).toEqual({ posted: 2, scheduled: 0, repeated: 0 })
  expect(await books.sums()).toMatchObject({ [`${MERCHANT}:available EUR`]: 9_750n })
})

test('lets a dispute take the available balance below zero', async () => {
  await books.post([disputed()], timeOf(3))
  expect(await books.sums()).toMatchObject({
    [`${MERCHANT}:available EUR`]: -6_000n,
    [`${MERCHANT}:available USD`]: -1_500n,
  })
})

describe('a repeated fact', () => {
  test.each([
    ['in a later batch', [[paid()], [paid()]]],
    ['in the same batch', [[paid(), paid(), paid()]]],
    ['next to a new fact', [[paid()], [deposited(), paid()]]],
  ])('changes nothing %s', async (_, batches) => {
    for (const batch of batches) await books.post(batch, timeOf(0))
    expect(await books.sums()).toMatchObject({ [`${MERCHANT}:pending EUR`]: 9_750n })
    expect(await faults()).toEqual([])
  })

  test('changes nothing after its release', async () => {
    await books.post([paid()], timeOf(0))
    await books.postDue(timeOf(2))
    expect(await books.post([paid()], timeOf(0))).toEqual({ posted: 0, scheduled: 0, repeated: 2 })
    expect(await books.postDue(timeOf(9))).toBe(0)
  })
})

describe('a fact with other content than before', () => {
  test.each([
    ['its amount', paid({ total_cents: 10_001 })],
    ['its time', paid({ at: timeOf(1) })],
    ['the time of its release', paid({ available_at: timeOf(3) })],
    ['its order', paid({ order_key: '8' })],
  ])('is refused with its whole batch if %s differs', async (_, other) => {
    await books.post([paid()], timeOf(0))
    const before = await books.sums()
    const refusal = await books.post([deposited(), other], timeOf(0)).catch((error: unknown) => error)
    expect(isContradiction(refusal)).toBe(true)
    expect(String(refusal)).toContain('paid-1 ')
    expect(await books.sums()).toEqual(before)
    expect(await faults()).toEqual([])
  })

  test('is refused within one batch, too', async () => {
    const refusal = await books
      .post([paid(), paid({ total_cents: 1_000 })], timeOf(0))
      .catch((error: unknown) => error)
    expect(isContradiction(refusal)).toBe(true)
    expect(await books.sums()).toEqual({})
  })
})

test('takes back a refund once: a second reversal of it is refused', async () => {
  const failed = refunded({ fact_id: 'failed-1', reverses: 'refunded-1' })
  await books.post([refunded(), failed], timeOf(1))
  await expect(books.post([{ ...failed, fact_id: 'failed-2' }], timeOf(1))).rejects.toMatchObject({
    constraint: 'journal_reversed_once',
  })
  expect(await books.sums()).toEqual({})
})

test('never records a posting earlier than the one before it, even if the clock goes back', async () => {
  await books.post([paid()], timeOf(0.5))
  await books.post([deposited()], timeOf(0.25))
  expect(await faults()).toEqual([])
})

test('keeps amounts exact that exceed the integers of JavaScript', async () => {
  await books.post(
    [
      deposited({
        network: 'ETH',
        asset: 'ETH',
        amount: '120000000.000000000000000001',
        open: '120000000.000000000000000001',
      }),
    ],
    timeOf(0),
  )
  expect(await books.sums()).toMatchObject({ 'payers:open ETH/ETH': 120_000_000_000_000_000_000_000_001n })
})
