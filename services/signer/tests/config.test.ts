import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testBusKeysText } from '@causeway/chassis/testing'
import { afterAll, expect, test } from '@jest/globals'
import { loadConfig } from '../src/config.ts'
import { TEST_SEED } from './running-signer.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (words: string, mode = 0o600): string => {
  const path = join(folder, `seed-${mode.toString(8)}`)
  writeFileSync(path, words)
  chmodSync(path, mode)
  return path
}
const env = {
  SIGNER_DATABASE_URL: 'postgres://signer@127.0.0.1/signer',
  NATS_URL: 'nats://127.0.0.1:4222',
  BUS_KEYS: testBusKeysText('signer'),
  APPROVAL_VERIFYING_KEYS: Buffer.alloc(32, 1).toString('base64'),
}

test.each([
  ['is not set', undefined],
  ['names a file that cannot be read (ENOENT)', join(folder, 'missing')],
  ['names an empty file: write the BIP-39 words of the wallet to it', fileOf(' \n')],
])('names the setting when it starts without words: SIGNER_SEED_FILE %s', (fault, path) => {
  expect(() => loadConfig({ ...env, SIGNER_SEED_FILE: path })).toThrow(
    `Bad settings: SIGNER_SEED_FILE ${fault}`,
  )
})

test('stops at words that are not a mnemonic, without repeating them', () => {
  const words = TEST_SEED.replace('about', 'abandon')
  const load = () => loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(words) })
  expect(load).toThrow(
    'SIGNER_SEED_FILE names a file without valid BIP-39 words in English (the checksum must match)',
  )
  expect(load).not.toThrow('abandon')
})

test('joins words from several lines', () => {
  expect(
    loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(`${TEST_SEED.replaceAll(' ', '\n')}\n`) }).seed,
  ).toContain('abandon')
})

test.each([[0o644], [0o640], [0o604], [0o660], [0o444], [0o620]])(
  'refuses to start with words that others can read or change: mode %o',
  (mode) => {
    expect(() => loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(TEST_SEED, mode) })).toThrow(
      `Bad settings: SIGNER_SEED_FILE names a file that other users can read or change (mode 0${mode.toString(8)}): set its mode to 0400 and its owner to the signer's user`,
    )
  },
)

test.each([[0o600], [0o400]])('starts with words that only the signer can read: mode %o', (mode) => {
  expect(loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(TEST_SEED, mode) }).seed).toBe(TEST_SEED)
})

test.each(['', 'short', [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')).join()])(
  'rejects %j as the keys that approvals are verified with',
  (keys) => {
    const load = () =>
      loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(TEST_SEED), APPROVAL_VERIFYING_KEYS: keys })
    expect(load).toThrow('APPROVAL_VERIFYING_KEYS')
  },
)

test('keeps the defaults of limits that are not named', () => {
  const { limits } = loadConfig({
    ...env,
    SIGNER_SEED_FILE: fileOf(TEST_SEED),
    SIGNER_TRANSFER_LIMIT: 'USDC:250',
  })
  expect(limits.perTransfer).toMatchObject({ USDC: '250', USDT: '10000', BTC: '0.1' })
})
