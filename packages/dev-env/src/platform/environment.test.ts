import { expect, test } from '@jest/globals'
import { SENDER_PAIRS } from '@causeway/contracts'
import { verifyingKeyOf } from '../../../chassis/src/statement-signature.ts'
import { COMPONENTS as REQUIRED, type ComponentName } from './components.ts'
import { environmentOf, type EnvironmentSources } from './environment.ts'

const COMPONENTS: readonly ComponentName[] = [...REQUIRED, 'signer']
const ACCOUNTS: Readonly<Record<string, readonly ComponentName[]>> = {
  STRIPE_SECRET_KEY: ['payments', 'refunds'],
  STRIPE_WEBHOOK_SECRET: ['payments'],
  ETH_RPC_URLS: ['payments', 'signer'],
  BTC_NODE_URLS: ['payments', 'signer'],
  SIGNER_SEED: ['signer'],
  BANXA_API_KEY: ['onramp'],
  BANXA_WEBHOOK_SECRET: ['onramp'],
  CONSOLE_OIDC_CLIENT_SECRET: ['access'],
  MAIL_URL: ['access'],
}
const names = Object.keys(ACCOUNTS).flatMap((name) => [name, `${name}_FILE`])
const forAll = Object.fromEntries(COMPONENTS.map((name) => [name, `of-${name}`])) as Record<
  ComponentName,
  string
>
const ROOT = Buffer.alloc(32, 1).toString('base64')
const sources: EnvironmentSources = {
  env: { ...Object.fromEntries(names.map((name) => [name, 'secret'])), BANXA_PARTNER: 'causeway' },
  dataDir: '/data',
  ports: { gateway: 1, sandbox: 2, chain: 3, card: 4, onramp: 5, mail: 6 },
  infrastructure: { databaseUrls: forAll, natsUrls: forAll, hasStreamUsers: true },
  operatorApiKey: 'op_1',
  busKeys: Object.fromEntries(SENDER_PAIRS.map(({ sender, receiver }) => [`${sender}>${receiver}`, 'key'])),
  approvalKey: Buffer.alloc(32, 3).toString('base64'),
  keys: { current: ROOT },
}

test('passes secrets of external accounts to the processes that use them, and to no other', () => {
  for (const component of COMPONENTS) {
    const env = environmentOf(component, sources)
    const expected = Object.entries(ACCOUNTS)
      .filter(([, users]) => users.includes(component))
      .flatMap(([name]) => [name, `${name}_FILE`])
    expect(names.filter((name) => name in env)).toEqual(expected)
    expect(env['BANXA_PARTNER']).toBe('causeway')
  }
})

const keysIn = (keys: EnvironmentSources['keys']) =>
  COMPONENTS.map((name) => {
    const env = environmentOf(name, { ...sources, keys })
    return [env['ENCRYPTION_KEY'], env['PREVIOUS_ENCRYPTION_KEY']]
  })

test('gives each service with secrets a separate key, and no process the root key', () => {
  const own = keysIn({ current: ROOT }).map(([key]) => key)
  expect(COMPONENTS.filter((_, index) => own[index] === undefined)).toEqual([
    'onramp',
    'sandbox',
    'gateway',
    'signer',
  ])
  const keys = own.filter((key) => key !== undefined)
  expect(new Set([...keys, ROOT]).size).toBe(keys.length + 1)
  for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(32)
})

test('gives each service its own keys of both root keys during a rotation, and one key for older data afterwards', () => {
  const before = Buffer.alloc(32, 2).toString('base64')
  const [former, current] = [keysIn({ current: before }), keysIn({ current: ROOT })]
  const both = keysIn({ current: ROOT, previous: before })
  expect(both).toEqual(current.map(([key], index) => [key, former[index]?.[0]]))
  const adopted = keysIn({ current: ROOT, areAdopted: true })
  expect(adopted).toEqual(current.map(([key]) => [key, key && ROOT]))
})

test('passes settings of the key provider only to processes that encrypt', () => {
  const env = { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN_FILE: '/token', KEY_PROVIDER: 'vault' }
  const withIt = COMPONENTS.filter((name) => 'VAULT_TOKEN_FILE' in environmentOf(name, { ...sources, env }))
  expect(withIt).toEqual(['access', 'onboarding', 'payments', 'refunds', 'webhooks', 'ledger'])
})

test('lets only access sign approvals of refunds, and gives the verifying key to the signer', () => {
  const approvalSettings = (env: NodeJS.ProcessEnv) =>
    COMPONENTS.map((name) => {
      const own = environmentOf(name, { ...sources, env })
      return [name, own['APPROVAL_SIGNING_KEY'], own['APPROVAL_VERIFYING_KEYS']]
    }).filter(([, ...keys]) => keys.some((key) => key !== undefined))
  const verifying = verifyingKeyOf(Buffer.alloc(32, 3)).toString('base64')
  expect(approvalSettings({ SIGNER_SEED_FILE: '/seed', APPROVAL_SIGNING_KEY: 'of another start' })).toEqual([
    ['access', sources.approvalKey, undefined],
    ['signer', undefined, verifying],
  ])
  expect(approvalSettings({})).toEqual([])
})
