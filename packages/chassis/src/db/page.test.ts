import { expect, test } from '@jest/globals'
import { PAGE_MAX_BYTES, pageOf } from './page.ts'

const present = (row: string) => ({ row })
const sized = (kilobytes: number) => 'x'.repeat(kilobytes * 1024)

test('reports no next page for a list that ends within the page', () => {
  expect(pageOf({ rows: ['a', 'b'], limit: 2, present })).toEqual({
    items: [{ row: 'a' }, { row: 'b' }],
    last: null,
  })
  expect(pageOf({ rows: [], limit: 2, present })).toEqual({ items: [], last: null })
})

test('reports a next page when one row more than the limit was read', () => {
  expect(pageOf({ rows: ['a', 'b', 'c'], limit: 2, present })).toEqual({
    items: [{ row: 'a' }, { row: 'b' }],
    last: 'b',
  })
})

test('ends a page before the item that would exceed 512 KiB', () => {
  const rows = [sized(200), sized(200), sized(200)]
  const page = pageOf({ rows, limit: 100, present })
  expect(page.items).toHaveLength(2)
  expect(page.last).toBe(rows[1])
  expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThanOrEqual(PAGE_MAX_BYTES)
})

test('returns an item larger than a page alone and continues after it', () => {
  const rows = [sized(600), 'b']
  expect(pageOf({ rows, limit: 100, present })).toEqual({ items: [{ row: rows[0] }], last: rows[0] })
})

test('counts characters of several bytes as bytes', () => {
  const rows = ['é'.repeat(150 * 1024), 'é'.repeat(150 * 1024)]
  expect(pageOf({ rows, limit: 100, present }).items).toHaveLength(1)
})
