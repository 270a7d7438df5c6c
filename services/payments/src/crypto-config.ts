import { ConfigError, REFUND_SETTINGS, setting, type Setting, type Settings } from '@causeway/chassis'
import { NETWORKS, type Network } from '@causeway/contracts'
import { NODE_SETTINGS, nodeSettingsOf, type NodeConfig } from '@causeway/rails/chains'
import {
  ACCOUNT_DOCS,
  confirmationsOf,
  CONFIRMATION_SETTINGS,
  EXPLORER_SETTINGS,
  explorersOf,
  SANDBOX_ACCOUNTS,
  type Explorers,
  type ReceivingAccounts,
} from '@causeway/rails/networks'
import { PUBLIC_RATE_SOURCES, type PublicRateSourceName } from '@causeway/rails/rates'

const networksSetting = (options: { default: string; doc: string }): Setting<readonly Network[]> => ({
  parse: (text) =>
    text.split(',').map((part) => {
      const network = NETWORKS.find((known) => known === part.trim())
      if (network === undefined) throw new Error(`must be a comma list of ${NETWORKS.join(', ')}`)
      return network
    }),
  ...options,
})

type RateSources = readonly [PublicRateSourceName, PublicRateSourceName]

const rateSourcesSetting = (options: {
  optional: true
  doc: string
}): Setting<RateSources> & { optional: true } => ({
  parse: (text) => {
    const known = Object.keys(PUBLIC_RATE_SOURCES) as PublicRateSourceName[]
    const [first, second, ...rest] = text.split(',').map((part) => known.find((name) => name === part.trim()))
    if (first === undefined || second === undefined || first === second || rest.length > 0)
      throw new Error(`must be two of ${known.join(', ')}, as a comma list`)
    return [first, second]
  },
  ...options,
})

type AccountSettings = Readonly<Record<`${Network}_ACCOUNT`, Setting<string | undefined>>>
/** `BTC_ACCOUNT` and so on: the receiving account of each network. */
const ACCOUNT_SETTINGS = Object.fromEntries(
  NETWORKS.map((network) => [
    `${network}_ACCOUNT`,
    setting.string({ optional: true, doc: ACCOUNT_DOCS[network] }),
  ]),
) as AccountSettings

/** Settings of crypto orders, and of the chains that they are paid on (decisions §9, §20). */
export const CRYPTO_SETTINGS = {
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
  UNDERPAID_AFTER: setting.durationMs({
    default: '24h',
    doc: 'Time after the end of its rate (`expiresAt`) at which an underpaid crypto order expires; what arrived can then be refunded',
  }),
  NETWORKS_LIVE: networksSetting({
    default: NETWORKS.join(','),
    doc: 'Networks that take orders, as a comma list; the orders of one that is taken out are read as long as its nodes and its account are set',
  }),
  ...NODE_SETTINGS,
  ...CONFIRMATION_SETTINGS,
  ...EXPLORER_SETTINGS,
  CHAIN_POLL_EVERY: setting.durationMs({
    default: '3s',
    minMs: 100,
    doc: 'Pause after which the nodes of a network are asked for its next block',
  }),
  CHAIN_URL: setting.httpUrl({
    optional: true,
    doc: "Address of the sandbox's chain, which plays the networks without nodes; development only",
  }),
  RATES_URL: setting.httpUrl({
    optional: true,
    doc: 'Source of exchange rates of your own; needed where neither RATES_SOURCES nor SANDBOX_RATES is set',
  }),
  RATES_SOURCES: rateSourcesSetting({
    optional: true,
    doc: 'Two public sources of exchange rates that have to agree, as a comma list; the first one’s price is used: coinbase, coingecko',
  }),
  RATES_MAX_DIFFERENCE: setting.decimal({
    default: '0.02',
    min: 0,
    max: 1,
    doc: 'Share by which the two RATES_SOURCES may differ; beyond it no order is priced',
  }),
  ...REFUND_SETTINGS,
  ...ACCOUNT_SETTINGS,
  SANDBOX_RECEIVING_ACCOUNTS: setting.flag({
    default: 'false',
    doc: 'Development only: networks without an account of their own receive on accounts whose keys everybody knows',
  }),
  SANDBOX_RATES: setting.flag({
    default: 'false',
    doc: 'Development only: without RATES_URL orders are priced by a fixed table of exchange rates',
  }),
} as const

export type CryptoConfig = Readonly<{
  invoiceTtlMs: number
  underpaymentTolerance: number
  underpaidAfterMs: number
  networksLive: readonly Network[]
  accounts: Partial<ReceivingAccounts>
  nodes: NodeConfig
  /** Confirmations from which on a deposit counts. */
  confirmations: Readonly<Record<Network, number>>
  explorers: Explorers
  chainPollEveryMs: number
  /** Who sends refunds: staff elsewhere, or the signer. */
  cryptoRefunds: 'recorded' | 'signer'
  /** Unset: every network has nodes. */
  chainUrl: string | undefined
  ratesUrl: string | undefined
  /** Unset: `ratesUrl`, or the sandbox's table. */
  ratesSources: readonly [PublicRateSourceName, PublicRateSourceName] | undefined
  ratesMaxDifference: number
}>

type CryptoSettings = Settings<typeof CRYPTO_SETTINGS>

const accountsOf = (settings: CryptoSettings): Partial<ReceivingAccounts> => {
  const own = Object.fromEntries(NETWORKS.map((network) => [network, settings[`${network}_ACCOUNT`]]))
  const known: Partial<ReceivingAccounts> = settings.SANDBOX_RECEIVING_ACCOUNTS ? SANDBOX_ACCOUNTS : {}
  const isLive = new Set(settings.NETWORKS_LIVE)
  return Object.fromEntries(
    NETWORKS.flatMap((network) => {
      const account = own[network] ?? (isLive.has(network) ? known[network] : undefined)
      return account === undefined ? [] : [[network, account]]
    }),
  )
}

/** Returns the faults that keep a network from accepting orders. */
const faultsOf = (
  settings: CryptoSettings,
  accounts: Partial<ReceivingAccounts>,
  network: Network,
): string[] => {
  const faults: string[] = []
  if (accounts[network] === undefined)
    faults.push(`${network}_ACCOUNT is not set but NETWORKS_LIVE names ${network}`)
  const names = nodeSettingsOf(network)
  const hasNodes = names.some((name) => settings[name] !== undefined)
  if (!hasNodes && settings.CHAIN_URL === undefined)
    faults.push(`NETWORKS_LIVE names ${network}, which has no node: set ${names.join(' or ')}`)
  return faults
}

/** @throws ConfigError that names every setting without which a network cannot take orders */
export const toCryptoConfig = (settings: CryptoSettings): CryptoConfig => {
  const accounts = accountsOf(settings)
  const faults = settings.NETWORKS_LIVE.flatMap((network) => faultsOf(settings, accounts, network))
  const { RATES_URL: ratesUrl, RATES_SOURCES: ratesSources } = settings
  if (ratesUrl === undefined && ratesSources === undefined && !settings.SANDBOX_RATES)
    faults.push(
      'neither RATES_SOURCES nor RATES_URL is set: name sources of exchange rates, or set SANDBOX_RATES in development',
    )
  if (ratesUrl !== undefined && ratesSources !== undefined)
    faults.push('RATES_URL and RATES_SOURCES are both set: choose one')
  if (faults.length > 0) throw new ConfigError(`Bad settings: ${faults.join('; ')}`)
  return {
    invoiceTtlMs: settings.CRYPTO_INVOICE_TTL,
    underpaymentTolerance: settings.CRYPTO_UNDERPAYMENT_TOLERANCE,
    underpaidAfterMs: settings.UNDERPAID_AFTER,
    networksLive: settings.NETWORKS_LIVE,
    accounts,
    nodes: settings,
    confirmations: confirmationsOf(settings),
    explorers: explorersOf(settings),
    chainPollEveryMs: settings.CHAIN_POLL_EVERY,
    cryptoRefunds: settings.CRYPTO_REFUNDS,
    chainUrl: settings.CHAIN_URL,
    ratesUrl,
    ratesSources,
    ratesMaxDifference: settings.RATES_MAX_DIFFERENCE,
  }
}
