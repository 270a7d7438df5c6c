import { expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { testVault } from '../testing/vault.ts'
import { createCursors } from './cursors.ts'

const cursors = createCursors(testVault(randomBytes(32)))

test('a cursor gives its values back to the list it was issued for', () => {
  const cursor = cursors.encode('orders:pcu_1', ['2026-01-01T00:00:00.000Z', 'ord_1'])
  expect(cursors.decode('orders:pcu_1', cursor)).toEqual(['2026-01-01T00:00:00.000Z', 'ord_1'])
})

test('another list, another key, an altered or padded cursor is none', () => {
  const cursor = cursors.encode('orders:pcu_1', ['a', 'b'])
  const bytes = Buffer.from(cursor, 'base64url')
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1
  const foreign = createCursors(testVault(randomBytes(32))).encode('orders:pcu_1', ['a', 'b'])
  expect(cursors.decode('orders:pcu_2', cursor)).toBeNull()
  expect(cursors.decode('orders:pcu_1', foreign)).toBeNull()
  expect(cursors.decode('orders:pcu_1', bytes.toString('base64url'))).toBeNull()
  expect(cursors.decode('orders:pcu_1', `${cursor}=`)).toBeNull()
  expect(cursors.decode('orders:pcu_1', '')).toBeNull()
})
