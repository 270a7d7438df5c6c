import {
  KEY_SETTINGS,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toKeyConfig,
  toServiceConfig,
  type SealingConfig,
} from '@causeway/chassis'
import { parseProcessorFees, type ProcessorFees } from './settlements/fees.ts'
import { parseBic, parseHolderName, parseIban } from '@causeway/rails/bank'
import type { DebtorSettings } from './payment-files/operations.ts'
import type { WalletRules } from './payout-wallets/rules.ts'

/** @throws Error for a text that is no time of day */
const parseTimeOfDay = (text: string): number => {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined) throw new Error('must be a time of day, such as 17:30')
  return (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Reads a value by a parser that returns null for a wrong one. @throws Error that says what it must be */
const parseBy =
  (parse: (text: string) => string | null, expected: string) =>
  (text: string): string => {
    const value = parse(text)
    if (value === null) throw new Error(`must be ${expected}`)
    return value
  }

/** Every setting of the ledger. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...KEY_SETTINGS,
  LEDGER_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the ledger' }),
  PUBLIC_BASE_URL: setting.httpOrigin({ doc: 'Public URL of the gateway' }),
  LEDGER_COMPARE_INTERVAL: setting.durationMs({
    default: '30s',
    doc: 'Interval at which the ledger compares its facts with their sources. Decisions §47 promises complete books within 60 s',
  }),
  PAYOUT_CUT_OFF: {
    default: '00:00',
    doc: 'Time of day (UTC, HH:MM) at which payout schedules are due: a payout has what was available then',
    parse: parseTimeOfDay,
  },
  SETTLEMENT_POLL: setting.durationMs({
    default: '1h',
    minMs: 1_000,
    doc: 'Interval at which the settlement reports are read that card processors offer; at least 1s',
  }),
  CHAIN_COMPARE_INTERVAL: setting.durationMs({
    default: '1h',
    minMs: 1_000,
    doc: 'Interval at which the balances of deposit addresses are compared with what they should hold; at least 1s',
  }),
  SETTLEMENT_TERM: setting.durationMs({
    default: '168h',
    doc: 'Time within which a card processor must settle a payment, refund or dispute; then its absence from the reports is a difference',
  }),
  PROCESSOR_FEES: {
    default: '',
    doc: 'Agreed fees of card payments by processor: percent and minor units of the currency, such as stripe=1.4%+25,other=2%. A fee of a processor that is not named is not checked',
    parse: parseProcessorFees,
  },
  PAYOUT_DEBTOR_NAME: {
    parse: parseBy(parseHolderName, '1 to 70 characters that bank files carry'),
    optional: true,
    doc: 'Holder of the account that payouts are made from, as the bank knows it. Without it no payment file is made',
  },
  PAYOUT_DEBTOR_IBAN: {
    parse: parseBy(parseIban, 'an IBAN'),
    optional: true,
    doc: 'IBAN of the account that payouts are made from. Without it no payment file is made',
  },
  PAYOUT_DEBTOR_BIC: {
    parse: parseBy(parseBic, 'a BIC of 8 or 11 characters'),
    optional: true,
    doc: 'BIC of the account that payouts are made from, where its bank asks for one',
  },
  PAYOUT_WALLET_PROOF: setting.oneOf(['off', 'required'], {
    default: 'off',
    doc: 'Proof by signature of new addresses that payouts go to, on networks that have one: off (staff or a proof) or required',
  }),
  PAYOUT_WALLET_WAIT: setting.durationMs({
    default: '24h',
    doc: 'Time after which a new destination of payouts can be used',
  }),
} as const

export type LedgerConfig = SealingConfig &
  Readonly<{
    compareEveryMs: number
    chainCompareEveryMs: number
    publicBaseUrl: string
    walletRules: WalletRules
    /** Time of day at which schedules are due, in milliseconds since midnight (UTC). */
    cutOffMs: number
    settlement: Readonly<{ fees: ProcessorFees; termMs: number; pollMs: number }>
    /** The account that payouts are made from; parts of it may be missing. */
    debtor: DebtorSettings
  }>

/** The one setting that the ledger's commands need. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ LEDGER_DATABASE_URL: SETTINGS.LEDGER_DATABASE_URL }, env).LEDGER_DATABASE_URL

/** Settings of the command that rebuilds the books. @throws ConfigError that names every missing one */
export const loadRebuildUrls = (env: NodeJS.ProcessEnv = process.env) =>
  loadSettings(
    {
      LEDGER_DATABASE_URL: SETTINGS.LEDGER_DATABASE_URL,
      PAYMENTS_DATABASE_URL: setting.postgresUrl({ doc: 'Database of payments, whose facts are posted' }),
      SIGNER_DATABASE_URL: setting.postgresUrl({
        doc: 'Database of the signer, whose facts are posted too',
        optional: true,
      }),
      LEDGER_REBUILD_DATABASE_URL: setting.postgresUrl({ doc: 'An empty database for the rebuilt books' }),
    },
    env,
  )

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): LedgerConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'LEDGER_DATABASE_URL', env),
    keys: toKeyConfig(settings, 'ledger', env),
    compareEveryMs: settings.LEDGER_COMPARE_INTERVAL,
    chainCompareEveryMs: settings.CHAIN_COMPARE_INTERVAL,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    cutOffMs: settings.PAYOUT_CUT_OFF,
    settlement: {
      fees: settings.PROCESSOR_FEES,
      termMs: settings.SETTLEMENT_TERM,
      pollMs: settings.SETTLEMENT_POLL,
    },
    debtor: {
      ...(settings.PAYOUT_DEBTOR_NAME !== undefined && { name: settings.PAYOUT_DEBTOR_NAME }),
      ...(settings.PAYOUT_DEBTOR_IBAN !== undefined && { iban: settings.PAYOUT_DEBTOR_IBAN }),
      ...(settings.PAYOUT_DEBTOR_BIC !== undefined && { bic: settings.PAYOUT_DEBTOR_BIC }),
    },
    walletRules: {
      requiresProof: settings.PAYOUT_WALLET_PROOF === 'required',
      waitMs: settings.PAYOUT_WALLET_WAIT,
    },
  }
}
