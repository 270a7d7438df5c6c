import { expect, test } from '@jest/globals'
import { PAGE_MAX_BYTES, pageOf } from './page.ts'

const present = (row: string) => ({ row })
const sized = (kilobytes: number) => 'x'.repeat(kilobytes * 1024)

test('a list that ends within the page has no next one', () => {
  expect(pageOf({ rows: ['a', 'b'], limit: 2, present })).toEqual({
    items: [{ row: 'a' }, { row: 'b' }],
    last: null,
  })
  expect(pageOf({ rows: [], limit: 2, present })).toEqual({ items: [], last: null })
})

test('one row more than the limit tells that the list goes on after the last item', () => {
  expect(pageOf({ rows: ['a', 'b', 'c'], limit: 2, present })).toEqual({
    items: [{ row: 'a' }, { row: 'b' }],
    last: 'b',
  })
})

test('a page ends before the item that would take it over 512 KiB', () => {
  const rows = [sized(200), sized(200), sized(200)]
  const page = pageOf({ rows, limit: 100, present })
  expect(page.items).toHaveLength(2)
  expect(page.last).toBe(rows[1])
  expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(PAGE_MAX_BYTES)
})

test('an item larger than a page is given alone, and the list goes on after it', () => {
  const rows = [sized(600), 'b']
  expect(pageOf({ rows, limit: 100, present })).toEqual({ items: [{ row: rows[0] }], last: rows[0] })
})

test('characters of several bytes count as bytes', () => {
  const rows = ['é'.repeat(150 * 1024), 'é'.repeat(150 * 1024)]
  expect(pageOf({ rows, limit: 100, present }).items).toHaveLength(1)
})
