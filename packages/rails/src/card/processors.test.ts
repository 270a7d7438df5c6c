import { describe, expect, test } from '@jest/globals'
import { ConfigError } from '@causeway/chassis/settings'
import { CARD_CHECKOUT_SETTINGS, CARD_SECRETS, CARD_SETTINGS, toCardConfig } from './processors.ts'

const set = (values: Readonly<Record<string, string>>) => ({ PROCESSOR_CONNECTIONS: 4, ...values })

describe('accounts with card processors', () => {
  test('require complete settings; only a service with checkouts has their notice secrets', () => {
    const values = set({ STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
    expect(toCardConfig(values, { takesCheckouts: true })).toEqual({
      connections: 4,
      accounts: { stripe: { secretKey: 'sk_1', webhookSecret: 'whsec_1' } },
    })
    const ofRefunds = set({ STRIPE_SECRET_KEY: 'sk_1', CARD_URL: 'http://127.0.0.1:1' })
    expect(toCardConfig(ofRefunds, { takesCheckouts: false }).accounts).toEqual({
      sandbox: { baseUrl: 'http://127.0.0.1:1', secret: null },
      stripe: { secretKey: 'sk_1', webhookSecret: null },
    })
  })

  test.each([
    [{}, 'no card processor: set STRIPE_SECRET_KEY, or CARD_URL in development'],
    [
      { CARD_URL: 'http://127.0.0.1:1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      'CARD_URL and SANDBOX_CARD_SECRET: set both or neither; STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: set both or neither',
    ],
  ])('are refused for %j', (values, fault) => {
    expect(() => toCardConfig(set(values), { takesCheckouts: true })).toThrow(
      new ConfigError(`Bad settings: ${fault}`),
    )
  })

  test('group their secrets by the services that need them', () => {
    expect(CARD_SECRETS).toEqual({
      all: ['STRIPE_SECRET_KEY'],
      checkout: ['SANDBOX_CARD_SECRET', 'STRIPE_WEBHOOK_SECRET'],
    })
    for (const name of CARD_SECRETS.checkout) {
      expect(CARD_SETTINGS).not.toHaveProperty(name)
      expect(CARD_CHECKOUT_SETTINGS).toHaveProperty(name)
    }
  })
})
