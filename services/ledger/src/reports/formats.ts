import type { ReportFormat } from '@causeway/contracts'
import type { BasicType } from 'hyparquet-writer'
import type { Cell, Column, Row } from './columns.ts'

type Pages = AsyncIterable<readonly Row[]>
/** The question, in formats that have a place for it. */
export type Heading = Readonly<Record<string, string | null>>
type Format = Readonly<{
  mimeType: string
  /** Writes the file, piece by piece. The same rows give the same bytes. */
  write: (columns: readonly Column[], pages: Pages, heading: Heading) => AsyncGenerator<Buffer>
}>

/** RFC 4180, with a header; null is empty. */
async function* writeCsv(columns: readonly Column[], pages: Pages) {
  const { stringify } = await import('csv-stringify/sync')
  const options = { record_delimiter: 'windows', cast: { boolean: String } } as const
  yield Buffer.from(stringify([columns.map(({ name }) => name)], options))
  for await (const rows of pages) yield Buffer.from(stringify([...rows], options))
}

async function* writeJson(columns: readonly Column[], pages: Pages, heading: Heading) {
  const lineOf = (row: Row) =>
    JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))
  let before = `{"report":${JSON.stringify(heading)},"rows":[`
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield Buffer.from(`${before}\n${rows.map(lineOf).join(',\n')}`)
    before = ','
  }
  yield Buffer.from(before === ',' ? '\n]}\n' : `${before}]}\n`)
}

const PARQUET_TYPES: Readonly<Record<Column['type'], BasicType>> = {
  text: 'STRING',
  // One column has several units: no number type holds all of them exactly.
  amount: 'STRING',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
  integer: 'INT32',
}

const parquetValue = (type: Column['type'], cell: Cell | undefined) => {
  if (cell === undefined || cell === null) return null
  if (type === 'time') return new Date(String(cell))
  return type === 'amount' ? String(cell) : cell
}

/** A row group for each page. */
async function* writeParquet(columns: readonly Column[], pages: Pages) {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const dataOf = (rows: readonly Row[]) =>
    columns.map(({ name, type }, at) => ({
      ...{ name, type: PARQUET_TYPES[type], nullable: true },
      data: rows.map((row) => parquetValue(type, row[at])),
    }))
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: dataOf([]) }) })
  for await (const rows of pages)
    if (rows.length > 0) await file.write({ columnData: dataOf(rows), rowGroupSize: rows.length })
  await file.finish()
  yield Buffer.from(writer.getBytes())
}

export const FORMATS: Readonly<Record<ReportFormat, Format>> = {
  csv: { mimeType: 'text/csv; charset=utf-8', write: writeCsv },
  json: { mimeType: 'application/json', write: writeJson },
  parquet: { mimeType: 'application/vnd.apache.parquet', write: writeParquet },
}
