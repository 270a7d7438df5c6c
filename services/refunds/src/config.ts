import {
  ConfigError,
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
} from '@causeway/chassis'
import type { CardProcessorsOptions } from '@causeway/rails'
import type { ReconciliationSchedule } from './reconciliation/run-plan.ts'

/** Every setting of the refunds service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  REFUNDS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the refunds service' }),
  CARD_URL: setting.httpUrl({
    optional: true,
    doc: "Where the sandbox's card processors are; development only",
  }),
  STRIPE_SECRET_KEY: setting.string({
    optional: true,
    secret: true,
    doc: 'Secret key of the Stripe account, if there is one',
  }),
  PROCESSOR_CONNECTIONS: setting.integer({
    default: '64',
    min: 1,
    max: 1_024,
    doc: 'Connections that a replica opens to a card processor at most; further calls wait for one',
  }),
  REFUND_DAILY_LIMIT_CENTS: setting.integer({
    optional: true,
    min: 0,
    doc: "What one client may refund in one currency in a UTC day, in the currency's minor unit, unless staff set another limit for it; unset: any amount",
  }),
  REFUND_RECONCILIATION_INTERVAL: setting.durationMs({
    default: '1m',
    doc: "How often refunds are compared with their processors' lists",
  }),
  REFUND_RECONCILIATION_OVERLAP: setting.durationMs({
    default: '1h',
    doc: 'How far each comparison reads back behind the one before',
  }),
  REFUND_RECONCILIATION_DEPTH: setting.durationMs({
    default: '840h',
    doc: "How far the daily comparison reads back: as long as a refund's state can change at its processor",
  }),
} as const

export type RefundsConfig = SealingConfig &
  Readonly<{
    /** A sandbox or a Stripe account is there. */
    cards: Pick<CardProcessorsOptions, 'connections' | 'sandbox' | 'stripe'>
    reconciliation: ReconciliationSchedule
    /** What a client without a limit of its own may refund in a day and currency; null: any amount. */
    dailyLimitCents: number | null
  }>

/** This service opens no checkout and takes no notice: it holds none of the secrets that those need. */
const NO_SECRET = ''

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): RefundsConfig => {
  const settings = loadSettings(SETTINGS, env)
  const { CARD_URL, STRIPE_SECRET_KEY } = settings
  if (CARD_URL === undefined && STRIPE_SECRET_KEY === undefined)
    throw new ConfigError(
      'Bad settings: no card processor: set STRIPE_SECRET_KEY, or CARD_URL in development',
    )
  return {
    ...toServiceConfig(settings, settings.REFUNDS_DATABASE_URL),
    keys: toKeyConfig(settings, 'refunds'),
    dailyLimitCents: settings.REFUND_DAILY_LIMIT_CENTS ?? null,
    reconciliation: {
      everyMs: settings.REFUND_RECONCILIATION_INTERVAL,
      overlapMs: settings.REFUND_RECONCILIATION_OVERLAP,
      depthMs: settings.REFUND_RECONCILIATION_DEPTH,
    },
    cards: {
      connections: settings.PROCESSOR_CONNECTIONS,
      sandbox: CARD_URL === undefined ? null : { baseUrl: CARD_URL, secret: NO_SECRET },
      stripe:
        STRIPE_SECRET_KEY === undefined
          ? null
          : {
              secretKey: STRIPE_SECRET_KEY,
              webhookSecret: NO_SECRET,
              fallbackReturnUrl: '',
              apiUrl: null,
            },
    },
  }
}
