import { expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { createVault } from './crypto.ts'

const vault = createVault(randomBytes(32))

test('what is sealed opens in its context alone', () => {
  const sealed = vault.seal('a secret', 'webhook:whk_1')
  expect(sealed).not.toContain('secret')
  expect(vault.open(sealed, 'webhook:whk_1').toString()).toBe('a secret')
  expect(() => vault.open(sealed, 'webhook:whk_2')).toThrow()
})

test('a value sealed under another root key is refused by the name of its key', () => {
  const sealed = createVault(randomBytes(32)).seal('a secret', 'c')
  expect(() => vault.open(sealed, 'c')).toThrow(/names key [0-9a-f]{8}, known are [0-9a-f]{8}$/)
})

test('a mac depends on its purpose', () => {
  expect(vault.mac('client-secret', 'x').equals(vault.mac('cursor', 'x'))).toBe(false)
})

test('a new sealing key seals, and what older keys and the root key sealed still opens', () => {
  const [root, first, second] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const
  const before = createVault(root)
  const between = createVault(root, [first])
  const after = createVault(root, [second, first])
  for (const older of [before, between, after])
    expect(after.open(older.seal('a secret', 'c'), 'c').toString()).toBe('a secret')
  expect(after.seal('x', 'c').split('.')[1]).toBe(after.sealingKeyId)
  expect(new Set([before, between, after].map((one) => one.sealingKeyId)).size).toBe(3)
  expect(() => createVault(root, [second]).open(between.seal('x', 'c'), 'c')).toThrow(/names key/)
})

test('keyed hashes do not change with the sealing key', () => {
  const root = randomBytes(32)
  const rotated = createVault(root, [randomBytes(32)])
  expect(rotated.mac('merchant-email', 'x')).toEqual(createVault(root).mac('merchant-email', 'x'))
})
