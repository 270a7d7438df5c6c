import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { payOut } from '../src/payouts/pay-out.ts'
import { compareBooks, readEnd, rebuildBooks } from '../src/rebuild/rebuild.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { disputed, paid, refunded, timeOf } from './fixtures/facts.ts'
import { FIRST, reservesOf, SECOND } from './fixtures/reserves.ts'

let books: OpenedBooks
let reserves: ReturnType<typeof reservesOf>
beforeAll(async () => {
  books = await openBooks()
  reserves = reservesOf(books)
})
beforeEach(() => reserves.empty())
afterAll(() => books.close())

const AVAILABLE = `${FIRST}:available EUR`
const RESERVED = `${FIRST}:reserved EUR`
/** Available and reserved of the first relationship, in cents. */
const balances = async (): Promise<[bigint, bigint]> => {
  const sums = await books.sums()
  return [sums[AVAILABLE] ?? 0n, sums[RESERVED] ?? 0n]
}
const order = (number: number) => ({ order_key: String(number), order_id: `fio_${number}` })
/** Posts a payment of 100.00 with a fee of 2.50 that is available two days later. */
const pay = async (number: number, day: number, change: object = {}) => {
  const fact = paid({
    ...{ fact_id: `paid-${number}`, at: timeOf(day), available_at: timeOf(day + 2), ...order(number) },
    ...change,
  })
  await books.post([fact], timeOf(day))
}
const refund = (number: number, cents: number, day: number, paidOn = 0) =>
  books.post(
    [
      refunded({
        ...{ fact_id: `refunded-${number}-${day}`, at: timeOf(day), available_at: timeOf(paidOn + 2) },
        ...{ amount_cents: cents, ...order(number) },
      }),
    ],
    timeOf(day),
  )
const dispute = (number: number, cents: number, day: number) =>
  books.post(
    [
      disputed({
        fact_id: `disputed-${number}-${day}`,
        ...{ at: timeOf(day), amount_cents: cents, fee: null, ...order(number) },
      }),
    ],
    timeOf(day),
  )
/** Posts what is available on a day, then settles. */
const settle = async (day: number) => {
  await books.postDue(timeOf(day))
  await reserves.settle(day)
}
const payAll = (payoutId: string, day: number) =>
  books.db.transaction((tx) =>
    payOut(tx, { payoutId, ownerId: FIRST, unit: 'EUR', amount: null }, new Date(timeOf(day))),
  )

test('holds a share of what an order earned from the day it is available until its days are over', async () => {
  await reserves.plan({ shareBps: 1_050, days: 10 }, 0)
  await pay(1, 0)
  await settle(1)
  expect(await balances()).toEqual([0n, 0n])
  await settle(2)
  // 10.5 % of 97.50 is 10.2375.
  expect(await balances()).toEqual([8_727n, 1_023n])
  await settle(11.99)
  expect(await balances()).toEqual([8_727n, 1_023n])
  await settle(12)
  expect(await balances()).toEqual([9_750n, 0n])
  expect(await books.entries()).toEqual(
    expect.arrayContaining([
      `${AVAILABLE} 3 reserve -1023 8727`,
      `${RESERVED} 1 reserve 1023 1023`,
      `${RESERVED} 2 reserve_released -1023 0`,
      `${AVAILABLE} 4 reserve_released 1023 9750`,
    ]),
  )
  expect(await verifyBooks(books.db.pooled, new Date(timeOf(13)))).toEqual([])
})

test('takes refunds and disputes of a payment from its own reserve first', async () => {
  await reserves.plan({ shareBps: 2_000, days: 30 }, 0)
  await pay(1, 0)
  await pay(2, 0)
  await settle(2)
  expect(await balances()).toEqual([15_600n, 3_900n])
  await refund(1, 500, 3)
  await settle(3)
  expect(await balances()).toEqual([15_600n, 3_400n])
  await dispute(1, 4_000, 4)
  await settle(4)
  // The rest of its reserve is released; that of the other payment stays.
  expect(await balances()).toEqual([13_050n, 1_950n])
})

test('reserves again what a lost dispute gives back', async () => {
  await reserves.plan({ shareBps: 1_000, days: 30 }, 0)
  await pay(1, 0)
  await settle(2)
  await dispute(1, 500, 3)
  await settle(3)
  expect(await balances()).toEqual([8_775n, 475n])
  await books.post(
    [
      disputed({
        ...{ fact_id: 'won', reverses: 'disputed-1-3', at: timeOf(4), amount_cents: 500, fee: null },
        ...order(1),
      }),
    ],
    timeOf(4),
  )
  await settle(4)
  expect(await balances()).toEqual([8_775n, 975n])
})

test('leaves an order under the plan that was in force when it was paid', async () => {
  await pay(1, 0)
  await reserves.plan({ shareBps: 1_000, days: 10 }, 1)
  await pay(2, 1)
  await reserves.plan({ shareBps: 5_000, days: 3 }, 2)
  await pay(3, 2)
  await reserves.plan({}, 3)
  await pay(4, 3)
  await settle(6)
  expect(await balances()).toEqual([4n * 9_750n - 975n - 4_875n, 975n + 4_875n])
  await settle(7)
  expect(await balances()).toEqual([4n * 9_750n - 975n, 975n])
  await settle(13)
  expect(await balances()).toEqual([4n * 9_750n, 0n])
})

test('never takes an available balance below zero by reserving', async () => {
  await reserves.plan({ shareBps: 9_000, days: 30 }, 0)
  await dispute(9, 9_000, 1)
  await pay(1, 0)
  await settle(2)
  expect(await balances()).toEqual([0n, 750n])
})

test('pays out only what remains after the reserve, although no job has settled it', async () => {
  await reserves.plan({ shareBps: 1_000, days: 10 }, 0)
  await pay(1, 0)
  await books.postDue(timeOf(2))
  expect((await payAll('pay_1', 2)).paid?.amount).toBe(8_775n)
  expect(await balances()).toEqual([0n, 975n])
  await settle(12)
  expect((await payAll('pay_2', 12)).paid?.amount).toBe(975n)
  expect(await verifyBooks(books.db.pooled, new Date(timeOf(13)))).toEqual([])
})

test('reserves once when replicas and payouts race', async () => {
  await reserves.plan({ shareBps: 1_000, days: 10 }, 0)
  await pay(1, 0)
  await books.postDue(timeOf(2))
  await Promise.all([
    ...Array.from({ length: 8 }, () => reserves.settle(2)),
    ...Array.from({ length: 4 }, (_, index) => payAll(`pay_${index}`, 2)),
  ])
  expect(await balances()).toEqual([0n, 975n])
  const { rows } = await books.change('SELECT source, amount::integer FROM reserve_movements')
  expect(rows).toEqual([{ source: `reserve:1:${FIRST}:EUR:1`, amount: 975 }])
})

test('holds a fixed amount over all relationships of a merchant, refills it, and releases it at the end', async () => {
  await pay(1, 0)
  await pay(2, 0, { partner_customer_id: SECOND })
  await settle(2)
  await reserves.plan({ fixedCents: 15_000, currency: 'EUR' }, 3)
  await settle(3)
  const ofBoth = async () => [...(await balances()), (await books.sums())[`${SECOND}:reserved EUR`] ?? 0n]
  expect(await ofBoth()).toEqual([0n, 9_750n, 5_250n])
  await dispute(1, 10_000, 4)
  await settle(4)
  // It covers what it can of a negative balance.
  expect(await ofBoth()).toEqual([-250n, 0n, 5_250n])
  await pay(3, 5)
  await settle(7)
  expect(await ofBoth()).toEqual([0n, 9_500n, 5_250n])
  await pay(4, 5)
  await settle(7)
  expect(await ofBoth()).toEqual([9_500n, 9_750n, 5_250n])
  await reserves.plan({}, 8)
  await settle(8)
  expect(await ofBoth()).toEqual([19_250n, 0n, 0n])
  expect(await verifyBooks(books.db.pooled, new Date(timeOf(9)))).toEqual([])
})

test('gives the same postings in a rebuild, and finds a reserve that nothing explains', async () => {
  const rebuilt = await openBooks()
  await reserves.plan({ shareBps: 1_000, days: 10 }, 0)
  await pay(1, 0)
  await settle(2)
  await settle(12)
  const now = { now: () => new Date(timeOf(13)) }
  await rebuildBooks({ sources: [], books: books.db.pooled }, { db: rebuilt.db, clock: now })
  const ofReserves = async () =>
    (await compareBooks(books.db.pooled, rebuilt.db.pooled, await readEnd(books.db.pooled))).filter((line) =>
      line.startsWith('reserve:'),
    )
  expect(await ofReserves()).toEqual([])
  await books.change(
    "UPDATE books.journal SET source = 'reserve:invented' WHERE rule = 'reserve' AND source LIKE '%:1'",
  )
  expect(await ofReserves()).toEqual([
    `reserve:1:${FIRST}:EUR:1 reserve: missing in the books`,
    'reserve:invented reserve: no fact, adjustment, reserve, payout or settlement gives this posting',
  ])
  await rebuilt.close()
})

const amount = fc.integer({ min: 1, max: 12_000 })
const step = fc.oneof(
  fc.record({ act: fc.constant('pay' as const), order: fc.nat(4) }),
  fc.record({ act: fc.constantFrom('refund' as const, 'dispute' as const), order: fc.nat(4), amount }),
  fc.record({
    act: fc.constant('plan' as const),
    terms: fc.oneof(
      fc.record({ shareBps: fc.integer({ min: 1, max: 10_000 }), days: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ fixedCents: amount, currency: fc.constant('EUR') }),
      fc.constant({}),
    ),
  }),
  fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ act: fc.constantFrom('settle' as const, 'payout' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const RULES = `
  SELECT
    (SELECT count(*)::integer FROM books.balances JOIN books.accounts ON id = account_id
      WHERE balance = 'reserved' AND amount < 0) AS negative,
    (SELECT count(*)::integer FROM books.entries JOIN books.accounts ON id = account_id
      WHERE kind = 'reserve' AND balance = 'available' AND balance_after < 0) AS below_zero,
    (SELECT coalesce(sum(b.amount), 0)::integer FROM books.balances AS b JOIN books.accounts ON id = account_id
      WHERE balance = 'reserved')
      - (SELECT coalesce(sum(amount), 0)::integer FROM reserve_movements) AS unexplained,
    (SELECT coalesce(sum(held), 0)::integer FROM reserves)
      - (SELECT coalesce(sum(amount), 0)::integer FROM reserve_movements) AS wrongly_held`
const LAST_DAY = 400

test('holds never less than nothing, explains every balance, and releases everything in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps: Step[]) => {
      await reserves.empty()
      let day = 0
      let serial = 0
      const check = async () =>
        expect((await books.change(RULES)).rows).toEqual([
          { negative: 0, below_zero: 0, unexplained: 0, wrongly_held: 0 },
        ])
      for (const each of steps) {
        // Every step has its own instant: a plan and a payment of the same one have no order.
        day += 0.001
        serial += 1
        if (each.act === 'pay') await pay(each.order, day, { fact_id: `paid-${serial}` })
        else if (each.act === 'refund') await refund(each.order, each.amount, day + serial / 1e6)
        else if (each.act === 'dispute') await dispute(each.order, each.amount, day + serial / 1e6)
        else if (each.act === 'plan') await reserves.plan(each.terms, day)
        else if (each.act === 'wait') day += each.days
        else if (each.act === 'payout') await payAll(`pay_${serial}`, day)
        if (each.act === 'settle' || each.act === 'wait') await settle(day)
        await check()
      }
      await reserves.plan({}, day + 1)
      await settle(day + 1)
      await settle(LAST_DAY)
      await check()
      expect((await balances())[1]).toBe(0n)
      expect(await verifyBooks(books.db.pooled, new Date(timeOf(LAST_DAY)))).toEqual([])
    }),
    { numRuns: 40 },
  )
})
