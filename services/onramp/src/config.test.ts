import { describe, expect, test } from '@jest/globals'
import { ConfigError } from '@causeway/chassis'
import { testBusKeysText } from '@causeway/chassis/testing'
import { loadConfig } from './config.ts'

const needed = {
  NATS_URL: 'nats://onramp:x@127.0.0.1:4222',
  BUS_KEYS: testBusKeysText('onramp'),
  ONRAMP_DATABASE_URL: 'postgres://onramp:x@127.0.0.1:5432/onramp',
  PUBLIC_BASE_URL: 'https://pay.example/',
}
const banxa = {
  ONRAMP_PROVIDER: 'banxa',
  BANXA_PARTNER: 'causeway',
  BANXA_API_KEY: 'api-key',
  BANXA_WEBHOOK_SECRET: 'hmac-secret',
}

describe('settings of the onramp service', () => {
  test('default to the specification, and sell nothing without a provider', () => {
    expect(loadConfig(needed)).toMatchObject({
      publicBaseUrl: 'https://pay.example',
      extendAfterMs: 10 * 3_600_000,
      hardCapMs: 72 * 3_600_000,
      pollAfterMs: 5 * 60_000,
      account: null,
    })
  })

  test("configure the sandbox's provider", () => {
    const env = { ...needed, ONRAMP_URL: 'http://127.0.0.1:8093', SANDBOX_ONRAMP_SECRET: 'shared' }
    const account = { provider: 'sandbox', baseUrl: 'http://127.0.0.1:8093', secret: 'shared' }
    expect(loadConfig(env).account).toEqual(account)
  })

  test('configure an account at Banxa, with its API key or a separate key for its notices', () => {
    const account = {
      provider: 'banxa',
      apiUrl: 'https://api.banxa.com',
      partner: 'causeway',
      apiKey: 'api-key',
      webhookKey: 'api-key',
      webhookSecret: 'hmac-secret',
    }
    expect(loadConfig({ ...needed, ...banxa }).account).toEqual(account)
    const own = { BANXA_WEBHOOK_KEY: 'hmac-key', BANXA_URL: 'https://api.banxa-sandbox.com/' }
    expect(loadConfig({ ...needed, ...banxa, ...own }).account).toEqual({
      ...account,
      apiUrl: 'https://api.banxa-sandbox.com',
      webhookKey: 'hmac-key',
    })
  })

  test('use only the provider that is chosen by name, Banxa or the sandbox', () => {
    const both = { ...needed, ...banxa, ONRAMP_URL: 'http://127.0.0.1:8093', SANDBOX_ONRAMP_SECRET: 's' }
    expect(loadConfig(both).account?.provider).toBe('banxa')
    expect(loadConfig({ ...both, ONRAMP_PROVIDER: 'sandbox' }).account?.provider).toBe('sandbox')
  })

  test.each([
    [{ ...banxa, BANXA_PARTNER: '' }, 'BANXA_PARTNER is not set, but ONRAMP_PROVIDER is banxa'],
    [
      { ONRAMP_PROVIDER: 'banxa', BANXA_PARTNER: 'causeway' },
      'BANXA_API_KEY is not set, but ONRAMP_PROVIDER is banxa; ' +
        'BANXA_WEBHOOK_SECRET is not set, but ONRAMP_PROVIDER is banxa',
    ],
    [{ ...banxa, BANXA_URL: 'api.banxa.com' }, 'BANXA_URL must be a URL (http: or https://…)'],
    [{ ONRAMP_PROVIDER: 'moonpay' }, 'ONRAMP_PROVIDER must be one of sandbox, banxa'],
    [{ ONRAMP_URL: 'http://127.0.0.1:8093' }, 'set both ONRAMP_URL and SANDBOX_ONRAMP_SECRET, or neither'],
    [{ ONRAMP_EXTEND_AFTER: '72h' }, 'ONRAMP_EXTEND_AFTER must be shorter than ONRAMP_HARD_CAP'],
  ])('stop the start with one line for %j', (change, fault) => {
    expect(() => loadConfig({ ...needed, ...change })).toThrow(new ConfigError(`Bad settings: ${fault}`))
  })
})
