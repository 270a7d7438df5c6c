import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testBusKeysText } from '@causeway/chassis/testing'
import { afterAll, expect, test } from '@jest/globals'
import { loadConfig } from '../src/config.ts'
import { TEST_SEED } from './running-signer.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (words: string): string => {
  const path = join(folder, 'seed')
  writeFileSync(path, words)
  return path
}
const env = {
  SIGNER_DATABASE_URL: 'postgres://signer@127.0.0.1/signer',
  NATS_URL: 'nats://127.0.0.1:4222',
  BUS_KEYS: testBusKeysText('signer'),
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
