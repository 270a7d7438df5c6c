import {
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
} from '@causeway/chassis'
import { CARD_SETTINGS, toCardConfig, type CardConfig } from '@causeway/rails/cards'
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
    doc: "Maximum refunds of one client per currency and UTC day, in the currency's minor unit, unless staff set another limit. Unset: no limit",
  }),
  REFUND_RECONCILIATION_INTERVAL: setting.durationMs({
    default: '1m',
    doc: "Interval of the reconciliation of refunds with the processors' lists",
  }),
  REFUND_RECONCILIATION_OVERLAP: setting.durationMs({
    default: '1h',
    doc: 'Overlap of each reconciliation with the previous one',
  }),
  REFUND_RECONCILIATION_DEPTH: setting.durationMs({
    default: '840h',
    doc: "Period that the daily reconciliation reads: as long as a refund's state can change at its processor",
  }),
} as const

export type RefundsConfig = SealingConfig &
  Readonly<{
    /** At least one account is there. */
    cards: CardConfig
    reconciliation: ReconciliationSchedule
    /** Daily limit per currency of a client without a separate limit; null: unlimited. */
    dailyLimitCents: number | null
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): RefundsConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'REFUNDS_DATABASE_URL', env),
    keys: toKeyConfig(settings, 'refunds', env),
    dailyLimitCents: settings.REFUND_DAILY_LIMIT_CENTS ?? null,
    reconciliation: {
      everyMs: settings.REFUND_RECONCILIATION_INTERVAL,
      overlapMs: settings.REFUND_RECONCILIATION_OVERLAP,
      depthMs: settings.REFUND_RECONCILIATION_DEPTH,
    },
    cards: toCardConfig(settings, { takesCheckouts: false }),
  }
}
