import { ConfigError } from '@causeway/chassis'
import { testBusKeysText } from '@causeway/chassis/testing'
import { describe, expect, test } from '@jest/globals'
import { loadConfig } from './config.ts'

const needed = {
  NATS_URL: 'nats://refunds:x@127.0.0.1:4222',
  BUS_KEYS: testBusKeysText('refunds'),
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  REFUNDS_DATABASE_URL: 'postgres://refunds:x@127.0.0.1:5432/refunds',
  CARD_URL: 'http://127.0.0.1:8090',
}

describe('settings of refunds', () => {
  test('have their defaults', () => {
    expect(loadConfig(needed)).toMatchObject({
      cards: { connections: 64 },
      dailyLimitCents: null,
      reconciliation: { everyMs: 60_000, overlapMs: 3_600_000, depthMs: 35 * 86_400_000 },
    })
    expect(loadConfig(needed).cards.accounts).toEqual({
      sandbox: { baseUrl: 'http://127.0.0.1:8090', secret: null },
    })
    expect(loadConfig({ ...needed, PROCESSOR_CONNECTIONS: '1024' }).cards.connections).toBe(1_024)
    expect(loadConfig({ ...needed, REFUND_DAILY_LIMIT_CENTS: '0' }).dailyLimitCents).toBe(0)
  })

  test.each(['0', '1025', '6.4', 'many'])('stop the start with %s connections to a processor', (text) => {
    expect(() => loadConfig({ ...needed, PROCESSOR_CONNECTIONS: text })).toThrow(
      new ConfigError('Bad settings: PROCESSOR_CONNECTIONS must be an integer from 1 to 1024'),
    )
  })
})
