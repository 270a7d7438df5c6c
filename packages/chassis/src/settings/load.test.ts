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

test('parses values, applies defaults and allows optional settings to be absent', () => {
  expect(loadSettings(table, { TTL: '15m', KEY: key })).toEqual({
    PORT: 8080,
    TTL: 900_000,
    KEY: Buffer.alloc(32, 7),
    RATES_URL: undefined,
  })
})

test('names every error in one line, without the value of a secret', () => {
  const load = () => loadSettings(table, { PORT: '70000', KEY: 'c2VjcmV0' })
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(
    'Bad settings: PORT must be an integer from 0 to 65535; TTL is not set; KEY must be 32 bytes in base64',
  )
})

test('reads a value from the file that NAME_FILE names', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'key')
  writeFileSync(file, `${key}\n`)
  expect(loadSettings(table, { TTL: '1s', KEY_FILE: file }).KEY).toEqual(Buffer.alloc(32, 7))
})

test('refuses a setting that is given both directly and as a file', () => {
  expect(() => loadSettings(table, { TTL: '1s', KEY: key, KEY_FILE: '/run/secrets/key' })).toThrow(
    'Bad settings: KEY and KEY_FILE are both set: unset one of them',
  )
})

test.each([
  ['CRYPTO_REFUND', 'CRYPTO_REFUND is not a setting: did you mean CRYPTO_REFUNDS?'],
  ['PUBLIC_BASEURL', 'PUBLIC_BASEURL is not a setting: did you mean PUBLIC_BASE_URL?'],
  ['BANXA_APIKEY_FILE', 'BANXA_APIKEY_FILE is not a setting: did you mean BANXA_API_KEY?'],
  ['RISK_COUNTRIES', 'RISK_COUNTRIES is not a setting: see docs/reference/settings.md'],
])('refuses %s, which no process reads, and suggests the setting that may be meant', (name, fault) => {
  expect(() => loadSettings(table, { TTL: '1s', KEY: key, [name]: 'x' })).toThrow(`Bad settings: ${fault}`)
})

test('accepts settings of other processes, and variables of other software', () => {
  const others = {
    BANXA_API_KEY_FILE: '/x',
    OTEL_BSP_SCHEDULE_DELAY: '1',
    HTTP_PROXY: 'x',
    DATABASE_URL: 'x',
  }
  const env = { TTL: '1s', KEY: key, ...others, KUBERNETES_PORT: 'x', RISK_COUNTRIES: '' }
  expect(loadSettings(table, env).TTL).toBe(1_000)
})

const origins = { PUBLIC_BASE_URL: setting.httpOrigin({ doc: 'address' }) } as const

test.each([
  ['https://pay.example', 'https://pay.example'],
  ['https://pay.example:8443/', 'https://pay.example:8443'],
])('reads the origin %s', (text, origin) => {
  expect(loadSettings(origins, { PUBLIC_BASE_URL: text }).PUBLIC_BASE_URL).toBe(origin)
})

test.each([
  'https://pay.example/api',
  'https://pay.example?a=1',
  'https://u:p@pay.example',
  'ftp://pay.example',
])('refuses %s where an origin belongs', (text) => {
  expect(() => loadSettings(origins, { PUBLIC_BASE_URL: text })).toThrow(/PUBLIC_BASE_URL must be a/)
})

test.each([
  ['300ms', 300],
  ['6s', 6_000],
  ['15m', 900_000],
  ['10h', 36_000_000],
])('parses %s as %d ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

test.each(['', '5', 's', '-1s', '1d', '1 s'])('rejects %p as a duration', (text) => {
  expect(() => parseDurationMs(text)).toThrow('must be a duration')
})
