import { html, type Html, type Part } from './html.ts'
import { emptyState } from './notice.ts'

export type Column<Row> = Readonly<{
  heading: string
  cell: (row: Row) => Part
  /** Aligns the column to the right, with tabular digits. */
  isNumber?: boolean
}>

type Table<Row> = Readonly<{
  /** Describes the rows; also the name of the scrollable region. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Text shown when there are no rows. */
  empty: string
}>

/** A table whose first column is the row header. On a narrow screen it scrolls horizontally, also by keyboard. */
export const table = <Row>({ caption, columns, rows, empty }: Table<Row>): Html => {
  if (rows.length === 0) return emptyState(empty)
  const kind = (column: Column<Row>) => (column.isNumber ? 'number' : 'text')
  const cells = (row: Row) =>
    columns.map((column, index) =>
      index === 0
        ? html`<th scope="row" class="${kind(column)}">${column.cell(row)}</th>`
        : html`<td class="${kind(column)}">${column.cell(row)}</td>`,
    )
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Links to the first and the next page of a list with cursors. */
export const pagination = ({ first, next }: Readonly<{ first: string | null; next: string | null }>): Html =>
  html`<nav class="pagination" aria-label="Pages of this list">
    ${first !== null && html`<a class="button quiet" href="${first}">First page</a>`}
    ${next === null ? html`<span class="hint">End of the list</span>` : html`<a class="button quiet" href="${next}" rel="next">Next page</a>`}
  </nav>`
