import {
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
} from '@causeway/chassis'
import { CARD_CHECKOUT_SETTINGS, toCardConfig, type CardConfig } from '@causeway/rails/cards'
import { CRYPTO_SETTINGS, toCryptoConfig, type CryptoConfig } from './crypto-config.ts'
import { disputeThreshold, type DisputeThreshold } from './disputes/threshold.ts'
import type { RiskRules } from './disputes/risk.ts'

const threshold = (value: string, doc: string) => setting.integer({ default: value, min: 1, doc })

/** Every setting of the payments service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  PAYMENTS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the payments service' }),
  PUBLIC_BASE_URL: setting.httpOrigin({ doc: 'Public URL of the gateway' }),
  ...CRYPTO_SETTINGS,
  SERVICE_FEE_PERCENT: setting.decimal({
    default: '2.5',
    min: 0,
    max: 20,
    doc: 'Service fee of a card order while no price plan applies, in percent of its price; 0 to 20 with at most 2 decimals',
  }),
  ...CARD_CHECKOUT_SETTINGS,
  CARD_POLL_AFTER: setting.durationMs({
    default: '2m',
    doc: 'Time without a notice after which a pending card order is polled at its processor',
  }),
  CARD_REVIEW_AFTER: setting.durationMs({
    default: '1h',
    doc: 'Time after its payment at which a paid card order is polled, to find refunds and disputes whose notices were lost',
  }),
  CARD_AVAILABLE_AFTER: setting.durationMs({
    default: '48h',
    doc: "Time after its payment at which card money moves from the merchant's `pending` to its `available` balance",
  }),
  PAYER_RETENTION: setting.durationMs({
    default: '17520h',
    doc: "Retention of payers' data (e-mail, name, phone, country, IP), in whole months; then it is erased",
  }),
  CARD_REVIEW_FOR: setting.durationMs({
    default: '4320h',
    doc: 'Age after which a payment is no longer polled. The interval grows up to one week',
  }),
  CHARGEBACK_THRESHOLD_SHARE: setting.decimal({
    default: '0.01',
    min: 0,
    max: 1,
    doc: 'Share of disputed paid card orders, from 0 to 1, above which a merchant loses payments.fiat_card',
  }),
  CHARGEBACK_THRESHOLD_MIN: setting.integer({
    default: '5',
    min: 1,
    doc: 'Minimum disputes before a merchant can lose payments.fiat_card',
  }),
  CHARGEBACK_WINDOW: setting.durationMs({
    default: '720h',
    doc: 'Window of disputes and paid orders for CHARGEBACK_THRESHOLD_SHARE',
  }),
  RISK_MERCHANT_IP_THRESHOLD: threshold(
    '3',
    'Disputes from one IP at one merchant that trigger a risk_alert',
  ),
  RISK_PLATFORM_IP_THRESHOLD: threshold(
    '5',
    'Disputes from one IP at all merchants that trigger a risk_alert',
  ),
  RISK_DISTINCT_MERCHANTS_THRESHOLD: threshold(
    '2',
    'Merchants with disputes from one IP that trigger a risk_alert',
  ),
  RISK_WINDOW_DAYS: setting.integer({
    default: '30',
    min: 1,
    max: 365,
    doc: 'Days during which disputes from an IP count and its risk_alert is not repeated; 1 to 365',
  }),
} as const

export type PaymentsConfig = SealingConfig &
  CryptoConfig &
  Readonly<{
    publicBaseUrl: string
    /** At most 2 decimals. */
    serviceFeePercent: number
    /** At least one account is configured. */
    cards: CardConfig
    cardPollAfterMs: number
    cardReviewAfterMs: number
    cardReviewForMs: number
    cardAvailableAfterMs: number
    /** Retention of the payers of orders. */
    payerRetentionMs: number
    disputeThreshold: DisputeThreshold
    riskRules: RiskRules
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): PaymentsConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'PAYMENTS_DATABASE_URL', env),
    keys: toKeyConfig(settings, 'payments', env),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    ...toCryptoConfig(settings),
    serviceFeePercent: settings.SERVICE_FEE_PERCENT,
    cards: toCardConfig(settings, { takesCheckouts: true }),
    cardPollAfterMs: settings.CARD_POLL_AFTER,
    cardReviewAfterMs: settings.CARD_REVIEW_AFTER,
    cardReviewForMs: settings.CARD_REVIEW_FOR,
    cardAvailableAfterMs: settings.CARD_AVAILABLE_AFTER,
    payerRetentionMs: settings.PAYER_RETENTION,
    disputeThreshold: disputeThreshold(
      settings.CHARGEBACK_THRESHOLD_SHARE,
      settings.CHARGEBACK_THRESHOLD_MIN,
      settings.CHARGEBACK_WINDOW,
    ),
    riskRules: {
      thresholds: {
        merchantIpThreshold: settings.RISK_MERCHANT_IP_THRESHOLD,
        platformIpThreshold: settings.RISK_PLATFORM_IP_THRESHOLD,
        distinctMerchantsThreshold: settings.RISK_DISTINCT_MERCHANTS_THRESHOLD,
      },
      windowDays: settings.RISK_WINDOW_DAYS,
    },
  }
}
