import { expect, test } from '@jest/globals'
import { CURRENCIES } from '@causeway/contracts'
import fc from 'fast-check'
import {
  readSettlementCsv,
  SettlementFileError,
  type SettlementLine,
  writeSettlementCsv,
} from '../src/settlements.ts'

const HEADER =
  'line_id,kind,processor_order_id,gross_cents,fee_cents,net_cents,currency,available_on,payout_ref'

const faultOf = (text: string): string => {
  try {
    readSettlementCsv(text)
  } catch (error) {
    if (error instanceof SettlementFileError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

const id = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 20,
})
const cents = fc.maxSafeInteger().map((amount) => amount + 0)
const line: fc.Arbitrary<SettlementLine> = fc
  .record({
    lineId: id,
    kind: fc.constantFrom('payment', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'payout'),
    orderId: id,
    grossCents: cents,
    feeCents: cents,
    netCents: cents,
    currency: fc.constantFrom(...CURRENCIES),
    day: fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
    payoutRef: fc.option(id),
    original: fc.option(
      fc.record({
        cents,
        currency: fc.constantFrom(...CURRENCIES),
        rate: fc.option(fc.constantFrom('0.88', '1', '0.000000000000000001', '999999999999.5')),
      }),
    ),
  })
  .map(({ orderId, day, original, ...rest }) => ({
    ...rest,
    original:
      ['fee', 'adjustment', 'payout'].includes(rest.kind) || original?.currency === rest.currency
        ? null
        : original,
    processorOrderId: ['fee', 'adjustment', 'payout'].includes(rest.kind) ? null : orderId,
    availableOn: day.toISOString().slice(0, 10),
    payoutRef: rest.kind === 'payout' ? (rest.payoutRef ?? orderId) : rest.payoutRef,
  }))

test('reads the lines that it has written, for any ids and amounts', () => {
  fc.assert(
    fc.property(fc.uniqueArray(line, { selector: ({ lineId }) => lineId }), (lines) => {
      const read = lines.map((each, at) => ({ ...each, line: at + 2 }))
      expect(readSettlementCsv(writeSettlementCsv(lines))).toEqual({ lines: read, rejected: [] })
    }),
  )
})

const GOOD = {
  line_id: 'L1',
  kind: 'payment',
  processor_order_id: 'P1',
  gross_cents: '1000',
  fee_cents: '39',
  net_cents: '961',
  currency: 'EUR',
  available_on: '2026-11-28',
  payout_ref: '',
}
const row = (change: Partial<typeof GOOD>) => Object.values({ ...GOOD, ...change }).join(',')

test('reads columns in any order, with others between them, a byte-order mark and empty lines', () => {
  const text = `\uFEFFkind,note,line_id,processor_order_id,net_cents,fee_cents,gross_cents,currency,payout_ref,available_on
refund,,L2,P1,-500,0,-500,JPY,po_1,2026-11-27

`
  expect(readSettlementCsv(text)).toEqual({
    lines: [
      {
        lineId: 'L2',
        kind: 'refund',
        processorOrderId: 'P1',
        grossCents: -500,
        feeCents: 0,
        netCents: -500,
        currency: 'JPY',
        original: null,
        availableOn: '2026-11-27',
        payoutRef: 'po_1',
        line: 2,
      },
    ],
    rejected: [],
  })
})

test.each([
  [{ line_id: '' }, 'line_id: '],
  [{ line_id: 'a b' }, 'line_id: '],
  [{ line_id: 'x'.repeat(256) }, 'line_id: '],
  [
    { kind: 'Payment' },
    'kind: one of payment, refund, dispute, dispute_reversal, fee, adjustment, payout is required.',
  ],
  [{ processor_order_id: '' }, 'processor_order_id: '],
  [{ processor_order_id: 'é' }, 'processor_order_id: '],
  [{ gross_cents: '10.00' }, 'gross_cents: '],
  [{ gross_cents: '9007199254740992' }, 'gross_cents: '],
  [{ fee_cents: '' }, 'fee_cents: '],
  [{ net_cents: '1e3' }, 'net_cents: '],
  [{ currency: 'eur' }, 'currency: '],
  [{ available_on: '28.11.2026' }, 'available_on: '],
  [{ available_on: '2026-02-30' }, 'available_on: '],
  [{ kind: 'payout', processor_order_id: '' }, 'payout_ref: '],
  [{ payout_ref: 'p o' }, 'payout_ref: '],
  [{ payout_ref: ',' }, 'line: 9 cells are required, as in the header.'],
])('rejects a line with %j by its number, and reads the others', (change, reason) => {
  const { lines, rejected } = readSettlementCsv(
    [HEADER, row({ line_id: 'A' }), row(change), row({ line_id: 'B' })].join('\n'),
  )
  expect(lines.map(({ lineId }) => lineId)).toEqual(['A', 'B'])
  expect(rejected).toEqual([{ line: 3, reason: expect.stringContaining(reason) }])
})

const CONVERTED = { original_cents: '1136', original_currency: 'USD', original_rate: '0.88' }
const ORIGINAL_HEADER = `${HEADER},${Object.keys(CONVERTED).join(',')}`
const convertedRow = (change: Record<string, string>) =>
  Object.values({ ...GOOD, ...CONVERTED, ...change }).join(',')

test('reads what a line was before it was converted, where the report has the columns for it', () => {
  const rows = [convertedRow({}), convertedRow({ line_id: 'L2', original_rate: '' })]
  const nothing = { original_cents: '', original_currency: '', original_rate: '' }
  const { lines, rejected } = readSettlementCsv(
    [ORIGINAL_HEADER, ...rows, convertedRow({ line_id: 'L3', ...nothing })].join('\n'),
  )
  expect(rejected).toEqual([])
  expect(lines.map(({ original }) => original)).toEqual([
    { cents: 1_136, currency: 'USD', rate: '0.88' },
    { cents: 1_136, currency: 'USD', rate: null },
    null,
  ])
})

test.each([
  [{ original_currency: '' }, 'original_currency: required with original_cents and original_rate.'],
  [{ kind: 'fee' }, 'original_currency: must be empty for a fee.'],
  [{ original_currency: 'usd' }, 'original_currency: the ISO 4217 code'],
  [{ original_currency: 'EUR' }, 'original_currency: the ISO 4217 code'],
  [{ original_cents: '' }, 'original_cents: an integer'],
  [{ original_cents: '11.36' }, 'original_cents: an integer'],
  [{ original_rate: '0.0' }, 'original_rate: a decimal number above 0'],
  [{ original_rate: '-0.88' }, 'original_rate: a decimal number above 0'],
  [{ original_rate: '8.8e-1' }, 'original_rate: a decimal number above 0'],
])('rejects a converted line with %j', (change, reason) => {
  const { lines, rejected } = readSettlementCsv([ORIGINAL_HEADER, convertedRow(change)].join('\n'))
  expect([lines, rejected]).toEqual([[], [{ line: 2, reason: expect.stringContaining(reason) }]])
})

test('reads a line whose net amount is not the gross amount less the fee, because the report is to be compared', () => {
  expect(readSettlementCsv([HEADER, row({ net_cents: '960' })].join('\n'))).toMatchObject({
    lines: [{ grossCents: 1_000, feeCents: 39, netCents: 960 }],
    rejected: [],
  })
})

test('rejects a line with the id of an earlier one', () => {
  const { lines, rejected } = readSettlementCsv([HEADER, row({}), row({ gross_cents: '5' })].join('\n'))
  expect(lines).toHaveLength(1)
  expect(rejected).toEqual([{ line: 3, reason: 'line_id: an earlier line has the same id.' }])
})

test.each([
  ['an empty text', '', 'Expected CSV (RFC 4180) in UTF-8 with the columns line_id, kind, '],
  [
    'a missing column',
    `${HEADER.replace('fee_cents,', '')}\n`,
    'Expected CSV (RFC 4180) in UTF-8 with the columns line_id, kind, ',
  ],
  [
    'an open quote',
    `${HEADER}\n"L1,payment`,
    'Expected CSV (RFC 4180) in UTF-8 with the columns line_id, kind, ',
  ],
  [
    'more than 16 MiB',
    'x'.repeat(16 * 1024 * 1024 + 1),
    'The file is too large: at most 16 MiB are allowed.',
  ],
])('refuses a file with %s as a whole', (_, text, message) => {
  expect(faultOf(text)).toContain(message)
})

test('refuses a report of more than 100,000 lines', () => {
  const rows = Array.from({ length: 100_001 }, (_, at) => `${at},fee,,0,1,-1,EUR,2026-11-28,`)
  expect(faultOf([HEADER, ...rows].join('\n'))).toBe(
    'The report is too long: at most 100,000 lines are allowed.',
  )
  expect(readSettlementCsv([HEADER, ...rows.slice(1)].join('\n')).lines).toHaveLength(100_000)
})
