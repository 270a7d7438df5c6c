import { BankFileError } from './bank-file-error.ts'
import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import type { BankLine, FoundLine, Rejected } from './line.ts'

export type StatementFormat = 'camt053' | 'csv'

/** Lines that were read, in the file's order, and those that were not. */
export type BankStatement = Readonly<{ lines: readonly BankLine[]; rejected: readonly Rejected[] }>

/** Maximum lines of a statement, rejected ones included. */
export const MAX_STATEMENT_LINES = 100_000

const TOO_LONG = `The statement is too long: at most ${MAX_STATEMENT_LINES.toLocaleString('en')} lines are allowed.`
const REPEATED_ID: Readonly<Record<StatementFormat, string>> = {
  csv: 'line_id: an earlier line has the same id.',
  camt053: 'AcctSvcrRef or NtryRef: an earlier entry has the same id.',
}

/**
 * Reads a bank's statement line by line. A line that cannot be read is rejected and the others count. So is a line with the
 * id of an earlier one: lines are imported once per id, so its money would be lost silently. A step of the iteration takes
 * milliseconds; null: it found nothing.
 * @throws BankFileError for a text that is no statement of the format (possibly after some lines), or is beyond 16 MiB or
 *   100,000 lines
 */
export function* readStatementLines(text: string, format: StatementFormat): Generator<FoundLine | null> {
  const ids = new Set<string>()
  let count = 0
  for (const step of format === 'csv' ? readCsv(text) : readCamt(text)) {
    if (step === null) {
      yield null
      continue
    }
    const { line, found } = step
    count += 1
    if (count > MAX_STATEMENT_LINES) throw new BankFileError(TOO_LONG)
    const isRepeated = typeof found !== 'string' && ids.has(found.lineId)
    if (typeof found !== 'string') ids.add(found.lineId)
    yield { line, found: isRepeated ? REPEATED_ID[format] : found }
  }
}

/** Reads a whole statement, as {@link readStatementLines} does. */
export const readBankStatement = (text: string, format: StatementFormat): BankStatement => {
  const lines: BankLine[] = []
  const rejected: Rejected[] = []
  for (const step of readStatementLines(text, format)) {
    if (step === null) continue
    const { line, found } = step
    if (typeof found === 'string') rejected.push({ line, reason: found })
    else lines.push(found)
  }
  return { lines, rejected }
}
