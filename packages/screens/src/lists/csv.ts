import type { Operation } from '@causeway/contracts'
import type { Answer, Reply } from '../screen.ts'

/**
 * Most rows in a file. Each 100 of them are a call, which counts towards the rate limit of the person (a burst of
 * `RATE_LIMIT_BURST`, 200) and has an entry in the audit log.
 */
export const MAX_FILE_ROWS = 10_000
const PAGE_ROWS = 100
/** Maximum calls for a file. A filter may leave few rows of a page. */
const MAX_PAGES = MAX_FILE_ROWS / PAGE_ROWS

/** Columns of a file by name. */
export type FileColumns<Row> = Readonly<Record<string, (row: Row) => string | null>>

/**
 * RFC 4180 with a header; null is empty. A text that a spreadsheet would compute begins with an apostrophe, and one with a
 * line break is quoted, so that it begins no row. The byte order mark lets spreadsheets read UTF-8.
 */
const writeFile = async <Row>(columns: FileColumns<Row>, rows: readonly Row[]): Promise<Uint8Array> => {
  const { stringify } = await import('csv-stringify/sync')
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))
  const file = stringify([Object.keys(columns), ...cells], {
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted_match: /[\r\n]/,
    bom: true,
  })
  return Buffer.from(file)
}

/** `limit` and, after the first page, `cursor` of a list. */
export type PageQuery = Readonly<{ limit: string; cursor?: string }>
type Page<Row> = Readonly<{ rows: readonly Row[]; next: string | null }>
type Newest<Row> = Readonly<{ ok: true; rows: readonly Row[]; isWhole: boolean }>
type Refused = Extract<Reply<Operation>, { ok: false }>

/** Reads the newest rows of a list, at most {@link MAX_FILE_ROWS}, page by page. */
export const readNewest = async <Row>(
  readPage: (query: PageQuery) => Promise<(Page<Row> & Readonly<{ ok: true }>) | Refused>,
): Promise<Newest<Row> | Refused> => {
  const rows: Row[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const reply: Awaited<ReturnType<typeof readPage>> = await readPage({
      limit: String(PAGE_ROWS),
      ...(cursor !== null && { cursor }),
    })
    if (!reply.ok) return reply
    rows.push(...reply.rows)
    cursor = reply.next
    pages += 1
  } while (cursor !== null && rows.length < MAX_FILE_ROWS && pages < MAX_PAGES)
  return { ok: true, rows: rows.slice(0, MAX_FILE_ROWS), isWhole: cursor === null }
}

/** Sends rows as a CSV file. @param name of the file, without its ending; says if it is not the whole list */
export const csvFile = async <Row>(
  name: string,
  columns: FileColumns<Row>,
  { rows, isWhole }: Readonly<{ rows: readonly Row[]; isWhole: boolean }>,
): Promise<Answer> => ({
  kind: 'file',
  type: 'text/csv; charset=utf-8',
  name: isWhole ? `${name}.csv` : `${name}-newest-${rows.length}.csv`,
  bytes: await writeFile(columns, rows),
})
