import { expect, test } from '@jest/globals'
import { COMPONENTS, type ComponentName } from './components.ts'
import { environmentOf, type Surroundings } from './environment.ts'

const ACCOUNTS: Readonly<Record<string, readonly ComponentName[]>> = {
  STRIPE_SECRET_KEY: ['payments', 'refunds'],
  STRIPE_WEBHOOK_SECRET: ['payments'],
  BANXA_API_KEY: ['onramp'],
  BANXA_WEBHOOK_SECRET: ['onramp'],
}
const names = Object.keys(ACCOUNTS).flatMap((name) => [name, `${name}_FILE`])
const forAll = Object.fromEntries(COMPONENTS.map((name) => [name, `of-${name}`])) as Record<
  ComponentName,
  string
>
const surroundings: Surroundings = {
  env: { ...Object.fromEntries(names.map((name) => [name, 'secret'])), BANXA_PARTNER: 'causeway' },
  dataDir: '/data',
  ports: { gateway: 1, sandbox: 2, chain: 3, card: 4, onramp: 5 },
  infrastructure: { databaseUrls: forAll, natsUrls: forAll },
  operatorApiKey: 'op_1',
  encryptionKey: 'key',
}

test('secrets of accounts outside reach those who use them, and nobody else', () => {
  for (const component of COMPONENTS) {
    const env = environmentOf(component, surroundings)
    const expected = Object.entries(ACCOUNTS)
      .filter(([, users]) => users.includes(component))
      .flatMap(([name]) => [name, `${name}_FILE`])
    expect(names.filter((name) => name in env)).toEqual(expected)
    expect(env['BANXA_PARTNER']).toBe('causeway')
  }
})
