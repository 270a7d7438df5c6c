import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { createVault, type VaultKeys } from './crypto.ts'
import { testVault } from './testing/vault.ts'

const vault = testVault(randomBytes(32))

test('opens a sealed value only in its own context', () => {
  const sealed = vault.seal('a secret', 'webhook:whk_1')
  expect(sealed).not.toContain('secret')
  expect(vault.open(sealed, 'webhook:whk_1').toString()).toBe('a secret')
  expect(() => vault.open(sealed, 'webhook:whk_2')).toThrow()
})

test('names the key of a value that was sealed under another key', () => {
  const sealed = testVault(randomBytes(32)).seal('a secret', 'c')
  expect(() => vault.open(sealed, 'c')).toThrow(/names key [0-9a-f]{8}; known keys: [0-9a-f]{8}$/)
})

test('computes a different MAC for each purpose', () => {
  expect(vault.mac('client-secret', 'x').equals(vault.mac('cursor', 'x'))).toBe(false)
})

test('seals with the new key after a rotation and still opens what the previous key sealed', () => {
  const [one, two] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))]
  const hashing = randomBytes(32)
  let keys: VaultKeys = {
    sealingKeyId: 'one',
    sealing: new Map([['one', one]]),
    hashing,
    hashingFor: new Map(),
  }
  const following = createVault(() => keys)
  const before = following.seal('before', 'c')
  const hash = following.mac('merchant-email', 'x')
  keys = { ...keys, sealingKeyId: 'two', sealing: new Map([...keys.sealing, ['two', two]]) }
  expect(following.sealingKeyId).toBe('two')
  expect(following.seal('x', 'c').split('.')[1]).toBe('two')
  expect(following.open(before, 'c').toString()).toBe('before')
  expect(following.mac('merchant-email', 'x')).toEqual(hash)
  keys = { ...keys, sealing: new Map([['two', two]]) }
  expect(() => following.open(before, 'c')).toThrow(/names key one; known keys: two$/)
})

test('uses a given key for one purpose instead of the derived key', () => {
  const hashing = randomBytes(32)
  const keys: VaultKeys = { sealingKeyId: '', sealing: new Map(), hashing, hashingFor: new Map() }
  const own = createSecretKey(randomBytes(32))
  const plain = createVault(() => keys)
  const replaced = createVault(() => ({ ...keys, hashingFor: new Map([['cursor', own]]) }))
  expect(replaced.mac('cursor', 'x')).not.toEqual(plain.mac('cursor', 'x'))
  expect(replaced.mac('client-secret', 'x')).toEqual(plain.mac('client-secret', 'x'))
})
