import { expect, test } from '@jest/globals'
import { batchOf } from './batch.ts'

type Row = Readonly<{ id: string; amount: string | null; atMs: number }>
const ROWS = batchOf<Row>()('row', {
  id: ['text', ({ id }) => id],
  totalAmount: ['decimal?', ({ amount }) => amount],
  paidAt: ['time', ({ atMs }) => atMs],
})

test('derives the parameters, the column list and the rows in SQL from the columns of a batch', () => {
  expect(ROWS.names).toBe('id, total_amount, paid_at')
  expect(ROWS.parameters).toEqual({ row_id: 'text[]', row_totalAmount: 'text?[]', row_paidAt: 'float8[]' })
  const read = 'id, total_amount::numeric AS total_amount, to_timestamp(paid_at / 1000.0) AS paid_at'
  const arrays = 'unnest(:row_id, :row_totalAmount, :row_paidAt)'
  expect(ROWS.from('r')).toBe(`(SELECT ${read} FROM ${arrays} AS sent (${ROWS.names})) AS r`)
  expect(ROWS.from('r', { numbered: true })).toBe(
    `(SELECT ${read}, n FROM ${arrays} WITH ORDINALITY AS sent (${ROWS.names}, n)) AS r`,
  )
})

test('passes the values of a batch as one array per column', () => {
  const rows = [
    { id: 'a', amount: '0.1', atMs: 1 },
    { id: 'b', amount: null, atMs: 2 },
  ]
  expect(ROWS.values(rows)).toEqual({
    row_id: ['a', 'b'],
    row_totalAmount: ['0.1', null],
    row_paidAt: [1, 2],
  })
})
