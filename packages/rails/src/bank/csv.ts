import { readCsvRows } from '../csv-rows.ts'
import { BankFileError } from './bank-file-error.ts'
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
 * @throws BankFileError for a text that is no CSV (possibly after some lines) or lacks a column
 */
export function* readCsv(text: string): Generator<FoundLine> {
  const fail = (message: string) => new BankFileError(message)
  for (const { line, cells } of readCsvRows(text, { columns: STATEMENT_COLUMNS, fail }))
    yield { line, found: typeof cells === 'string' ? cells : readRow(cells) }
}
