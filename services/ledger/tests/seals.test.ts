import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sealPostings } from '../src/seals/seal.ts'
import { readSeals } from '../src/seals/store.ts'
import { verifySeals } from '../src/seals/verify.ts'
import { openBooks, type OpenedBooks } from './fixtures/books.ts'
import { paid, refunded, RELATIONSHIPS, timeOf } from './fixtures/facts.ts'

let books: OpenedBooks
beforeAll(async () => {
  books = await openBooks()
})
beforeEach(() => books.empty())
afterAll(() => books.close())

const seal = (day: number) => sealPostings(books.db.pooled, new Date(timeOf(day)))
const faults = () => verifySeals(books.db.pooled)
const seals = async () =>
  (await readSeals(books.db.pooled, { from: 1n, limit: 100 })).map(
    ({ month, closes, firstSeq, lastSeq, size }) =>
      `${month}${closes ? ' closed' : ''} ${firstSeq}-${lastSeq} (${size})`,
  )
/** A payment with another number on a day. */
const pay = (number: number, day: number) =>
  books.post([paid({ fact_id: `paid-${number}`, available_at: timeOf(900) })], timeOf(day))

test('seals each posting once, and each month after its end', async () => {
  await pay(1, 0)
  await pay(2, 0)
  await seal(0)
  await seal(0)
  await pay(3, 1)
  await seal(1)
  expect(await seals()).toEqual(['2026-11 1-2 (2)', '2026-11 3-3 (2)'])
  await pay(4, 95)
  await seal(95)
  expect((await seals()).slice(2)).toEqual([
    '2026-11 closed 4-3 (2)',
    '2026-12 closed 4-3 (2)',
    '2027-01 closed 4-3 (2)',
    '2027-02 4-4 (2)',
  ])
  expect(await faults()).toEqual([])
})

test('closes a month without the postings of the next one', async () => {
  await pay(1, 29)
  await pay(2, 30)
  await seal(30)
  expect(await seals()).toEqual(['2026-11 1-1 (2)', '2026-11 closed 2-1 (2)', '2026-12 2-2 (2)'])
})

test('keeps a month closed for a replica whose clock is behind', async () => {
  await pay(1, 0)
  await seal(31)
  await pay(2, 1)
  const { rows } = await books.change('SELECT recorded_at FROM books.journal WHERE seq = 2')
  expect(rows).toEqual([{ recorded_at: new Date('2026-12-01T00:00:00.000Z') }])
  await seal(31)
  expect(await faults()).toEqual([])
})

test('creates one seal when replicas seal simultaneously', async () => {
  for (let number = 0; number < 5; number += 1) await pay(number, 0)
  await Promise.all(Array.from({ length: 4 }, () => seal(31)))
  expect(await seals()).toEqual(['2026-11 1-5 (2)', '2026-11 closed 6-5 (2)'])
})

describe('a seal', () => {
  const NEXT = { number: 2, month: '2026-11', closes: false, first_seq: 2, last_seq: 2, size: 1, root: '00' }
  const append = (change: object) =>
    books.change(
      `SELECT books.seal('${JSON.stringify({ ...NEXT, ...change })}', '[]', '${timeOf(1)}') AS appended`,
    )
  beforeEach(async () => {
    await pay(1, 0)
    await seal(0)
    await pay(2, 1)
  })

  test.each([
    ['that leaves a number out', { number: 3 }],
    ['that leaves a posting out', { first_seq: 3, last_seq: 3 }],
    ['of a posting that does not exist', { last_seq: 3 }],
    ['of another month', { month: '2026-12' }],
    ['that closes a month with postings left', { closes: true, last_seq: 1 }],
  ])('is refused: one %s', async (_, change) => {
    await expect(append(change)).rejects.toMatchObject({ code: 'LB002' })
  })

  test('is not appended if it repeats an earlier one, which is kept', async () => {
    expect((await append({ number: 1 })).rows).toEqual([{ appended: false }])
    expect(await faults()).toEqual([])
  })

  test('is refused if it closes a month before its end', async () => {
    await seal(1)
    await expect(append({ number: 3, closes: true, first_seq: 3, last_seq: 2 })).rejects.toMatchObject({
      code: 'LB002',
    })
  })
})

const PENDING = `${RELATIONSHIPS[0]}:pending EUR`
describe('verification of the seals', () => {
  beforeEach(async () => {
    await books.post([paid()], timeOf(0))
    await seal(0)
    await books.post([refunded()], timeOf(1))
    await seal(31)
    expect(await faults()).toEqual([])
  })

  test.each([
    [
      'a time that was changed in a sealed posting',
      "UPDATE books.journal SET effective_at = effective_at + interval '1 second' WHERE seq = 1",
      [`seal 1: ${PENDING} differs from what was sealed`],
    ],
    [
      'an amount that was changed consistently in all tables',
      `UPDATE books.entries SET balance_after = balance_after + 1;
       UPDATE books.entries SET amount = amount + 1 WHERE number = 1;
       UPDATE books.transfers SET amount = amount + 1 WHERE seq = 1 AND line = 1;
       UPDATE books.balances SET amount = amount + 1`,
      [`seal 1: ${PENDING} differs from what was sealed`],
    ],
    [
      'an account without an owner that was changed',
      "UPDATE books.accounts SET name = 'income:other' WHERE name = 'income:service_fee'",
      ['seal 1: its postings, its accounts or its root were changed'],
    ],
    [
      'a root that was changed',
      "UPDATE books.seals SET root = '\\x00' WHERE number = 2",
      ['seal 2: its postings, its accounts or its root were changed'],
    ],
    [
      'a seal that was deleted',
      'DELETE FROM books.seal_leaves WHERE seal = 2; DELETE FROM books.seals WHERE number = 2',
      ['seal 3: the seal before it is missing'],
    ],
  ])('finds %s', async (_, change, expected) => {
    await books.change(change)
    expect(await faults()).toEqual(expect.arrayContaining(expected))
  })
})
