import { MAX_IMPORT_BYTES } from '@causeway/contracts'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'

/** Columns that a file must have, and how it is refused as a whole. */
export type CsvForm<Name extends string> = Readonly<{
  columns: readonly Name[]
  fail: (message: string) => Error
}>

/** A row with the number of its line in the file; text: why it cannot be read. */
export type CsvRow<Name extends string> = Readonly<{
  line: number
  cells: ((name: Name) => string) | string
}>

/** Characters that are parsed in one step: 5 ms of CPU. */
const STEP = 16 * 1024
const Rows = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }))

/** @throws the error of `fail` for a text beyond 16 MiB */
export const checkFileSize = (text: string, fail: (message: string) => Error): void => {
  if (Buffer.byteLength(text) > MAX_IMPORT_BYTES)
    throw fail(`The file is too large: at most ${MAX_IMPORT_BYTES / 1024 / 1024} MiB are allowed.`)
}

/** Cuts a text at the ends of rows. `linesBefore`: the number of lines in the pieces before. */
function* cutRows(
  text: string,
  lineEnd: string,
): Generator<Readonly<{ piece: string; linesBefore: number }>> {
  let start = 0
  let lines = 0
  let linesBefore = 0
  let isQuoted = false
  for (const { 0: mark, index } of text.matchAll(new RegExp(`"|${lineEnd}`, 'g'))) {
    if (mark === '"') {
      isQuoted = !isQuoted
      continue
    }
    lines += 1
    if (isQuoted || index - start < STEP) continue
    const end = index + lineEnd.length
    yield { piece: text.slice(start, end), linesBefore }
    start = end
    linesBefore = lines
  }
  yield { piece: text.slice(start), linesBefore }
}

/**
 * Reads the rows of a CSV file (RFC 4180) one after another: a step of the iteration takes milliseconds. Columns may have any
 * order. Other columns are read where they are asked for; a cell of one that the file lacks is empty.
 * @throws the error of `fail` for a text that is no CSV (possibly after some rows), lacks a column, or is beyond 16 MiB
 */
export function* readCsvRows<Name extends string>(
  text: string,
  { columns: expected, fail }: CsvForm<Name>,
): Generator<CsvRow<Name>> {
  checkFileSize(text, fail)
  const wrong = () => fail(`Expected CSV (RFC 4180) in UTF-8 with the columns ${expected.join(', ')}.`)
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
  const form = { bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true }
  const parsePiece = (piece: string) => {
    try {
      return Rows.parse(parse(piece, { ...form, record_delimiter: lineEnd }))
    } catch (error) {
      if (error instanceof CsvError) throw wrong()
      throw error
    }
  }
  let columns: readonly string[] | null = null
  for (const { piece, linesBefore } of cutRows(text, lineEnd)) {
    for (const { record, info } of parsePiece(piece)) {
      if (columns === null) {
        if (!expected.every((name) => record.includes(name))) throw wrong()
        columns = record
        continue
      }
      const header: readonly string[] = columns
      const cells =
        record.length === header.length
          ? (name: Name) => record[header.indexOf(name)] ?? ''
          : `line: ${header.length} cells are required, as in the header.`
      yield { line: linesBefore + info.lines, cells }
    }
  }
  if (columns === null) throw wrong()
}
