import { html, notice, pagination, table, type Column, type Html } from '../design/index.ts'
import type { PageQuery } from '../lists/csv.ts'
import { downloadLink } from '../lists/filter.ts'
import { cursorOf, pageLinks } from '../paging.ts'
import type { Refused } from '../replies.ts'
import type { ScreenRequest } from '../screen.ts'

const PAGE_ROWS = 50
/** Maximum calls to fill a page. Each looks at up to 500 orders of each kind. */
const MAX_CALLS = 4

type Page<Row> = Readonly<{ ok: true; rows: readonly Row[]; next: string | null }>
export type ReadPage<Row> = (page: PageQuery) => Promise<Page<Row> | Refused>

/** Reads a page. A filter may leave few orders of a call, so it calls again until the page is full. */
export const readFullPage = async <Row>(
  request: Pick<ScreenRequest, 'query'>,
  read: ReadPage<Row>,
): Promise<Page<Row> | Refused> => {
  const rows: Row[] = []
  let from: Readonly<{ cursor?: string }> = cursorOf(request)
  for (let calls = 1; ; calls += 1) {
    const reply = await read({ ...from, limit: String(PAGE_ROWS - rows.length) })
    if (!reply.ok) return reply
    const { next } = reply
    rows.push(...reply.rows)
    if (next === null || rows.length >= PAGE_ROWS || calls === MAX_CALLS) return { ok: true, rows, next }
    from = { cursor: next }
  }
}

type List<Row> = Readonly<{
  path: string
  /** Path of the list as a file, with the filter. */
  filePath: string
  columns: readonly Column<Row>[]
  page: Pick<Page<Row>, 'rows' | 'next'>
  isFiltered: boolean
}>

/** Renders a page of payments, with links to other pages and to the file. */
export const paymentList = <Row>(
  request: Pick<ScreenRequest, 'query'>,
  { path, filePath, columns, page: { rows, next }, isFiltered }: List<Row>,
): Html => {
  const isShort = next !== null && rows.length < PAGE_ROWS
  return html`${table({
    caption: 'Payments, newest first',
    columns,
    rows,
    empty: isShort
      ? 'No payments on this page match the filter.'
      : isFiltered
        ? 'No payments match the filter.'
        : 'No payments yet.',
  })}
  ${isShort && notice('neutral', 'There may be older payments that match.', 'Continue with the next page, or choose a time.')}
  ${pagination(pageLinks(path, request, next))} ${rows.length > 0 && downloadLink(filePath)}`
}
