import { expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { testVault } from '../testing/vault.ts'
import { createCursors } from './cursors.ts'
import { BY_ID, keysetList, NEWEST_FIRST, OLDEST_FIRST } from './keyset-list.ts'

const cursors = createCursors(testVault(randomBytes(32)))
const orders = keysetList(cursors, { name: 'orders:pcu_1', order: NEWEST_FIRST })
const rowOf = (id: string) => ({ id, createdAt: new Date(`2026-01-01T00:00:0${id.length}.123Z`) })
const present = ({ id }: { id: string }) => id
const positionOf = ({ createdAt: at, id }: ReturnType<typeof rowOf>) => ({ at, id })

test('starts a list before its first row', () => {
  expect(orders.after(null)).toEqual({ at: new Date('9999-12-31T23:59:59.999Z'), id: '' })
  expect(keysetList(cursors, { name: 'a', order: OLDEST_FIRST }).after(null)).toEqual({
    at: new Date(0),
    id: '',
  })
  expect(keysetList(cursors, { name: 'a', order: BY_ID }).after(null)).toEqual({ id: '' })
})

test('ends a page with the cursor of its last row, where the next page starts', () => {
  const rows = ['a', 'bb', 'ccc'].map(rowOf)
  const { items, last, nextCursor } = orders.page({ rows, limit: 2, present, positionOf })
  expect(items).toEqual(['a', 'bb'])
  expect(last).toBe(rows[1])
  expect(orders.after(nextCursor)).toEqual({ at: new Date('2026-01-01T00:00:02.123Z'), id: 'bb' })
})

test('returns no cursor for a list that ends within the page', () => {
  const rows = ['a', 'bb'].map(rowOf)
  const page = orders.page({ rows, limit: 2, present, positionOf })
  expect(page).toEqual({ items: ['a', 'bb'], last: null, nextCursor: null })
})

test('returns a cursor for a full page only, when no extra row is read', () => {
  const rows = ['a', 'bb'].map(rowOf)
  const options = { present, positionOf, continuesWhenFull: true }
  const full = orders.page({ rows, limit: 2, ...options })
  expect(orders.after(full.nextCursor)).toEqual(positionOf(rows[1] as (typeof rows)[number]))
  expect(orders.page({ rows, limit: 3, ...options }).nextCursor).toBeNull()
  expect(orders.page({ rows: [], limit: 3, ...options }).nextCursor).toBeNull()
})

test('rejects a cursor of another list and one whose values are not a position', () => {
  const other = keysetList(cursors, { name: 'orders:pcu_2', order: NEWEST_FIRST })
  const cursor = orders.cursorAfter({ at: new Date(0), id: 'a' })
  expect(orders.after(cursor)).toEqual({ at: new Date(0), id: 'a' })
  expect(other.after(cursor)).toBeNull()
  expect(orders.after('nonsense')).toBeNull()
  expect(orders.after(cursors.encode('orders:pcu_1', ['a']))).toBeNull()
  expect(orders.after(cursors.encode('orders:pcu_1', ['never', 'a']))).toBeNull()
})
