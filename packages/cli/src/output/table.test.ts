import { expect, test } from '@jest/globals'
import { renderFields, renderTable } from './table.ts'

type Row = { id: string; note: string; by: string | null }
const COLUMNS = { ID: (row: Row) => row.id, NOTE: (row: Row) => row.note, BY: (row: Row) => row.by }

test('shortens the columns after the first until the table fits', () => {
  const id = `cus_${'0'.repeat(26)}`
  const lines = renderTable(COLUMNS, [{ id, note: 'n'.repeat(60), by: null }], 60)
  expect(lines[0]).toMatch(/^ID {30}NOTE +BY$/)
  expect(lines[1]).toMatch(new RegExp(`^${id} {2}n{10,}… {2}-$`))
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
})

test('lets no text of others move the cursor of the terminal', () => {
  const note = '\u001b[2J\u001b]0;title\u0007red\r\nnext'
  const [, line = ''] = renderTable(COLUMNS, [{ id: 'a', note, by: 'b' }], 80)

  expect(line).not.toMatch(/[\u0000-\u001f\u007f]/)
  expect(renderFields({ note })).toMatch(/red {2}next$/)
})
