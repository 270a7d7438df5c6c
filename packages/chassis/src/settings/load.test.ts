import { expect, test } from '@jest/globals'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setting } from './declare.ts'
import { ConfigError, loadSettings } from './load.ts'
import { parseDurationMs } from './values.ts'

const table = {
  PORT: setting.port({ default: '8080', doc: 'port' }),
  TTL: setting.durationMs({ doc: 'ttl' }),
  KEY: setting.key({ doc: 'key' }),
  RATES_URL: setting.httpUrl({ optional: true, doc: 'rates' }),
} as const
const key = Buffer.alloc(32, 7).toString('base64')

test('values are parsed, defaults apply, optional ones may be absent', () => {
  expect(loadSettings(table, { TTL: '15m', KEY: key })).toEqual({
    PORT: 8080,
    TTL: 900_000,
    KEY: Buffer.alloc(32, 7),
    RATES_URL: undefined,
  })
})

test('every fault is named in one line, and the value of a secret is not', () => {
  const load = () => loadSettings(table, { PORT: '70000', KEY: 'c2VjcmV0' })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(
    'Bad settings: PORT must be an integer from 0 to 65535; TTL is not set; KEY must be 32 bytes in base64',
  )
})

test('NAME_FILE names a file that holds the value', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'key')
  writeFileSync(file, `${key}\n`)
  expect(loadSettings(table, { TTL: '1s', KEY_FILE: file }).KEY).toEqual(Buffer.alloc(32, 7))
})

test.each([
  ['300ms', 300],
  ['6s', 6_000],
  ['15m', 900_000],
  ['10h', 36_000_000],
])('%s is %d ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

test.each(['', '5', 's', '-1s', '1d', '1 s'])('%p is no duration', (text) => {
  expect(() => parseDurationMs(text)).toThrow('must be a duration')
})
