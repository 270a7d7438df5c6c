import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { BankFileError, checkSize } from './bank-file-error.ts'
import { type BankLine, type FieldNames, type FoundLine, toBankLine } from './line.ts'

/** Header of a statement as CSV (decisions §51). `amount_cents` is in minor units of the currency, signed. */
export const STATEMENT_COLUMNS = [
  'line_id',
  'booked_at',
  'amount_cents',
  'currency',
  'reference',
  'counterparty',
] as const

const NAMES: FieldNames = { lineId: 'line_id', bookedAt: 'booked_at', currency: 'currency' }
const EXPECTED = `Expected CSV (RFC 4180) in UTF-8 with the columns ${STATEMENT_COLUMNS.join(', ')}.`

const Rows = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }))

const parseRows = (text: string, maxRows: number) => {
  const form = { bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true }
  try {
    return Rows.parse(parse(text, { ...form, to: maxRows }))
  } catch (error) {
    if (error instanceof CsvError) throw new BankFileError(EXPECTED)
    throw error
  }
}

const readRow = (cell: (name: (typeof STATEMENT_COLUMNS)[number]) => string): BankLine | string => {
  const amount = cell('amount_cents')
  if (!/^-?\d{1,36}$/.test(amount) || /^-?0+$/.test(amount))
    return 'amount_cents: an integer of minor units other than zero is required.'
  const raw = {
    lineId: cell('line_id'),
    bookedAt: cell('booked_at'),
    currency: cell('currency'),
    reference: cell('reference'),
    counterparty: cell('counterparty'),
  }
  return toBankLine(raw, BigInt(amount), NAMES)
}

/**
 * Reads a statement as CSV. Columns may have any order, and others are ignored.
 * @param maxLines lines that are read at most
 * @throws BankFileError for a text that is no CSV or lacks a column
 */
export function* readCsv(text: string, maxLines: number): Generator<FoundLine> {
  checkSize(text)
  const [header, ...rows] = parseRows(text, maxLines + 1)
  const columns = header?.record ?? []
  if (!STATEMENT_COLUMNS.every((name) => columns.includes(name))) throw new BankFileError(EXPECTED)
  for (const { record, info } of rows) {
    const found =
      record.length === columns.length
        ? readRow((name) => record[columns.indexOf(name)] ?? '')
        : `line: ${columns.length} cells are required, as in the header.`
    yield { line: info.lines, found }
  }
}
