import { BankFileError } from './bank-file-error.ts'
import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import type { BankLine, Rejected } from './line.ts'

export type StatementFormat = 'camt053' | 'csv'

/** Lines that were read, in the file's order, and those that were not. */
export type BankStatement = Readonly<{ lines: readonly BankLine[]; rejected: readonly Rejected[] }>

/** Maximum lines of a statement, rejected ones included. */
export const MAX_STATEMENT_LINES = 100_000

const REPEATED_ID: Readonly<Record<StatementFormat, string>> = {
  csv: 'line_id: an earlier line has the same id.',
  camt053: 'AcctSvcrRef or NtryRef: an earlier entry has the same id.',
}

/**
 * Reads a bank's statement. A line that cannot be read is rejected and the others count. So is a line with the id of an
 * earlier one: lines are imported once per id, so its money would be lost silently.
 * @throws BankFileError for a text that is no statement of the format, or is beyond 10 MB or 100,000 lines
 */
export const readBankStatement = (text: string, format: StatementFormat): BankStatement => {
  const found = format === 'csv' ? readCsv(text, MAX_STATEMENT_LINES + 1) : readCamt(text)
  const lines = new Map<string, BankLine>()
  const rejected: Rejected[] = []
  let count = 0
  for (const { line, found: read } of found) {
    count += 1
    if (count > MAX_STATEMENT_LINES)
      throw new BankFileError('The statement is too long: at most 100,000 lines are allowed.')
    if (typeof read === 'string') rejected.push({ line, reason: read })
    else if (lines.has(read.lineId)) rejected.push({ line, reason: REPEATED_ID[format] })
    else lines.set(read.lineId, read)
  }
  return { lines: [...lines.values()], rejected }
}
