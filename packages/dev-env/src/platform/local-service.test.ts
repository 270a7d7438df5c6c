import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { settingsOfService } from './local-service.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { serviceKeyOf } from './service-keys.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'causeway-local-service-'))
const empty = join(dataDir, 'empty')
let secrets: Secrets
beforeAll(() => {
  mkdirSync(empty)
  mkdirSync(join(dataDir, 'postgres'))
  secrets = loadSecrets(join(dataDir, 'secrets.json'))
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), '7\n/data\n1790000000\n54321\n')
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('gives a command only the database and the keys of its service, from the platform’s data folder', () => {
  expect(settingsOfService('payments', { DATA_DIR: dataDir })).toEqual({
    DATA_DIR: dataDir,
    PAYMENTS_DATABASE_URL: `postgres://payments:${secrets.postgresPasswords.payments}@127.0.0.1:54321/payments`,
    ENCRYPTION_KEY: serviceKeyOf(secrets.encryptionKey, 'payments'),
  })
})

test('gives both keys of the service while the root key is being replaced', () => {
  const [current, previous] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
    string,
    string,
  ]
  const env = { DATA_DIR: dataDir, ENCRYPTION_KEY: current, PREVIOUS_ENCRYPTION_KEY: previous }
  expect(settingsOfService('refunds', env)).toMatchObject({
    ENCRYPTION_KEY: serviceKeyOf(current, 'refunds'),
    PREVIOUS_ENCRYPTION_KEY: serviceKeyOf(previous, 'refunds'),
  })
})

test('uses a database named by the environment with the keys of the environment', () => {
  const env = {
    DATA_DIR: dataDir,
    PAYMENTS_DATABASE_URL: 'postgres://a:b@db/payments',
    ENCRYPTION_KEY: 'own',
  }
  expect(settingsOfService('payments', env)).toEqual(env)
})

const run = (script: string, args: readonly string[], env: Record<string, string>) => {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
  return [status, stderr]
}

test('names missing settings of pnpm reencrypt in one line, and requires only the database and the keys', () => {
  const services = 'onboarding|payments|refunds|webhooks|ledger|gateway'
  expect(run('scripts/reencrypt.ts', ['onramp'], {})).toEqual([
    1,
    `Usage: npx -y pnpm@12 reencrypt ${services}\n`,
  ])
  expect(run('scripts/reencrypt.ts', ['payments'], { DATA_DIR: empty })).toEqual([
    1,
    'No platform runs here: start it, set DATA_DIR as at its start, or set PAYMENTS_DATABASE_URL and the keys of payments\n',
  ])
  const PAYMENTS_DATABASE_URL = 'postgres://payments:x@127.0.0.1:1/payments'
  expect(run('services/payments/src/reencrypt.ts', [], { PAYMENTS_DATABASE_URL })).toEqual([
    1,
    'payments: Bad settings: ENCRYPTION_KEY is not set\n',
  ])
  const { ENCRYPTION_KEY } = { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
  expect(run('services/refunds/src/reencrypt.ts', [], { ENCRYPTION_KEY })).toEqual([
    1,
    'refunds: Bad settings: REFUNDS_DATABASE_URL is not set\n',
  ])
})
