import { describe, expect, test } from '@jest/globals'
import { ConfigError } from '@causeway/chassis'
import { testBusKeysText } from '@causeway/chassis/testing'
import { SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { loadConfig } from './config.ts'

const needed = {
  NATS_URL: 'nats://payments:x@127.0.0.1:4222',
  BUS_KEYS: testBusKeysText('payments'),
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  PAYMENTS_DATABASE_URL: 'postgres://payments:x@127.0.0.1:5432/payments',
  PUBLIC_BASE_URL: 'https://pay.example/',
  CHAIN_URL: 'http://127.0.0.1:8090',
  CARD_URL: 'http://127.0.0.1:8090',
  SANDBOX_CARD_SECRET: 'shared',
  SANDBOX_RATES: 'true',
}

const ETH_TOKENS =
  'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7,USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

describe('settings of payments', () => {
  test('default to the specification', () => {
    expect(loadConfig({ ...needed, SANDBOX_RECEIVING_ACCOUNTS: 'true' })).toMatchObject({
      publicBaseUrl: 'https://pay.example',
      invoiceTtlMs: 12 * 3_600_000,
      underpaymentTolerance: 0.005,
      networksLive: ['BTC', 'LTC', 'ETH', 'SOL', 'XRP'],
      accounts: SANDBOX_ACCOUNTS,
      ratesUrl: undefined,
      serviceFeePercent: 2.5,
      cards: { connections: 64 },
      cardPollAfterMs: 120_000,
      disputeThreshold: { shareBillionths: 10_000_000n, minDisputes: 5, windowMs: 30 * 24 * 3_600_000 },
      riskRules: {
        thresholds: { merchantIpThreshold: 3, platformIpThreshold: 5, distinctMerchantsThreshold: 2 },
        windowDays: 30,
      },
    })
  })

  test('name only the card processors that have an account', () => {
    const env = { ...needed, SANDBOX_RECEIVING_ACCOUNTS: 'true' }
    const sandbox = { baseUrl: 'http://127.0.0.1:8090', secret: 'shared' }
    expect(loadConfig(env).cards.accounts).toEqual({ sandbox })
    const both = { ...env, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    const stripe = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x' }
    expect(loadConfig(both).cards.accounts).toEqual({ sandbox, stripe })
  })

  test('never default to public test accounts: each live network needs its own', () => {
    expect(() => loadConfig({ ...needed, NETWORKS_LIVE: 'BTC, XRP', XRP_ACCOUNT: 'r1' })).toThrow(
      new ConfigError('Bad settings: BTC_ACCOUNT is not set but NETWORKS_LIVE names BTC'),
    )
  })

  test('never default to a fixed table of exchange rates, and name everything that is missing together', () => {
    const env = { ...needed, SANDBOX_RATES: 'false', NETWORKS_LIVE: 'BTC' }
    const fault =
      'neither RATES_SOURCES nor RATES_URL is set: name sources of exchange rates, or set SANDBOX_RATES in development'
    expect(() => loadConfig({ ...env, BTC_ACCOUNT: 'zpub1' })).toThrow(
      new ConfigError(`Bad settings: ${fault}`),
    )
    expect(() => loadConfig(env)).toThrow(
      new ConfigError(`Bad settings: BTC_ACCOUNT is not set but NETWORKS_LIVE names BTC; ${fault}`),
    )
    const url = 'https://rates.example'
    expect(loadConfig({ ...env, BTC_ACCOUNT: 'zpub1', RATES_URL: url }).ratesUrl).toBe(url)
  })

  test("prefer a network's own account to a public one, and need none for a network that is not live", () => {
    const env = {
      ...needed,
      NETWORKS_LIVE: 'BTC,SOL',
      BTC_ACCOUNT: 'zpub1',
      SANDBOX_RECEIVING_ACCOUNTS: 'true',
    }
    expect(loadConfig(env).accounts).toEqual({ BTC: 'zpub1', SOL: SANDBOX_ACCOUNTS.SOL })
  })

  test.each([
    [
      { CHAIN_URL: '', NETWORKS_LIVE: 'LTC' },
      'NETWORKS_LIVE names LTC, which has no node: set LTC_NODE_URLS or LTC_ESPLORA_URLS',
    ],
    [{ CHAIN_URL: '', NETWORKS_LIVE: 'XRP' }, 'NETWORKS_LIVE names XRP, which has no node: set XRP_RPC_URLS'],
    [{ ETH_TOKENS: 'DAI:0x1' }, `ETH_TOKENS must be a list such as ${ETH_TOKENS}`],
    [{ BTC_CHAIN: 'testnet' }, 'BTC_CHAIN must be one of main, test, signet, regtest'],
    [{ ETH_RPC_URLS: 'http://127.0.0.1:1,2' }, 'ETH_RPC_URLS must be a URL (http: or https://…)'],
    [{ NETWORKS_LIVE: 'BTC,DOGE' }, 'NETWORKS_LIVE must be a comma list of BTC, LTC, ETH, SOL, XRP'],
    [
      { CRYPTO_UNDERPAYMENT_TOLERANCE: '1' },
      'CRYPTO_UNDERPAYMENT_TOLERANCE must be a number from 0 to 0.999999999',
    ],
    [
      { CARD_URL: '', SANDBOX_CARD_SECRET: '' },
      'no card processor: set STRIPE_SECRET_KEY, or CARD_URL in development',
    ],
    [{ SANDBOX_CARD_SECRET: '' }, 'CARD_URL and SANDBOX_CARD_SECRET: set both or neither'],
    [{ STRIPE_SECRET_KEY: 'sk_test_x' }, 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: set both or neither'],
    [{ PROCESSOR_CONNECTIONS: '0' }, 'PROCESSOR_CONNECTIONS must be an integer from 1 to 1024'],
    [{ PROCESSOR_CONNECTIONS: '1025' }, 'PROCESSOR_CONNECTIONS must be an integer from 1 to 1024'],
    [{ PROCESSOR_CONNECTIONS: '6.4' }, 'PROCESSOR_CONNECTIONS must be an integer from 1 to 1024'],
    [{ CHARGEBACK_THRESHOLD_SHARE: '1.5' }, 'CHARGEBACK_THRESHOLD_SHARE must be a number from 0 to 1'],
    [{ RISK_WINDOW_DAYS: '0' }, 'RISK_WINDOW_DAYS must be an integer from 1 to 365'],
    [{ CRYPTO_INVOICE_TTL: '12' }, 'CRYPTO_INVOICE_TTL must be a duration like 300ms, 6s, 15m or 10h'],
  ])('stop the start with %j', (change, fault) => {
    expect(() => loadConfig({ ...needed, ...change, SANDBOX_RECEIVING_ACCOUNTS: 'true' })).toThrow(
      new ConfigError(`Bad settings: ${fault}`),
    )
  })
})
