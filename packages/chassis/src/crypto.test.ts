import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { createVault, type VaultKeys } from './crypto.ts'
import { testVault } from './testing/vault.ts'

const vault = testVault(randomBytes(32))

test('what is sealed opens in its context alone', () => {
  const sealed = vault.seal('a secret', 'webhook:whk_1')
  expect(sealed).not.toContain('secret')
  expect(vault.open(sealed, 'webhook:whk_1').toString()).toBe('a secret')
  expect(() => vault.open(sealed, 'webhook:whk_2')).toThrow()
})

test('a value sealed under another key is refused by the name of its key', () => {
  const sealed = testVault(randomBytes(32)).seal('a secret', 'c')
  expect(() => vault.open(sealed, 'c')).toThrow(/names key [0-9a-f]{8}, known are [0-9a-f]{8}$/)
})

test('a mac depends on its purpose', () => {
  expect(vault.mac('client-secret', 'x').equals(vault.mac('cursor', 'x'))).toBe(false)
})

test('a vault follows its keys: what is new seals, and what was before still opens', () => {
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
  expect(() => following.open(before, 'c')).toThrow(/names key one, known are two$/)
})

test('the key of one purpose may stand instead of the derived one', () => {
  const hashing = randomBytes(32)
  const keys: VaultKeys = { sealingKeyId: '', sealing: new Map(), hashing, hashingFor: new Map() }
  const own = createSecretKey(randomBytes(32))
  const plain = createVault(() => keys)
  const replaced = createVault(() => ({ ...keys, hashingFor: new Map([['cursor', own]]) }))
  expect(replaced.mac('cursor', 'x')).not.toEqual(plain.mac('cursor', 'x'))
  expect(replaced.mac('client-secret', 'x')).toEqual(plain.mac('client-secret', 'x'))
})
