import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { payOut } from '../src/payouts/pay-out.ts'
import { readSummaries } from '../src/payouts/summary.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { deposited, timeOf } from './fixtures/facts.ts'
import { FIRST, reservesOf } from './fixtures/reserves.ts'

let books: OpenedBooks
let reserves: ReturnType<typeof reservesOf>
beforeAll(async () => {
  books = await openBooks()
  reserves = reservesOf(books)
})
beforeEach(() => reserves.empty())
afterAll(() => books.close())

/** A deposit of 0.5 BTC with a fee of 0.005, converted into EUR 29,700.00. */
const convert = () =>
  books.post(
    [
      deposited({
        ...{ open: '0', applied: '0.5', service_fee: '0.005' },
        ...{ settled_amount: '0.495', settled_cents: 2_970_000, settled_currency: 'EUR' },
      }),
    ],
    timeOf(0),
  )
const takeBack = (day: number) =>
  books.post(
    [
      deposited({
        ...{ fact_id: 'reverted-1', at: timeOf(day), open: '0', applied: '-0.5', service_fee: '-0.005' },
        ...{ settled_amount: '-0.495', settled_cents: -2_970_000, settled_currency: 'EUR' },
      }),
    ],
    timeOf(day),
  )
const pay = (payoutId: string, unit: string, day: number, amount: bigint | null = null) =>
  books.db.transaction((tx) => payOut(tx, { payoutId, ownerId: FIRST, unit, amount }, new Date(timeOf(day))))
const balances = async (): Promise<Record<string, bigint>> =>
  Object.fromEntries(Object.entries(await books.sums()).filter(([account]) => account.startsWith(FIRST)))
const faults = () => verifyBooks(books.db.pooled, new Date())

test('pays converted money out in its currency, as a conversion', async () => {
  await convert()
  expect(await pay('pay_1', 'EUR', 1)).toEqual({
    paid: { amount: 2_970_000n, advance: 0n, entryCount: 1 },
    available: 2_970_000n,
  })
  const summaries = await readSummaries(books.db.pooled, [{ payoutId: 'pay_1', unit: 'EUR' }])
  expect(summaries.get('pay_1')).toMatchObject({ conversions: 2_970_000, deposits: 0 })
  expect(await faults()).toEqual([])
})

test('pays nothing of a converted deposit out in the asset, and all of one that was not converted', async () => {
  await convert()
  expect(await pay('pay_1', 'BTC/BTC', 1)).toEqual({ paid: null, available: 0n })
  await books.post([deposited({ fact_id: 'kept-1', open: '0', applied: '0.25' })], timeOf(1))
  expect(await pay('pay_2', 'BTC/BTC', 2, 25_000_000n)).toMatchObject({
    paid: { amount: 25_000_000n, advance: 0n },
    available: 25_000_000n,
  })
  const summaries = await readSummaries(books.db.pooled, [{ payoutId: 'pay_2', unit: 'BTC/BTC' }])
  expect(summaries.get('pay_2')).toMatchObject({ advance: '0' })
  expect(await balances()).toMatchObject({ [`${FIRST}:on_the_way BTC/BTC`]: 25_000_000n })
  expect(await faults()).toEqual([])
})

test('leaves a debt in the currency, and none in the asset, where a deposit is taken back after its payout', async () => {
  await convert()
  await pay('pay_1', 'EUR', 1)
  await takeBack(2)
  expect(await balances()).toEqual({
    [`${FIRST}:available EUR`]: -2_970_000n,
    [`${FIRST}:on_the_way EUR`]: 2_970_000n,
  })
  expect(await faults()).toEqual([])
})

test('reserves a share of what was converted in its currency, nothing in the asset, and releases it with the deposit', async () => {
  await reserves.plan({ shareBps: 1_000, days: 10 }, 0)
  await convert()
  await reserves.settle(1)
  expect(await balances()).toEqual({
    [`${FIRST}:available EUR`]: 2_673_000n,
    [`${FIRST}:reserved EUR`]: 297_000n,
  })
  await takeBack(2)
  await reserves.settle(2)
  expect(await balances()).toEqual({})
  expect(await faults()).toEqual([])
})
