import {
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
} from '@causeway/chassis'
import { CARD_SETTINGS, toCardConfig, type CardConfig } from '@causeway/rails'
import type { ReconciliationSchedule } from './reconciliation/run-plan.ts'

/** Every setting of the refunds service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  REFUNDS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the refunds service' }),
  ...CARD_SETTINGS,
  REFUND_DAILY_LIMIT_CENTS: setting.integer({
    optional: true,
    min: 0,
    doc: "Amount that one client may refund in one currency in a UTC day, in the currency's minor unit, unless staff set another limit for it. Unset: any amount",
  }),
  REFUND_RECONCILIATION_INTERVAL: setting.durationMs({
    default: '1m',
    doc: "Interval at which refunds are reconciled with their processors' lists",
  }),
  REFUND_RECONCILIATION_OVERLAP: setting.durationMs({
    default: '1h',
    doc: 'How far each reconciliation reads back behind the one before',
  }),
  REFUND_RECONCILIATION_DEPTH: setting.durationMs({
    default: '840h',
    doc: "How far the daily reconciliation reads back: as long as a refund's state can change at its processor",
  }),
} as const

export type RefundsConfig = SealingConfig &
  Readonly<{
    /** At least one account is there. */
    cards: CardConfig
    reconciliation: ReconciliationSchedule
    /** What a client without a limit of its own may refund in a day and currency; null: any amount. */
    dailyLimitCents: number | null
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): RefundsConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, settings.REFUNDS_DATABASE_URL),
    keys: toKeyConfig(settings, 'refunds'),
    dailyLimitCents: settings.REFUND_DAILY_LIMIT_CENTS ?? null,
    reconciliation: {
      everyMs: settings.REFUND_RECONCILIATION_INTERVAL,
      overlapMs: settings.REFUND_RECONCILIATION_OVERLAP,
      depthMs: settings.REFUND_RECONCILIATION_DEPTH,
    },
    cards: toCardConfig(settings, { takesCheckouts: false }),
  }
}
