import {
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
} from '@causeway/chassis'
import { EVENT_RETENTION_MS } from '@causeway/contracts'
import type { Channel } from './destinations/domain.ts'
import type { ChannelPolicy } from './sending/retry-schedule.ts'

const DAY_MS = 24 * 3_600_000

/** Every setting of the webhooks service (decisions §17). */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  WEBHOOKS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the webhooks service' }),
  PARTNER_RETRY_SCHEDULE: setting.durationsMs({
    default: '1m,5m,25m,2h,10h,24h',
    doc: 'Delays before the retries of a partner delivery; one retry per entry',
  }),
  PARTNER_TIMEOUT: setting.durationMs({
    default: '10s',
    doc: 'Timeout of one partner attempt, from connect to the end of the response',
  }),
  MERCHANT_RETRY_INTERVAL: setting.durationMs({
    default: '15m',
    doc: 'Delay before each retry of a merchant delivery',
  }),
  MERCHANT_MAX_ATTEMPTS: setting.integer({
    default: '3',
    min: 1,
    max: 100,
    doc: 'Maximum attempts of a merchant delivery, including the first',
  }),
  MERCHANT_TIMEOUT: setting.durationMs({
    default: '6s',
    doc: 'Timeout of one merchant attempt, from connect to the end of the response',
  }),
  WEBHOOK_EVENT_RETENTION: setting.durationMs({
    default: '720h',
    minMs: EVENT_RETENTION_MS + DAY_MS,
    doc: 'Retention of events and their deliveries, during which they can be sent again. At least 192h, because the stream can redeliver an event for 7 days',
  }),
  WEBHOOK_ATTEMPT_RETENTION: setting.durationMs({
    default: '720h',
    minMs: DAY_MS,
    doc: 'Retention of attempts, up to one day longer: whole UTC days are dropped',
  }),
  WEBHOOK_ALLOW_INSECURE: setting.flag({
    default: 'false',
    doc: 'Allow http and loopback destinations. Sandbox only',
  }),
} as const

export type WebhooksConfig = SealingConfig &
  Readonly<{
    policies: Readonly<Record<Channel, ChannelPolicy>>
    allowInsecure: boolean
    eventRetentionMs: number
    attemptRetentionMs: number
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): WebhooksConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'WEBHOOKS_DATABASE_URL', env),
    keys: toKeyConfig(settings, 'webhooks', env),
    policies: {
      partner: { retryDelaysMs: settings.PARTNER_RETRY_SCHEDULE, timeoutMs: settings.PARTNER_TIMEOUT },
      merchant: {
        retryDelaysMs: Array.from(
          { length: settings.MERCHANT_MAX_ATTEMPTS - 1 },
          () => settings.MERCHANT_RETRY_INTERVAL,
        ),
        timeoutMs: settings.MERCHANT_TIMEOUT,
      },
    },
    allowInsecure: settings.WEBHOOK_ALLOW_INSECURE,
    eventRetentionMs: settings.WEBHOOK_EVENT_RETENTION,
    attemptRetentionMs: settings.WEBHOOK_ATTEMPT_RETENTION,
  }
}
