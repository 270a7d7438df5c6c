import { printable } from './printable.ts'

export type Cell = string | number | boolean | null | undefined
/** Columns in their order: the title, and the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

const GAP = 2
const NARROWEST = 6

/** On one line. */
const textOf = (cell: Cell): string => printable(String(cell ?? '-')).replace(/[\t\n]/g, ' ')

const fit = (text: string, width: number): string =>
  text.length <= width ? text.padEnd(width) : `${text.slice(0, width - 1)}…`

/** The widest columns but the first give way until all fit: the first has ids, which are copied. */
const narrow = (widths: readonly number[], total: number): number[] => {
  const [first = 0, ...rest] = widths
  const left = total - first - GAP * rest.length
  while (rest.reduce((sum, width) => sum + width, 0) > left) {
    const widest = Math.max(...rest)
    if (widest <= NARROWEST) break
    rest[rest.indexOf(widest)] = widest - 1
  }
  return [first, ...rest]
}

/** Rows as lines under their titles; what is too long for the width ends with `…`. */
export const renderTable = <Row>(columns: Columns<Row>, rows: readonly Row[], width: number): string[] => {
  const titles = Object.keys(columns)
  const lines = [titles, ...rows.map((row) => Object.values(columns).map((of) => textOf(of(row))))]
  const natural = titles.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const widths = narrow(natural, width)
  const gap = ' '.repeat(GAP)
  return lines.map((line) =>
    line
      .map((text, at) => fit(text, widths[at] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}

/** One resource as lines of name and value; what is nested is JSON. */
export const renderFields = (resource: object): string => {
  const fields = Object.entries(resource) as [string, unknown][]
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields
    .map(([name, value]) => {
      const isNested = typeof value === 'object' && value !== null
      return `${name.padEnd(width + GAP)}${textOf(isNested ? JSON.stringify(value) : (value as Cell))}`
    })
    .join('\n')
}
