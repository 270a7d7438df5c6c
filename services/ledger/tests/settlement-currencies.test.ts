import { bankStatements, differences as differenceOperations } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { matchProcessorPayouts } from '../src/bank-statements/processor-payouts.ts'
import { rebuildBooks } from '../src/rebuild/rebuild.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { openBooks, sumsOf } from './fixtures/books.ts'
import { disputed, RELATIONSHIPS } from './fixtures/facts.ts'
import {
  book,
  change,
  clock,
  compareFacts,
  DAY_MS,
  debits,
  differences,
  match,
  matchInEachTest,
  paidOrder,
  receivable,
  refund,
  report,
  running,
  TERM_MS,
  today,
} from './fixtures/matching.ts'
import { payout, row } from './fixtures/settlement-report.ts'

matchInEachTest()

const USD = { currency: 'USD' }
const EURO_FEE = { currency: 'EUR', amount_cents: 1_500 }
/** A payment of USD 100.00 that was settled as EUR 88.00, of which the processor keeps EUR 2.00. */
const converted = (line = 'L1', more: Parameters<typeof row>[1] = {}) =>
  row(line, { gross: 8_800, fee: 200, original: '10000,USD,0.88', ...more })
/** A refund of USD 40.00 at another rate. */
const convertedRefund = row('L2', { kind: 'refund', gross: -3_440, fee: 0, original: '-4000,USD,0.86' })
/** A dispute of USD 60.00 at that rate, with the processor's fee in the currency of the account. */
const convertedDispute = (more: Parameters<typeof row>[1] = {}) =>
  row('L3', { kind: 'dispute', gross: -5_160, fee: 1_500, original: '-6000,USD,0.86', ...more })
const dispute = (more: Parameters<typeof disputed>[0] = {}) =>
  disputed({ fact_id: 'dispute', ...USD, fee: EURO_FEE, ...more })

/** How much the debits of accounts grew while this file's lines were matched. */
const matched = async (accounts: readonly (readonly [name: string, unit: string])[], fees = '') => {
  const read = () => Promise.all(accounts.map(([name, unit]) => debits(name, unit)))
  const before = await read()
  await compareFacts()
  await match(fees)
  return (await read()).map((sum, at) => sum - (before[at] ?? 0n))
}
const FX = [
  ['fx:USD', 'USD'],
  ['fx:EUR', 'EUR'],
] as const
const SUSPENSE = [
  ['suspense:USD', 'USD'],
  ['suspense:EUR', 'EUR'],
] as const
const receivables = async () => [await receivable('USD'), await receivable()]
const settled = [0n, 0n]

test('converts a payment at the amounts that the processor states, and pays out one sum with unconverted ones', async () => {
  await book(paidOrder('7', USD), paidOrder('8'))
  await report(converted(), row('L2', { order: 'P8' }), payout(-18_435))
  const moved = await matched([...FX, ['cost:processor_fee', 'EUR'], ['processor:*:in_transit', 'EUR']])
  expect(moved).toEqual([10_000n, -8_800n, 365n, 18_435n])
  expect([await differences(), await receivables()]).toEqual([[], settled])
  expect(await debits('processor:*:in_transit', 'USD')).toBe(0n)
  const before = await running.ledger.sums()
  await match()
  expect(await running.ledger.sums()).toEqual(before)
  expect(await verifyBooks(running.ledger.db.pooled, clock.now())).toEqual([])
})

test('leaves what changed rates have cost in the accounts of conversions', async () => {
  await book(paidOrder('7', USD), { ...refund(), ...USD }, dispute())
  await report(converted(), convertedRefund, convertedDispute(), payout(1_500))
  const moved = await matched([...FX, ['cost:dispute_fee', 'EUR'], ['processor:*:in_transit', 'EUR']])
  expect(moved).toEqual([0n, -200n, 0n, -1_500n])
  expect([await differences(), await receivables()]).toEqual([[], settled])
  running.clockMs += TERM_MS + 30 * DAY_MS
  expect(await matched(SUSPENSE)).toEqual([0n, 0n])
  expect(await differences()).toEqual([])
})

test.each([
  ['the platform pays by a price plan', { fee: null, plan_fee_cents: 2_000 }, 1_500n],
  ['the merchant paid in the currency of the dispute', { fee: { currency: 'USD', amount_cents: 1_750 } }, 0n],
])('settles the fee of a converted dispute that %s', async (_case, fee, cost) => {
  await book(paidOrder('7', USD), dispute(fee))
  await report(converted(), convertedDispute(), payout(-1_940))
  expect(await matched([['cost:dispute_fee', 'EUR'], ...SUSPENSE])).toEqual([cost, 0n, 0n])
  expect([await differences(), await receivables()]).toEqual([[], settled])
})

test('finds another fee of a converted dispute, in the currency of the account', async () => {
  await book(paidOrder('7', USD), dispute())
  await report(converted(), convertedDispute({ fee: 1_600 }), payout(-1_840))
  expect(await matched(SUSPENSE)).toEqual([0n, 100n])
  expect(await differences()).toEqual(['other_fee L3 7 EUR 1500 1600 EUR'])
  expect(await receivables()).toEqual(settled)
})

test('waits for the fee of a converted dispute that is a separate line', async () => {
  await book(paidOrder('7', USD), dispute())
  await report(converted(), convertedDispute({ fee: 0 }), payout(-3_440))
  await matched([])
  expect([await differences(), await receivables()]).toEqual([[], [0n, -1_500n]])
  await report(row('L4', { kind: 'fee', gross: 0, fee: 1_500, payout: 'later' }), payout(1_500, 'later'))
  await matched([])
  expect([await differences(), await receivables()]).toEqual([[], settled])
})

test('corrects the estimated amount of a dispute by its amount before the conversion', async () => {
  await book(paidOrder('7', USD), dispute({ estimated: true }))
  await report(converted(), convertedDispute({ original: '-5500,USD,0.938' }), payout(-1_940))
  expect(await matched([[`${RELATIONSHIPS[0]}:available`, 'USD']])).toEqual([-500n])
  expect([await differences(), await receivables()]).toEqual([[], settled])
})

test.each([
  ['amount', '10001,USD,0.88', {}, 'other_amount L1 7 USD 10000 10001 USD', [-1n, 0n]],
  ['currency', '9500,GBP,0.92', {}, 'other_currency L1 7 USD 10000 9500 GBP', [10_000n, -8_600n]],
  ['net amount', '10000,USD,0.88', { net: 8_599 }, 'sum L1 7 EUR 8600 8599 EUR', [0n, 1n]],
])('finds another %s of a converted payment', async (_field, original, more, difference, suspended) => {
  await book(paidOrder('7', USD))
  const line = converted('L1', { original, ...more })
  await report(line, payout(-Number(line.split(',')[5])))
  expect(await matched(SUSPENSE)).toEqual(suspended)
  expect([await differences(), await receivables()]).toEqual([[difference], settled])
})

test('compares no agreed fee with that of a converted payment, which is in another currency', async () => {
  await book(paidOrder('7', USD))
  await report(converted(), payout(-8_600))
  await matched([], `${running.processor}=1.4%+25`)
  expect(await differences()).toEqual([])
})

test('finds a line in the currency of the account without its original amount', async () => {
  await book(paidOrder('7', USD))
  await report(row('L1', { gross: 8_800, fee: 200 }), payout(-8_600))
  await matched([])
  expect(await differences()).toEqual(['other_currency L1 7 USD 10000 8800 EUR'])
})

test('ends a converted line that was missing here when its fact comes', async () => {
  await book(paidOrder('8'))
  await report(converted(), payout(-8_600))
  expect(await matched([...SUSPENSE, ...FX])).toEqual([0n, -8_600n, 0n, 0n])
  expect(await differences()).toEqual(['missing_here L1 7 EUR null 8800 EUR'])
  await book(paidOrder('7', USD))
  running.clockMs += 60_000
  expect(await matched([...SUSPENSE, ...FX])).toEqual([0n, 8_600n, 10_000n, -8_800n])
  // The payment of the order 8 is not settled yet.
  expect([await differences(), await receivables()]).toEqual([[], [0n, 10_000n]])
})

test('ends a dispute and its fee that were missing there when the one line of both comes', async () => {
  await book(paidOrder('7', USD), dispute({ ...today() }))
  await report(converted(), payout(-8_600))
  await matched([])
  // The processor has closed a later period.
  running.clockMs += TERM_MS
  await running.ledger.sql(
    `UPDATE settlement_lines SET available_on = '2099-01-01' WHERE kind = 'payout' AND processor = '${running.processor}'`,
  )
  expect(await matched(SUSPENSE)).toEqual([-6_000n, -1_500n])
  expect((await differences()).map((each) => each.split(' ')[0])).toEqual(['missing_there', 'missing_there'])
  await report(convertedDispute({ payout: 'later' }), payout(6_660, 'later'))
  expect(await matched(SUSPENSE)).toEqual([6_000n, 1_500n])
  expect([await differences(), await receivables()]).toEqual([[], settled])
})

test('closes a difference of another currency with an adjustment in the currency that was settled', async () => {
  await book(paidOrder('7', USD))
  await report(converted('L1', { original: '9500,GBP,0.92' }), payout(-8_600))
  await matched([])
  const [row_] = await running.ledger.sql<{ difference_id: string }>(
    `SELECT difference_id FROM differences WHERE source = 'processor:${running.processor}'`,
  )
  const close = (unit: string) =>
    running.ledger.asStaff(differenceOperations.close, {
      params: { differenceId: row_?.difference_id ?? '' },
      body: {
        reason: 'Settled as euros',
        adjustment: { partner_customer_id: RELATIONSHIPS[0], unit, amount: 8_600 },
      },
    })
  expect(await close('CHF')).toMatchObject({ ok: false, details: [{ field: 'adjustment.unit' }] })
  const moved = await change('suspense:EUR', async () => {
    expect(await close('EUR')).toMatchObject({ ok: true })
  })
  expect(moved).toBe(8_600n)
})

test('takes a line that an older version imported without its conversion for the same, and no other', async () => {
  await book(paidOrder('7', USD))
  const before = row('L1', { gross: 8_800, fee: 200 })
  expect(await report(before)).toMatchObject({ imported: 1 })
  expect(await report(converted())).toMatchObject({ imported: 0, duplicates: 1, rejected: [] })
  await report(converted('L2'))
  expect(await report(converted('L2'))).toMatchObject({ duplicates: 1 })
  for (const original of ['10001,USD,0.88', '10000,GBP,0.88', '10000,USD,0.89', '10000,USD,', null])
    expect(await report(converted('L2', { original }))).toMatchObject({
      ...{ imported: 0, duplicates: 0 },
      rejected: [{ reason: expect.stringContaining('with other content') }],
    })
})

test('books the payout of converted lines at the bank in the currency of the account', async () => {
  await book(paidOrder('7', USD))
  const { ledger, processor } = running
  await report(converted('L1', { payout: processor }), payout(-8_600, processor))
  await matched([])
  expect(await debits('processor:*:in_transit')).toBe(8_600n)
  const csv = `line_id,booked_at,amount_cents,currency,reference,counterparty
${processor}-usd,2026-11-20,10000,USD,${processor},Processor
${processor}-eur,2026-11-20,8600,EUR,${processor},Processor`
  const answer = await ledger.asStaff(bankStatements.importFile, { body: { csv } })
  expect(answer).toMatchObject({ ok: true, value: { imported: 2 } })
  await matchProcessorPayouts(ledger.db, clock.now())
  expect(await debits('processor:*:in_transit')).toBe(0n)
})

test('rebuilds conversions as they were posted', async () => {
  await book(paidOrder('7', USD), { ...refund(), ...USD }, dispute())
  await report(converted(), convertedRefund, convertedDispute(), payout(1_500))
  await matched([])
  const rebuilt = await openBooks()
  try {
    await rebuildBooks(
      { sources: [], books: running.ledger.db.pooled },
      { db: rebuilt.db, clock: running.ledger.clock },
    )
    const ofConversions = (sums: Awaited<ReturnType<typeof sumsOf>>) =>
      Object.entries(sums).filter(([account]) => account.startsWith('fx:'))
    const expected = ofConversions(await running.ledger.sums())
    expect(expected.map(([account]) => account).toSorted()).toEqual(['fx:EUR EUR', 'fx:USD USD'])
    expect(ofConversions(await sumsOf(rebuilt.db)).toSorted()).toEqual(expected.toSorted())
    expect(await verifyBooks(rebuilt.db.pooled, clock.now())).toEqual([])
  } finally {
    await rebuilt.close()
  }
})
