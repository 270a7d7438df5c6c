import {
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
} from '@causeway/chassis'
import type { Channel } from './domain/destination.ts'
import type { ChannelPolicy } from './domain/schedule.ts'

/** Every setting of the webhooks service (decisions §17). */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  WEBHOOKS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the webhooks service' }),
  PARTNER_RETRY_SCHEDULE: setting.durationsMs({
    default: '1m,5m,25m,2h,10h,24h',
    doc: 'Waits before the retries of a partner delivery; as many retries as entries',
  }),
  PARTNER_TIMEOUT: setting.durationMs({ default: '10s', doc: 'Whole exchange of one partner attempt' }),
  MERCHANT_RETRY_INTERVAL: setting.durationMs({
    default: '15m',
    doc: 'Wait before each retry of a merchant delivery',
  }),
  MERCHANT_MAX_ATTEMPTS: setting.integer({
    default: '3',
    min: 1,
    max: 100,
    doc: 'Attempts of a merchant delivery, the first included',
  }),
  MERCHANT_TIMEOUT: setting.durationMs({ default: '6s', doc: 'Whole exchange of one merchant attempt' }),
  WEBHOOK_ALLOW_INSECURE: setting.flag({
    default: 'false',
    doc: 'Lets http and loopback destinations through; for the sandbox alone',
  }),
} as const

export type WebhooksConfig = ServiceConfig &
  Readonly<{ policies: Readonly<Record<Channel, ChannelPolicy>>; allowInsecure: boolean }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): WebhooksConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, settings.WEBHOOKS_DATABASE_URL),
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
  }
}
