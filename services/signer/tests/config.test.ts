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
  ['names an empty file: write the BIP-39 words of the wallet into it', fileOf(' \n')],
])('a start without its words names the setting: SIGNER_SEED_FILE %s', (fault, path) => {
  expect(() => loadConfig({ ...env, SIGNER_SEED_FILE: path })).toThrow(
    `Bad settings: SIGNER_SEED_FILE ${fault}`,
  )
})

test('words that are no mnemonic end the start, and are not repeated', () => {
  const words = TEST_SEED.replace('about', 'abandon')
  const load = () => loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(words) })
  expect(load).toThrow(
    'SIGNER_SEED_FILE names a file that holds no BIP-39 words in English with a matching checksum',
  )
  expect(load).not.toThrow('abandon')
})

test('words over several lines are the words', () => {
  expect(
    loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(`${TEST_SEED.replaceAll(' ', '\n')}\n`) }).seed,
  ).toContain('abandon')
})

test.each([[0o644], [0o640], [0o604], [0o660], [0o444], [0o620]])(
  'refuses to start with words that others may read or change: mode %o',
  (mode) => {
    expect(() => loadConfig({ ...env, SIGNER_SEED_FILE: fileOf(TEST_SEED, mode) })).toThrow(
      `Bad settings: SIGNER_SEED_FILE names a file that others than the signer may read or change (mode 0${mode.toString(8)}): make its mode 0400 and the signer's user its owner`,
    )
  },
)

test.each([[0o600], [0o400]])('starts with words that the signer alone may read: mode %o', (mode) => {
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

test('limits that are not named keep their defaults', () => {
  const { limits } = loadConfig({
    ...env,
    SIGNER_SEED_FILE: fileOf(TEST_SEED),
    SIGNER_TRANSFER_LIMIT: 'USDC:250',
  })
  expect(limits.perTransfer).toMatchObject({ USDC: '250', USDT: '10000', BTC: '0.1' })
})
