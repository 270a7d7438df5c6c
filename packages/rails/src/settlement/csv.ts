import { minorUnitDecimals } from '@causeway/contracts'
import { z } from 'zod'
import { readCsvRows } from '../csv-rows.ts'
import { OutsideId } from '../outside-text.ts'
import { KINDS_OF_ORDERS, SETTLEMENT_KINDS, type OriginalAmount, type SettlementLine } from './line.ts'

/** Header of a settlement report as CSV (decisions §51). Amounts are in minor units of the currency, signed. */
export const SETTLEMENT_COLUMNS = [
  'line_id',
  'kind',
  'processor_order_id',
  'gross_cents',
  'fee_cents',
  'net_cents',
  'currency',
  'available_on',
  'payout_ref',
] as const
/** Columns that a report may have in addition, for lines that the processor has converted. */
export const ORIGINAL_COLUMNS = ['original_cents', 'original_currency', 'original_rate'] as const
type Column = (typeof SETTLEMENT_COLUMNS | typeof ORIGINAL_COLUMNS)[number]

/** Maximum lines of a report, rejected ones included. */
export const MAX_SETTLEMENT_LINES = 100_000

/** A file that cannot be read as a whole. The message says what is expected and shows no content of it. */
export class SettlementFileError extends Error {
  override readonly name = 'SettlementFileError'
}

/**
 * Lines that were read, in the file's order, and those that were not. `line` is the number in the file, from 1; `reason` begins
 * with the name of the column.
 */
export type SettlementFile = Readonly<{
  lines: readonly (SettlementLine & Readonly<{ line: number }>)[]
  rejected: readonly Readonly<{ line: number; reason: string }>[]
}>

/** A line as found: its number as in {@link SettlementFile}, and the line or why it is rejected. */
export type FoundSettlementLine = Readonly<{ line: number; found: SettlementLine | string }>

const TOO_LONG = `The report is too long: at most ${MAX_SETTLEMENT_LINES.toLocaleString('en')} lines are allowed.`

const isId = (text: string): boolean => OutsideId.safeParse(text).success
const IsoDate = z.iso.date()
const isDate = (text: string): boolean => IsoDate.safeParse(text).success

const readCents = (text: string): number | null => {
  const cents = /^-?\d{1,16}$/.test(text) ? Number(text) + 0 : null
  return cents !== null && Number.isSafeInteger(cents) ? cents : null
}

const ID = '1 to 255 visible ASCII characters without spaces'
const CENTS = 'an integer of minor units between -9007199254740991 and 9007199254740991 is required.'

const isCurrency = (text: string): boolean => minorUnitDecimals(text) !== null
const isRate = (text: string): boolean => /^\d{1,12}(\.\d{1,18})?$/.test(text) && !/^0+(\.0+)?$/.test(text)

/** Reads what a line moved before its conversion. Null: nothing was converted; text: why it cannot be read. */
const readOriginal = (
  cell: (name: Column) => string,
  { kind, currency }: Pick<SettlementLine, 'kind' | 'currency'>,
): OriginalAmount | string | null => {
  const [cents, original, rate] = [cell('original_cents'), cell('original_currency'), cell('original_rate')]
  if (original === '')
    return cents + rate === '' ? null : 'original_currency: required with original_cents and original_rate.'
  if (!KINDS_OF_ORDERS.includes(kind)) return `original_currency: must be empty for a ${kind}.`
  if (!isCurrency(original) || original === currency)
    return 'original_currency: the ISO 4217 code of a currency in circulation other than `currency` is required.'
  const amount = readCents(cents)
  if (amount === null) return `original_cents: ${CENTS}`
  if (rate !== '' && !isRate(rate))
    return 'original_rate: a decimal number above 0, such as 0.88, or nothing, is required.'
  return { cents: amount, currency: original, rate: rate || null }
}

const readRow = (cell: (name: Column) => string): SettlementLine | string => {
  const lineId = cell('line_id')
  if (!isId(lineId)) return `line_id: ${ID} are required.`
  const kind = SETTLEMENT_KINDS.find((each) => each === cell('kind'))
  if (kind === undefined) return `kind: one of ${SETTLEMENT_KINDS.join(', ')} is required.`
  const orderId = cell('processor_order_id') || null
  if (orderId === null && KINDS_OF_ORDERS.includes(kind))
    return `processor_order_id: ${ID} are required for a ${kind}.`
  if (orderId !== null && !isId(orderId)) return `processor_order_id: ${ID}, or nothing, are required.`
  const [gross, fee, net] = [
    readCents(cell('gross_cents')),
    readCents(cell('fee_cents')),
    readCents(cell('net_cents')),
  ]
  if (gross === null) return `gross_cents: ${CENTS}`
  if (fee === null) return `fee_cents: ${CENTS}`
  if (net === null) return `net_cents: ${CENTS}`
  const [currency, availableOn] = [cell('currency'), cell('available_on')]
  if (!isCurrency(currency)) return 'currency: the ISO 4217 code of a currency in circulation is required.'
  if (!isDate(availableOn)) return 'available_on: a date (YYYY-MM-DD) is required.'
  const payoutRef = cell('payout_ref') || null
  if (payoutRef === null && kind === 'payout') return `payout_ref: ${ID} are required for a payout.`
  if (payoutRef !== null && !isId(payoutRef)) return `payout_ref: ${ID}, or nothing, are required.`
  const original = readOriginal(cell, { kind, currency })
  if (typeof original === 'string') return original
  const amounts = { grossCents: gross, feeCents: fee, netCents: net, currency, original }
  return { lineId, kind, processorOrderId: orderId, ...amounts, availableOn, payoutRef }
}

/**
 * Reads a settlement report as CSV line by line: a step of the iteration takes milliseconds. A line that cannot be read is
 * rejected and the others count. So is a line with the id of an earlier one: lines are imported once per id, so its money
 * would be lost silently.
 * @throws SettlementFileError for a text that is no CSV (possibly after some lines), lacks a column, or is beyond 16 MiB or
 *   100,000 lines
 */
export function* readSettlementLines(text: string): Generator<FoundSettlementLine> {
  const fail = (message: string) => new SettlementFileError(message)
  const ids = new Set<string>()
  let count = 0
  for (const { line, cells } of readCsvRows<Column>(text, { columns: SETTLEMENT_COLUMNS, fail })) {
    count += 1
    if (count > MAX_SETTLEMENT_LINES) throw fail(TOO_LONG)
    const found = typeof cells === 'string' ? cells : readRow(cells)
    const isRepeated = typeof found !== 'string' && ids.has(found.lineId)
    if (typeof found !== 'string') ids.add(found.lineId)
    yield { line, found: isRepeated ? 'line_id: an earlier line has the same id.' : found }
  }
}

/** Reads a whole report, as {@link readSettlementLines} does. */
export const readSettlementCsv = (text: string): SettlementFile => {
  const lines: SettlementFile['lines'][number][] = []
  const rejected: SettlementFile['rejected'][number][] = []
  for (const { line, found } of readSettlementLines(text))
    if (typeof found === 'string') rejected.push({ line, reason: found })
    else lines.push({ ...found, line })
  return { lines, rejected }
}

/**
 * Writes lines as CSV (RFC 4180), with the columns of conversions where a line was converted. Ids are visible ASCII and may
 * contain commas and quotes.
 */
export const writeSettlementCsv = (lines: readonly SettlementLine[]): string => {
  const toCell = (value: string | number | null): string => {
    const text = String(value ?? '')
    return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const isConverted = lines.some(({ original }) => original !== null)
  const rows = lines.map((line) =>
    [
      ...[line.lineId, line.kind, line.processorOrderId, line.grossCents, line.feeCents, line.netCents],
      ...[line.currency, line.availableOn, line.payoutRef],
      ...(isConverted
        ? [line.original?.cents ?? null, line.original?.currency ?? null, line.original?.rate ?? null]
        : []),
    ]
      .map(toCell)
      .join(','),
  )
  const columns = [...SETTLEMENT_COLUMNS, ...(isConverted ? ORIGINAL_COLUMNS : [])]
  return [columns.join(','), ...rows, ''].join('\r\n')
}
