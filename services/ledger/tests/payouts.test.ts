import { openTestDb } from '@causeway/chassis/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isStepRefused, payOut } from '../src/payouts/pay-out.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { timeOf } from './fixtures/facts.ts'
import { openModel } from './fixtures/payout-model.ts'
import { BANK, MERCHANT, payoutsOf, type Payouts } from './fixtures/payouts.ts'

let books: OpenedBooks
let payouts: Payouts
beforeAll(async () => {
  books = await openBooks()
})
beforeEach(async () => {
  await books.empty()
  payouts = payoutsOf(books)
})
afterAll(() => books.close())

const faults = () => verifyBooks(books.db.pooled, new Date())
const paid = (amount: bigint, advance: bigint, entryCount: number) => ({ amount, advance, entryCount })
const AVAILABLE = `${MERCHANT}:available EUR`
const ON_THE_WAY = `${MERCHANT}:on_the_way EUR`

describe('a payout of all that is available', () => {
  test('pays every entry once, negative ones too', async () => {
    await payouts.earn([100, -30, 50])
    expect(await payouts.pay('p1')).toEqual({ paid: paid(120n, 0n, 3), available: 120n })
    expect(await payouts.pay('p2')).toEqual({ paid: null, available: 0n })
    expect(await payouts.items()).toEqual({
      p1: [
        [1, 100],
        [2, -30],
        [3, 50],
      ],
    })
    expect(await payouts.sums()).toEqual({ [ON_THE_WAY]: 120n })
    expect(await faults()).toEqual([])
  })

  test('carries a negative balance forward to the next one', async () => {
    await payouts.earn([100, -130])
    expect(await payouts.pay('p1')).toEqual({ paid: null, available: -30n })
    await payouts.earn([50])
    expect(await payouts.pay('p2')).toEqual({ paid: paid(20n, 0n, 3), available: 20n })
    expect(await faults()).toEqual([])
  })

  test('pays nothing below the minimum', async () => {
    await payouts.earn([99])
    expect(await payouts.pay('p1', { minimum: 100n })).toEqual({ paid: null, available: 99n })
    await payouts.earn([1])
    expect(await payouts.pay('p2', { minimum: 100n })).toMatchObject({ paid: paid(100n, 0n, 2) })
  })

  test('leaves what was recorded at the cut-off or later, and never pays more than the balance', async () => {
    await payouts.earn([100, 40], 1)
    await payouts.earn([-60, 30], 3)
    const before = new Date(timeOf(3))
    expect(await payouts.pay('p1', { before }, 4)).toEqual({ paid: paid(110n, 0n, 2), available: 110n })
    expect(await payouts.items()).toEqual({
      p1: [
        [1, 100],
        [2, 10],
      ],
    })
    expect(await payouts.pay('p2', { before }, 4)).toEqual({ paid: null, available: 0n })
    expect(await faults()).toEqual([])
  })
})

describe('a payout of a stated amount', () => {
  test('takes negative entries first, then the oldest, the last one in part; the rest is paid later', async () => {
    await payouts.earn([100, 80, -30])
    expect(await payouts.pay('p1', { amount: 90n })).toEqual({ paid: paid(90n, 0n, 3), available: 150n })
    expect(await payouts.pay('p2')).toMatchObject({ paid: paid(60n, 0n, 1) })
    expect(await payouts.items()).toEqual({
      p1: [
        [1, 100],
        [2, 20],
        [3, -30],
      ],
      p2: [[2, 60]],
    })
    expect(await faults()).toEqual([])
  })

  test('is refused beyond the balance, and writes nothing', async () => {
    await payouts.earn([100])
    expect(await payouts.pay('p1', { amount: 101n })).toEqual({ paid: null, available: 100n })
    expect(await payouts.sums()).toEqual({ [AVAILABLE]: 100n })
    expect(await payouts.items()).toEqual({})
  })

  test('advances what no entry covers if it may, and the next payouts make up for it', async () => {
    expect(await payouts.pay('p1', { amount: 60n, takesAdvance: true })).toEqual({
      paid: paid(60n, 60n, 0),
      available: 0n,
    })
    await payouts.earn([-20, -5, 10])
    expect(await payouts.pay('p2', { amount: 5n, takesAdvance: true })).toMatchObject({
      paid: paid(5n, 20n, 3),
    })
    await payouts.earn([100])
    expect(await payouts.pay('p3')).toEqual({ paid: paid(20n, -80n, 1), available: 20n })
    expect(await payouts.sums()).toEqual({ [ON_THE_WAY]: 85n })
    expect(await faults()).toEqual([])
  })
})

test('pays an advance out again that was made up for and then cancelled, as far as each amount goes', async () => {
  await payouts.earn([50])
  await payouts.pay('p1', { amount: 150n, takesAdvance: true })
  await payouts.earn([200])
  expect(await payouts.pay('p2')).toMatchObject({ paid: paid(100n, -100n, 1) })
  await payouts.step('p1', 'cancelled')
  expect(await payouts.pay('p3', { amount: 30n })).toEqual({ paid: paid(30n, 30n, 0), available: 150n })
  await payouts.earn([-20])
  expect(await payouts.pay('p4', { amount: 10n })).toEqual({ paid: paid(10n, 30n, 1), available: 100n })
  expect(await payouts.pay('p5')).toEqual({ paid: paid(90n, 40n, 1), available: 90n })
  expect(await faults()).toEqual([])
})

describe('a fee', () => {
  const INCOME = 'income:service_fee EUR'

  test('is an entry of the payout, which pays the rest', async () => {
    await payouts.earn([100, -30, 50])
    const before = new Date(timeOf(1))
    expect(await payouts.pay('p1', { fee: 25n, before })).toEqual({ paid: paid(95n, 0n, 4), available: 120n })
    expect(await payouts.items()).toEqual({
      p1: [
        [1, 100],
        [2, -30],
        [3, 50],
        [5, -25],
      ],
    })
    expect(await payouts.sums()).toEqual({ [ON_THE_WAY]: 95n, [INCOME]: 25n })
    expect(await faults()).toEqual([])
  })

  test('is charged in addition to a stated amount, which the balance has to cover with it', async () => {
    await payouts.earn([100])
    expect(await payouts.pay('p1', { amount: 76n, fee: 25n })).toEqual({ paid: null, available: 100n })
    expect(await payouts.sums()).toEqual({ [AVAILABLE]: 100n })
    expect(await payouts.pay('p2', { amount: 75n, fee: 25n })).toMatchObject({ paid: paid(75n, 0n, 2) })
    expect(await payouts.sums()).toEqual({ [ON_THE_WAY]: 75n, [INCOME]: 25n })
  })

  test('leaves a payout that would fall below its minimum unpaid, and is not charged', async () => {
    await payouts.earn([124])
    expect(await payouts.pay('p1', { minimum: 100n, fee: 25n })).toEqual({ paid: null, available: 124n })
    expect(await payouts.pay('p2', { fee: 124n })).toEqual({ paid: null, available: 124n })
    expect(await payouts.sums()).toEqual({ [AVAILABLE]: 124n })
    await payouts.earn([1])
    expect(await payouts.pay('p3', { minimum: 100n, fee: 25n })).toMatchObject({ paid: paid(100n, 0n, 3) })
  })

  test('is given back when the payout is cancelled, and kept when it is returned', async () => {
    await payouts.earn([100])
    await payouts.pay('p1', { fee: 25n })
    await payouts.step('p1', 'cancelled')
    expect(await payouts.sums()).toEqual({ [AVAILABLE]: 100n })
    expect(await payouts.pay('p2', { fee: 10n })).toMatchObject({ paid: paid(90n, 0n, 4) })
    await payouts.step('p2', 'sent')
    await payouts.step('p2', 'returned')
    expect(await payouts.sums()).toEqual({ [AVAILABLE]: 90n, [INCOME]: 10n })
    expect(await faults()).toEqual([])
  })
})

describe('the steps of a payout', () => {
  beforeEach(async () => {
    await payouts.earn([100, 50])
    await payouts.pay('p1', { amount: 120n })
  })

  test('let a settled payout leave the platform', async () => {
    expect([await payouts.step('p1', 'sent'), await payouts.step('p1', 'sent')]).toEqual([true, false])
    expect(await payouts.step('p1', 'settled')).toBe(true)
    expect(await payouts.sums()).toEqual({ [AVAILABLE]: 30n, [`${BANK} EUR`]: 120n })
    expect(await faults()).toEqual([])
  })

  test('let the next payout pay the entries of a cancelled one', async () => {
    expect(await payouts.step('p1', 'cancelled')).toBe(true)
    expect(await payouts.pay('p2')).toEqual({ paid: paid(150n, 0n, 2), available: 150n })
    expect(await faults()).toEqual([])
  })

  test.each([[[]], [['settled']]] as const)(
    'make a payout that is returned after %j an entry of the next one',
    async (settled) => {
      await payouts.step('p1', 'sent')
      for (const step of settled) await payouts.step('p1', step)
      expect(await payouts.step('p1', 'returned')).toBe(true)
      expect(await payouts.sums()).toEqual({ [AVAILABLE]: 150n })
      expect(await payouts.pay('p2')).toMatchObject({ paid: paid(150n, 0n, 2) })
      expect((await payouts.items())['p2']).toEqual([
        [2, 30],
        [4, 120],
      ])
      expect(await faults()).toEqual([])
    },
  )

  test.each([
    [[], 'settled'],
    [[], 'returned'],
    [['sent'], 'cancelled'],
    [['cancelled'], 'sent'],
    [['sent', 'returned'], 'settled'],
    [['sent', 'settled', 'returned'], 'cancelled'],
  ] as const)('refuse after %j that a payout becomes %s', async (before, step) => {
    for (const each of before) await payouts.step('p1', each)
    const sums = await payouts.sums()
    const refusal: unknown = await payouts.step('p1', step).catch((error: unknown) => error)
    expect(isStepRefused(refusal)).toBe(true)
    expect(await payouts.sums()).toEqual(sums)
  })

  test('return null for a payout that does not exist', async () => {
    expect(await payouts.step('p9', 'sent')).toBeNull()
  })
})

test('lets exactly those of 32 racing withdrawals succeed that the balance covers', async () => {
  await payouts.earn([300, 400, 350])
  const dbs = Array.from({ length: 4 }, () => openTestDb(books.url))
  const done = await Promise.all(
    Array.from({ length: 32 }, (_, at) =>
      (dbs[at % dbs.length] ?? books.db).transaction((tx) =>
        payOut(tx, { payoutId: `p${at}`, ownerId: MERCHANT, unit: 'EUR', amount: 100n }, new Date(timeOf(1))),
      ),
    ),
  )
  await Promise.all(dbs.map((db) => db.close()))
  expect(done.filter((each) => each.paid !== null)).toHaveLength(10)
  expect(await payouts.sums()).toEqual({ [AVAILABLE]: 50n, [ON_THE_WAY]: 1_000n })
  expect(await faults()).toEqual([])
})

const CENTS = fc.integer({ min: 1, max: 60 })
const ID = fc.nat(9).map((id) => `p${id}`)
const HISTORY = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant('earn' as const),
      amounts: fc.array(
        fc.integer({ min: -40, max: 90 }).filter((each) => each !== 0),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    fc.record({
      does: fc.constant('pay' as const),
      amount: fc.option(CENTS),
      takesAdvance: fc.boolean(),
      fee: fc.integer({ min: 0, max: 9 }),
    }),
    fc.record({
      does: fc.constant('step' as const),
      id: ID,
      step: fc.constantFrom('sent' as const, 'settled' as const, 'cancelled' as const, 'returned' as const),
    }),
  ),
  { minLength: 15, maxLength: 60 },
)

test('pays the parts of entries that an independent model pays, in histories of every operation', async () => {
  await fc.assert(
    fc.asyncProperty(HISTORY, async (history) => {
      await books.empty()
      const own = payoutsOf(books)
      const model = openModel()
      let next = 0
      for (const each of history) {
        if (each.does === 'earn') {
          await own.earn(each.amounts)
          model.earn(each.amounts)
        } else if (each.does === 'pay') {
          const id = `p${next}`
          const { amount, takesAdvance, fee } = each
          const terms = { takesAdvance, fee: BigInt(fee) }
          const done = await own.pay(id, { amount: amount === null ? null : BigInt(amount), ...terms })
          const isPaid = model.pay(id, amount, takesAdvance, fee)
          expect(done.paid !== null).toBe(isPaid)
          if (isPaid) next += 1
        } else {
          const done = await own.step(each.id, each.step).catch((error: unknown) => {
            if (isStepRefused(error)) return false
            throw error
          })
          expect(done === true).toBe(model.step(each.id, each.step))
        }
      }
      const { items, available } = model.shown()
      expect(await own.items()).toEqual(items)
      expect((await own.sums())[AVAILABLE] ?? 0n).toBe(BigInt(available))
      expect(await faults()).toEqual([])
    }),
    { numRuns: 40 },
  )
})

describe('the owner of the books', () => {
  beforeEach(async () => {
    await payouts.earn([100])
    await payouts.pay('p1', { amount: 70n })
  })
  const ACCOUNT = `(SELECT id FROM books.accounts WHERE name = '${MERCHANT}:available')`

  test.each([
    [
      'that does not sum',
      `INSERT INTO books.payouts VALUES ('p2', ${ACCOUNT}, 30, 0, 1);
       INSERT INTO books.payout_items VALUES ('p2', ${ACCOUNT}, 1, 29)`,
      'not the sum of its items',
    ],
    [
      'with another number of entries',
      `INSERT INTO books.payouts VALUES ('p2', ${ACCOUNT}, 30, 0, 2);
       INSERT INTO books.payout_items VALUES ('p2', ${ACCOUNT}, 1, 30)`,
      'not the sum of its items',
    ],
    [
      'of more than an entry holds',
      `INSERT INTO books.payouts VALUES ('p2', ${ACCOUNT}, 31, 0, 1);
       INSERT INTO books.payout_items VALUES ('p2', ${ACCOUNT}, 1, 31)`,
      'beyond itself',
    ],
    [
      'of another payout',
      `INSERT INTO books.payouts VALUES ('p2', ${ACCOUNT}, 30, 60, 1);
       INSERT INTO books.payout_items VALUES ('p2', ${ACCOUNT}, 2, -30)`,
      'beyond itself',
    ],
  ])('cannot commit a payout %s', async (_, sql, message) => {
    await expect(books.change(`BEGIN; ${sql}; COMMIT`)).rejects.toThrow(message)
    await books.change('ROLLBACK')
  })

  test.each([
    ['UPDATE books.payout_items SET amount = 69', 'payout p1: pays 70 by 1 entries, but 1 entries'],
    ['UPDATE books.payouts SET amount = 71, advance = 1', 'and 70 is posted'],
    ['UPDATE books.payouts SET fee = 1', 'with a fee of 0 instead of 1'],
    ['UPDATE books.paid SET through = 1', 'balance 30, but 30 is not paid out, of which 0 is seen'],
  ])('changes nothing unseen: %s', async (sql, fault) => {
    expect(await faults()).toEqual([])
    await books.change(sql)
    expect((await faults()).join('\n')).toContain(fault)
  })
})
