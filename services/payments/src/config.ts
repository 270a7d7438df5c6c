import {
  ConfigError,
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
  type Setting,
} from '@causeway/chassis'
import { NETWORKS, type Network } from '@causeway/contracts'
import {
  ACCOUNT_DOCS,
  CARD_CHECKOUT_SETTINGS,
  CONFIRMATION_DEPTHS,
  SANDBOX_ACCOUNTS,
  toCardConfig,
  type CardConfig,
  type ReceivingAccounts,
} from '@causeway/rails'
import { disputeThreshold, type DisputeThreshold } from './disputes/threshold.ts'
import type { RiskRules } from './disputes/risk.ts'

const networksSetting = (options: { default: string; doc: string }): Setting<readonly Network[]> => ({
  parse: (text) =>
    text.split(',').map((part) => {
      const network = NETWORKS.find((known) => known === part.trim())
      if (network === undefined) throw new Error(`must be a comma list of ${NETWORKS.join(', ')}`)
      return network
    }),
  ...options,
})

const threshold = (value: string, doc: string) => setting.integer({ default: value, min: 1, doc })

type AccountSettings = Readonly<Record<`${Network}_ACCOUNT`, Setting<string | undefined>>>
/** `BTC_ACCOUNT` and so on: the receiving account of each network. */
const ACCOUNT_SETTINGS = Object.fromEntries(
  NETWORKS.map((network) => [
    `${network}_ACCOUNT`,
    setting.string({ optional: true, doc: ACCOUNT_DOCS[network] }),
  ]),
) as AccountSettings

type ConfirmationSettings = Readonly<Record<`${Network}_CONFIRMATIONS`, Setting<number>>>
/** `BTC_CONFIRMATIONS` and so on. At most half as deep as a reorganisation is followed. */
const CONFIRMATION_SETTINGS = Object.fromEntries(
  NETWORKS.map((network): [string, Setting<number>] => [
    `${network}_CONFIRMATIONS`,
    setting.integer({
      default: String(CONFIRMATION_DEPTHS[network]),
      min: 1,
      max: 500,
      doc: `Blocks from which on a deposit on ${network} counts, its own included`,
    }),
  ]),
) as ConfirmationSettings

/** Every setting of the payments service. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  PAYMENTS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the payments service' }),
  PUBLIC_BASE_URL: setting.httpUrl({ doc: 'Address under which the public reaches the gateway' }),
  CRYPTO_INVOICE_TTL: setting.durationMs({
    default: '12h',
    doc: 'How long a crypto order may be paid at its locked rate',
  }),
  CRYPTO_UNDERPAYMENT_TOLERANCE: setting.decimal({
    default: '0.005',
    min: 0,
    max: 0.999_999_999,
    doc: 'Share of the due amount that may be missing and the order still counts as paid; 0 turns it off',
  }),
  NETWORKS_LIVE: networksSetting({
    default: NETWORKS.join(','),
    doc: 'Networks that take orders, as a comma list',
  }),
  CHAIN_URL: setting.httpUrl({ doc: 'Where addresses are watched and deposits are read' }),
  RATES_URL: setting.httpUrl({
    optional: true,
    doc: 'Source of exchange rates; needed where SANDBOX_RATES is off',
  }),
  SERVICE_FEE_PERCENT: setting.decimal({
    default: '2.5',
    min: 0,
    max: 20,
    doc: 'Service fee of a card order, in percent of its price; 0 to 20 with at most 2 decimals',
  }),
  ...CARD_CHECKOUT_SETTINGS,
  CARD_POLL_AFTER: setting.durationMs({
    default: '2m',
    doc: 'Time without a notice after which the payment of a pending card order is read from its processor',
  }),
  CARD_REVIEW_AFTER: setting.durationMs({
    default: '1h',
    doc: 'Time after its payment at which a paid card order is read again, for refunds and disputes whose notices were lost',
  }),
  PAYER_RETENTION: setting.durationMs({
    default: '17520h',
    doc: 'How long payers of orders (e-mail, name, phone, country, IP) are kept, in whole months; then they are erased',
  }),
  CARD_REVIEW_FOR: setting.durationMs({
    default: '4320h',
    doc: 'Age after which a payment is no longer re-read. Re-reads back off up to once a week',
  }),
  CHARGEBACK_THRESHOLD_SHARE: setting.decimal({
    default: '0.01',
    min: 0,
    max: 1,
    doc: 'Share of paid card orders, from 0 to 1, above which disputes cost a merchant payments.fiat_card',
  }),
  CHARGEBACK_THRESHOLD_MIN: setting.integer({
    default: '5',
    min: 1,
    doc: 'Disputes below which a merchant never loses payments.fiat_card',
  }),
  CHARGEBACK_WINDOW: setting.durationMs({
    default: '720h',
    doc: 'Window in which disputes and paid orders count for CHARGEBACK_THRESHOLD_SHARE',
  }),
  RISK_MERCHANT_IP_THRESHOLD: threshold('3', 'Disputes of one IP at one merchant that raise a risk_alert'),
  RISK_PLATFORM_IP_THRESHOLD: threshold(
    '5',
    'Disputes of one IP at all merchants together that raise a risk_alert',
  ),
  RISK_DISTINCT_MERCHANTS_THRESHOLD: threshold(
    '2',
    'Merchants with disputes of one IP that raise a risk_alert',
  ),
  RISK_WINDOW_DAYS: setting.integer({
    default: '30',
    min: 1,
    max: 365,
    doc: 'Days for which disputes of an IP count, and for which its risk_alert is not repeated; 1 to 365',
  }),
  ...ACCOUNT_SETTINGS,
  ...CONFIRMATION_SETTINGS,
  SANDBOX_RECEIVING_ACCOUNTS: setting.flag({
    default: 'false',
    doc: 'Development only: networks without an account of their own receive on accounts whose keys everybody knows',
  }),
  SANDBOX_RATES: setting.flag({
    default: 'false',
    doc: 'Development only: without RATES_URL orders are priced by a fixed table of exchange rates',
  }),
} as const

export type PaymentsConfig = SealingConfig &
  Readonly<{
    publicBaseUrl: string
    invoiceTtlMs: number
    underpaymentTolerance: number
    networksLive: readonly Network[]
    accounts: Partial<ReceivingAccounts>
    /** Confirmations from which on a deposit counts. */
    confirmations: Readonly<Record<Network, number>>
    chainUrl: string
    ratesUrl: string | undefined
    /** At most 2 decimals. */
    serviceFeePercent: number
    /** At least one account is configured. */
    cards: CardConfig
    cardPollAfterMs: number
    cardReviewAfterMs: number
    cardReviewForMs: number
    /** Retention of the payers of orders. */
    payerRetentionMs: number
    disputeThreshold: DisputeThreshold
    riskRules: RiskRules
  }>

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): PaymentsConfig => {
  const settings = loadSettings(SETTINGS, env)
  const own = Object.fromEntries(NETWORKS.map((network) => [network, settings[`${network}_ACCOUNT`]]))
  const known: Partial<ReceivingAccounts> = settings.SANDBOX_RECEIVING_ACCOUNTS ? SANDBOX_ACCOUNTS : {}
  const accounts: Partial<ReceivingAccounts> = Object.fromEntries(
    settings.NETWORKS_LIVE.map((network) => [network, own[network] ?? known[network]]),
  )
  const faults = settings.NETWORKS_LIVE.filter((network) => accounts[network] === undefined).map(
    (network) => `${network}_ACCOUNT is not set but NETWORKS_LIVE names ${network}`,
  )
  if (settings.RATES_URL === undefined && !settings.SANDBOX_RATES)
    faults.push('RATES_URL is not set: name a source of exchange rates, or set SANDBOX_RATES in development')
  if (faults.length > 0) throw new ConfigError(`Bad settings: ${faults.join('; ')}`)
  return {
    ...toServiceConfig(settings, settings.PAYMENTS_DATABASE_URL),
    keys: toKeyConfig(settings, 'payments'),
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    invoiceTtlMs: settings.CRYPTO_INVOICE_TTL,
    underpaymentTolerance: settings.CRYPTO_UNDERPAYMENT_TOLERANCE,
    networksLive: settings.NETWORKS_LIVE,
    accounts,
    confirmations: Object.fromEntries(
      NETWORKS.map((network) => [network, settings[`${network}_CONFIRMATIONS`]]),
    ) as Record<Network, number>,
    chainUrl: settings.CHAIN_URL,
    ratesUrl: settings.RATES_URL,
    serviceFeePercent: settings.SERVICE_FEE_PERCENT,
    cards: toCardConfig(settings, { takesCheckouts: true }),
    cardPollAfterMs: settings.CARD_POLL_AFTER,
    cardReviewAfterMs: settings.CARD_REVIEW_AFTER,
    cardReviewForMs: settings.CARD_REVIEW_FOR,
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
