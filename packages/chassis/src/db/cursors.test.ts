import { expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { testVault } from '../testing/vault.ts'
import { createCursors } from './cursors.ts'

const cursors = createCursors(testVault(randomBytes(32)))

test('returns the values of a cursor to the list that issued it', () => {
  const cursor = cursors.encode('orders:pcu_1', ['2026-01-01T00:00:00.000Z', 'ord_1'])
  expect(cursors.decode('orders:pcu_1', cursor)).toEqual(['2026-01-01T00:00:00.000Z', 'ord_1'])
})

test('rejects a cursor of another list or key, and one that was altered or padded', () => {
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
