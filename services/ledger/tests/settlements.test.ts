import { settlements } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { paid } from './fixtures/facts.ts'
import { reportOf } from './fixtures/settlement-report.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const csvOf = (...rows: readonly string[]): string => reportOf(rows)
const PAID = 'L1,payment,P1,10000,165,9835,EUR,2026-11-28,po_1'
const REFUNDED = 'L2,refund,P1,-4000,0,-4000,EUR,2026-11-28,po_1'
const FEE = 'L3,fee,,0,120,-120,USD,2026-11-30,'
const DIFFERS = 'line_id: was imported before with other content.'

const importFile = async (csv: string, processor: string) => {
  // The books have a payment of the processor.
  await postFacts(ledger, [paid({ fact_id: `paid by ${processor}`, processor })])
  return ledger.asStaff(settlements.importFile, { query: { processor }, body: { csv } })
}
const report = async (csv: string, processor: string) => {
  const answer = await importFile(csv, processor)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}
const stored = async (processor: string) =>
  ledger.sql<Record<string, string | null>>(
    `SELECT line_id, kind, processor_order_id, gross_cents::text, fee_cents::text, net_cents::text, currency,
       available_on::text, payout_ref
     FROM settlement_lines WHERE processor = '${processor}' ORDER BY line_id`,
  )

test('stores the lines of a report as the processor states them', async () => {
  expect(await report(csvOf(PAID, REFUNDED, FEE), 'stripe')).toEqual({
    imported: 3,
    duplicates: 0,
    rejected: [],
  })
  const rows = await stored('stripe')
  expect(
    rows.map((row) =>
      Object.values(row)
        .map((value) => value ?? '')
        .join(','),
    ),
  ).toEqual([PAID, REFUNDED, FEE])
})

test('counts lines that it knows as duplicates, also if the file has more lines than before', async () => {
  await report(csvOf(PAID), 'again')
  expect(await report(csvOf(FEE, PAID, REFUNDED), 'again')).toEqual({
    imported: 2,
    duplicates: 1,
    rejected: [],
  })
  expect(await report(csvOf(FEE, PAID, REFUNDED), 'again')).toMatchObject({ imported: 0, duplicates: 3 })
  expect(await stored('again')).toHaveLength(3)
})

test.each([
  ['gross amount', PAID.replace('10000', '10001')],
  ['fee', PAID.replace('165', '166')],
  ['net amount', PAID.replace('9835', '9834')],
  ['kind', PAID.replace('payment', 'dispute_reversal')],
  ['payment', PAID.replace('P1', 'P2')],
  ['currency', PAID.replace('EUR', 'USD')],
  ['date', PAID.replace('-28', '-29')],
  ['payout', PAID.replace('po_1', '')],
])('rejects a known line with another %s, and keeps what was imported', async (field, other) => {
  const processor = `other_${field.split(' ')[0]}`
  await report(csvOf(PAID), processor)
  const before = await stored(processor)
  expect(await report(csvOf(FEE, other), processor)).toEqual({
    imported: 1,
    duplicates: 0,
    rejected: [{ line: 3, reason: DIFFERS }],
  })
  expect((await stored(processor)).filter((row) => row['line_id'] === 'L1')).toEqual(before)
})

test('distinguishes the lines of different processors', async () => {
  await report(csvOf(PAID), 'first')
  expect(await report(csvOf(PAID.replace('10000', '1')), 'second')).toMatchObject({ imported: 1 })
})

test('names each line that it cannot read, in the order of the file, and imports the others', async () => {
  await report(csvOf(PAID), 'mixed')
  const file = csvOf('L4,payment,,1,0,1,EUR,2026-11-28,', PAID.replace('EUR', 'JPY'), FEE, 'L5')
  expect(await report(file, 'mixed')).toEqual({
    imported: 1,
    duplicates: 0,
    rejected: [
      { line: 2, reason: expect.stringMatching(/^processor_order_id: /) },
      { line: 3, reason: DIFFERS },
      { line: 5, reason: 'line: 9 cells are required, as in the header.' },
    ],
  })
})

test('stores each line once of files that are imported simultaneously', async () => {
  const rows = Array.from({ length: 200 }, (_, at) => FEE.replace('L3', `line-${at}`))
  const reports = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      report(csvOf(...(at % 2 === 0 ? rows : rows.toReversed())), 'racing'),
    ),
  )
  expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(200)
  expect(reports.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(7 * 200)
  expect(await stored('racing')).toHaveLength(200)
})

test.each([
  ['', { field: 'csv', reason: 'invalid_value' }],
  ['a,b\n1,2', { field: 'csv', reason: 'invalid_value' }],
  [csvOf(...Array.from({ length: 100_001 }, () => 'x')), { field: 'csv', reason: 'invalid_value' }],
])('refuses a file as a whole that is no report or too long', async (csv, detail) => {
  expect(await importFile(csv, 'refused')).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [{ ...detail, expected: expect.any(String) }],
  })
  expect(await stored('refused')).toEqual([])
})

test('refuses a report of a processor that the books do not know', async () => {
  const request = { query: { processor: 'unknown' }, body: { csv: csvOf(PAID) } }
  expect(await ledger.asStaff(settlements.importFile, request)).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'processor', reason: 'invalid_value', expected: expect.any(String) }],
  })
})

test('refuses to compare a report from a day that has not begun', async () => {
  const from = new Date(ledger.clock.nowMs() + 86_400_000).toISOString().slice(0, 10)
  await report(csvOf(PAID), 'early')
  const request = { query: { processor: 'early', from }, body: { csv: csvOf(FEE) } }
  expect(await ledger.asStaff(settlements.importFile, request)).toMatchObject({
    ...{ ok: false, code: 'invalid_request' },
    details: [{ field: 'from', reason: 'too_big', expected: 'a day that has begun' }],
  })
  expect(await stored('early')).toHaveLength(1)
})
