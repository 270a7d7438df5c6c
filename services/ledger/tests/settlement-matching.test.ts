import { expect, test } from '@jest/globals'
import { verifyBooks } from '../src/verification/verify.ts'
import { disputed, RELATIONSHIPS, timeOf } from './fixtures/facts.ts'
import {
  book,
  change,
  clock,
  compareFacts,
  debits,
  differences,
  match,
  paidOrder,
  receivable,
  refund,
  report,
  reportFrom,
  running,
  TERM_MS,
  matchInEachTest,
} from './fixtures/matching.ts'
import { payout, row } from './fixtures/settlement-report.ts'

matchInEachTest()

test('matches lines with the journal, and posts their fees and the payout once', async () => {
  await book(paidOrder('7'), refund())
  await report(row('L1'), row('L2', { kind: 'refund', gross: -4_000, fee: 0 }), payout(-5_835))
  expect(await change('cost:processor_fee', () => match())).toBe(165n)
  expect(await receivable()).toBe(0n)
  expect(await debits('processor:*:in_transit')).toBe(5_835n)
  await compareFacts()
  const before = await running.ledger.sums()
  await match()
  expect(await running.ledger.sums()).toEqual(before)
  expect(await differences()).toEqual([])
  expect(await verifyBooks(running.ledger.db.pooled, clock.now())).toEqual([])
})

test('waits with a difference until the books have what payments knew at the import', async () => {
  await book(paidOrder('7'))
  await report(row('L1', { order: 'P8' }), payout(-9_835))
  await running.ledger.sql(`UPDATE fact_comparisons SET compared_at = 'epoch'`)
  await match()
  expect(await differences()).toEqual([])
  await compareFacts()
  await match()
  expect(await differences()).toEqual(['missing_here L1 8 EUR null 10000 EUR'])
})

test('ends a line that was missing here when its fact comes, and leaves nothing in suspense', async () => {
  await book(paidOrder('7'))
  await report(row('L1', { order: 'P8' }), payout(-9_835))
  await compareFacts()
  expect(await change('suspense:EUR', () => match())).toBe(-9_835n)
  expect(
    await change('suspense:EUR', async () => {
      await book(paidOrder('8'))
      await match()
    }),
  ).toBe(9_835n)
  expect(await differences()).toEqual([])
  expect(await differences('matched')).toHaveLength(1)
  // The payment of the order 7 is not settled yet.
  expect(await receivable()).toBe(10_000n)
})

test.each([
  ['amount', row('L1', { gross: 10_001 }), 'other_amount L1 7 EUR 10000 10001 EUR', -1n],
  ['fee', row('L1', { fee: 166 }), 'other_fee L1 7 EUR 165 166 EUR', 1n],
  ['net amount', row('L1', { net: 9_834 }), 'sum L1 7 EUR 9835 9834 EUR', 1n],
])('finds another %s, and keeps the rest in suspense', async (_field, line, difference, suspended) => {
  await book(paidOrder('7'))
  const net = Number(line.split(',')[5])
  await report(line, payout(-net))
  await compareFacts()
  const fees = `${running.processor}=1.4%+25`
  expect(await change('suspense:EUR', () => match(fees))).toBe(suspended)
  expect(await differences()).toEqual([difference])
  expect(await receivable()).toBe(0n)
  expect(await debits('processor:*:in_transit')).toBe(BigInt(net))
})

test('finds another currency, and clears both units', async () => {
  await book(paidOrder('7'))
  await report(
    row('L1', { currency: 'USD' }),
    row('payout-po', { kind: 'payout', order: '', gross: -9_835, fee: 0, currency: 'USD' }),
  )
  await compareFacts()
  const eur = await debits('suspense:EUR')
  expect(await change('suspense:USD', () => match(), 'USD')).toBe(-9_835n)
  expect((await debits('suspense:EUR')) - eur).toBe(10_000n)
  expect(await differences()).toEqual(['other_currency L1 7 EUR 10000 10000 USD'])
  expect([await receivable(), await receivable('USD')]).toEqual([0n, 0n])
})

test('finds a payout that is not the sum of its lines, and ends the difference when the missing line comes', async () => {
  await book(paidOrder('7'), refund())
  await report(row('L1'), payout(-5_835))
  await compareFacts()
  expect(await change('suspense:EUR', () => match())).toBe(4_000n)
  expect(await differences()).toEqual(['sum payout-po null EUR -9835 -5835 EUR'])
  await report(row('L2', { kind: 'refund', gross: -4_000, fee: 0 }))
  running.clockMs += 60_000
  expect(await change('suspense:EUR', () => match())).toBe(-4_000n)
  expect(await differences()).toEqual([])
  expect(await receivable()).toBe(0n)
})

test('takes a payout that states no lines as it is', async () => {
  await book(paidOrder('7'))
  await report(payout(-9_835))
  await compareFacts()
  await match()
  expect(await differences()).toEqual([])
  expect(await debits('processor:*:in_transit')).toBe(9_835n)
})

test('reports an amount without a line after its term, once the processor has closed a later period', async () => {
  running.clockMs = Date.parse(timeOf(0)) + TERM_MS - 1
  await book(paidOrder('7', { at: timeOf(0) }), paidOrder('8', { at: timeOf(40) }))
  await reportFrom(timeOf(0).slice(0, 10), row('fee-1', { kind: 'fee', order: '', gross: 0, fee: 10 }))
  await compareFacts()
  running.clockMs += 1
  await match()
  expect(await differences()).toEqual([])
  await report(payout(10))
  await match()
  expect(await differences()).toEqual(['missing_there null 7 EUR 10000 null EUR'])
  expect(
    await change('suspense:EUR', async () => {
      await report(row('L1', { fee: 0, payout: '' }))
      await match()
    }),
  ).toBe(-10_000n)
  expect(await differences()).toEqual([])
})

const missing = async () => (await differences()).map((each) => each.split(' ')[2]).toSorted()

test('takes the first day to compare from the payments of the first report, and expects none before it', async () => {
  running.clockMs = Date.parse(timeOf(40))
  await book(...['2', '5', '6'].map((key) => paidOrder(key, { at: timeOf(Number(key)) })))
  // The report pays out on the 20th (`available_on`) what was paid on day 5.
  await report(row('L1', { order: 'P5' }), payout(-9_835))
  await compareFacts()
  await match()
  await match()
  expect(await missing()).toEqual(['6'])
  const [kept] = await running.ledger.sql(
    `SELECT begins_on::text, stated FROM settlement_sources WHERE processor = '${running.processor}'`,
  )
  expect(kept).toEqual({ begins_on: timeOf(5).slice(0, 10), stated: false })

  // A later report of earlier days moves nothing, and its lines are matched.
  running.clockMs += 1_000
  await report(row('L2', { order: 'P2', payout: '' }))
  await running.ledger.sql(
    `UPDATE settlement_lines SET imported_at = imported_at + interval '1 s' WHERE line_id = 'L2'`,
  )
  await book(paidOrder('3', { at: timeOf(3) }))
  await match()
  await match()
  expect(await missing()).toEqual(['6'])
  const [line] = await running.ledger.sql(
    `SELECT status FROM settlement_lines WHERE line_id = 'L2' AND processor = '${running.processor}'`,
  )
  expect(line).toEqual({ status: 'done' })
})

test('compares from the day that an import states, regardless of its lines', async () => {
  running.clockMs = Date.parse(timeOf(40))
  await book(...['2', '5', '6'].map((key) => paidOrder(key, { at: timeOf(Number(key)) })))
  await reportFrom(timeOf(6).slice(0, 10), row('L1', { order: 'P5' }), payout(-9_835))
  await compareFacts()
  await match()
  await match()
  expect(await missing()).toEqual(['6'])
  await reportFrom(timeOf(2).slice(0, 10))
  await match()
  expect(await missing()).toEqual(['2', '6'])
})

test('corrects the estimated amount of a dispute by its line', async () => {
  const merchant = `${RELATIONSHIPS[0]}:available`
  await book(
    paidOrder('7'),
    disputed({ fact_id: 'dispute', estimated: true, amount_cents: 6_000, fee: null }),
  )
  await report(row('L1'), row('L2', { kind: 'dispute', gross: -5_500, fee: 1_500 }), payout(-2_835))
  expect(await change(merchant, () => match())).toBe(-500n)
  await compareFacts()
  await match()
  expect([await differences(), await receivable()]).toEqual([[], 0n])
})

test('matches the fee of a dispute in another currency with the fee that the merchant paid', async () => {
  await book(paidOrder('7'), disputed({ fact_id: 'dispute' }))
  const inUsd = { kind: 'fee', gross: 0, fee: 1_500, currency: 'USD', payout: 'usd' }
  await report(
    ...[row('L1'), row('L2', { kind: 'dispute', gross: -6_000, fee: 0 }), payout(-3_835)],
    ...[row('L3', inUsd), row('L4', { ...inUsd, kind: 'payout', order: '', gross: 1_500, fee: 0 })],
  )
  await compareFacts()
  await match()
  expect(await differences()).toEqual([])
  expect([await receivable(), await receivable('USD')]).toEqual([0n, 0n])
  expect(await debits('processor:*:in_transit', 'USD')).toBe(-1_500n)
})

test('leaves the processor’s fee of a dispute to the platform where the price plan has a fee', async () => {
  await book(paidOrder('7'), disputed({ fact_id: 'dispute', fee: null, plan_fee_cents: 2_000 }))
  await report(row('L1'), row('L2', { kind: 'dispute', gross: -6_000, fee: 1_500 }), payout(-2_335))
  expect(await change('cost:dispute_fee', () => match())).toBe(1_500n)
  await compareFacts()
  await match()
  expect([await differences(), await receivable()]).toEqual([[], 0n])
})

test('posts each line once when replicas match simultaneously', async () => {
  await book(...Array.from({ length: 40 }, (_, at) => paidOrder(String(100 + at))))
  await report(
    ...Array.from({ length: 40 }, (_, at) => row(`L${at}`, { order: `P${100 + at}` })),
    payout(-393_400),
  )
  await Promise.all(Array.from({ length: 4 }, () => match()))
  expect([await receivable(), await debits('processor:*:in_transit')]).toEqual([0n, 393_400n])
})
