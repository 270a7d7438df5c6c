import { readFileSync, statSync } from 'node:fs'
import {
  ConfigError,
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
  type Setting,
  type Settings,
} from '@causeway/chassis'
import { NETWORKS, type Network } from '@causeway/contracts'
import { NODE_SETTINGS, toNetworkChains, type NodeConfig } from '@causeway/rails/chains'
import {
  confirmationsOf,
  CONFIRMATION_SETTINGS,
  isRecipient,
  TREASURY_NETWORKS,
} from '@causeway/rails/networks'
import { openSeedKeys, TRANSFER_SETTINGS, type TransferConfig } from '@causeway/rails/transfers'
import { parseAmounts, type AssetAmounts, type Limits } from './limits/limits.ts'
import { parsePayoutLimits, type PayoutLimits } from './payout-limits/limit.ts'
import type { Replacements } from './transfers/replacing.ts'
import { TO_TREASURY } from './treasury/treasury.ts'

const modeOf = (mode: number): string => `0${(mode & 0o777).toString(8)}`

/**
 * PostgreSQL's rule for private keys: nobody but the owner; a file of root's may be read by its group too, because that
 * is how Kubernetes hands secrets to a process that is not root's.
 * @throws Error that names the mode
 */
const checkMode = ({ mode, uid }: Readonly<{ mode: number; uid: number }>): void => {
  const allowed = uid === 0 && process.getuid?.() !== 0 ? 0o640 : 0o600
  if ((mode & 0o077 & ~allowed) !== 0)
    throw new Error(
      `names a file that other users can read or change (mode ${modeOf(mode)}): set its mode to 0400 and its owner to the signer's user`,
    )
}

/** Reads the words of a file; errors do not repeat them. */
const readSeed = (path: string): string => {
  let words: string
  let stats: ReturnType<typeof statSync>
  try {
    stats = statSync(path)
    words = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Error(
      `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
      {
        cause: error,
      },
    )
  }
  checkMode(stats)
  if (words === '') throw new Error('names an empty file: write the BIP-39 words of the wallet to it')
  try {
    openSeedKeys(words, 'BTC')
  } catch (error) {
    throw new Error('names a file without valid BIP-39 words in English (the checksum must match)', {
      cause: error,
    })
  }
  return words
}
const seedFile = (options: { doc: string }): Setting<string> => ({
  parse: readSeed,
  secret: true,
  ...options,
})

type SweepAddresses = Readonly<
  Record<`${Network}_SWEEP_ADDRESS`, Setting<string | undefined> & { optional: true }>
>
/** `BTC_SWEEP_ADDRESS` and so on. */
const SWEEP_ADDRESSES = Object.fromEntries(
  NETWORKS.map((network) => [
    `${network}_SWEEP_ADDRESS`,
    setting.string({
      optional: true,
      doc: `Address that receives the balances of paid orders' addresses on ${network}${TREASURY_NETWORKS.has(network) ? ', or treasury: the address from which the signer sends payouts' : ''}. Default: they are not swept`,
    }),
  ]),
) as SweepAddresses

/** @throws ConfigError that names a setting whose address is not of its network's chain */
const sweepAddressesOf = (settings: Settings<typeof SETTINGS>): SignerConfig['sweepAddresses'] => {
  const chains = toNetworkChains(settings)
  const given = NETWORKS.flatMap((network) => {
    const address = settings[`${network}_SWEEP_ADDRESS`]
    return address === undefined ? [] : [[network, address] as const]
  })
  const isTarget = (network: Network, address: string) =>
    address === TO_TREASURY ? TREASURY_NETWORKS.has(network) : isRecipient(network, address, chains)
  const wrong = given.find(([network, address]) => !isTarget(network, address))
  if (wrong !== undefined)
    throw new ConfigError(
      `Bad settings: ${wrong[0]}_SWEEP_ADDRESS is not an address on the chain of ${wrong[0]}`,
    )
  return Object.fromEntries(given)
}

/** Public keys, 32 bytes in base64 each: two while the gateway's signing key is replaced. */
const verifyingKeys = (options: { doc: string }): Setting<readonly Buffer[]> => ({
  parse: (text) => {
    const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
    if (keys.length > 2 || keys.some(({ length }) => length !== 32))
      throw new Error('must be one or two keys of 32 bytes in base64, separated by a comma')
    return keys
  },
  ...options,
})

const amounts = (options: { default: string; doc: string }): Setting<AssetAmounts> => ({
  parse: (text) => parseAmounts(text, parseAmounts(options.default, {})),
  ...options,
})

/** About 10,000 EUR a transfer, five times that a day, and twice that to one address. */
const LIMIT_SETTINGS = {
  SIGNER_TRANSFER_LIMIT: amounts({
    default: 'BTC:0.1,LTC:100,ETH:4,USDT:10000,USDC:10000,SOL:60,XRP:4000',
    doc: 'Maximum amount of one refund from a deposit address, by asset, comma-separated. Assets that are not named keep their default',
  }),
  SIGNER_DAILY_LIMIT: amounts({
    default: 'BTC:0.5,LTC:500,ETH:20,USDT:50000,USDC:50000,SOL:300,XRP:20000',
    doc: 'Maximum refunds of the signer per UTC day, by asset',
  }),
  SIGNER_ADDRESS_DAILY_LIMIT: amounts({
    default: 'BTC:0.2,LTC:200,ETH:8,USDT:20000,USDC:20000,SOL:120,XRP:8000',
    doc: 'Maximum refunds of the signer to one address per UTC day, by asset',
  }),
} as const

const PAYOUT_DAILY_LIMIT = 'BTC/BTC:0.5,LTC/LTC:500,ETH/ETH:20,ETH/USDT:50000,ETH/USDC:50000'
const payoutLimits: Setting<PayoutLimits> = {
  default: PAYOUT_DAILY_LIMIT,
  doc: 'Maximum payouts of crypto from the treasury per UTC day, by unit, comma-separated. Units that are not named keep their default',
  parse: (text) => parsePayoutLimits(text, parsePayoutLimits(PAYOUT_DAILY_LIMIT, {})),
}

/** Reads `BTC:6,ETH:15`: the defaults hold for networks that are not named. */
const blocksByNetwork = (options: {
  default: string
  doc: string
}): Setting<Readonly<Record<Network, number>>> => ({
  parse: (text) => {
    const read = (list: string) =>
      list.split(',').map((part) => {
        const [name, blocks = ''] = part.trim().split(':')
        const network = NETWORKS.find((known) => known === name)
        if (network === undefined || !/^\d{1,5}$/.test(blocks))
          throw new Error('must be a list such as BTC:6,ETH:15, with at most 99999 blocks')
        return [network, Number(blocks)] as const
      })
    const none = NETWORKS.map((network) => [network, 0] as const)
    return Object.fromEntries([...none, ...read(options.default), ...read(text)]) as Record<Network, number>
  },
  ...options,
})

/**
 * Blocks, not minutes: a higher fee helps where blocks pass a transfer by, not where there are none. Twice the three blocks
 * that a fee of BTC and LTC is estimated for; on ETH more than the six full blocks that a fee holds for.
 */
const REPLACE_SETTINGS = {
  SIGNER_REPLACE_AFTER: blocksByNetwork({
    default: 'BTC:6,LTC:6,ETH:15',
    doc: 'Blocks after which a transfer that is not mined is signed again with a higher fee, by network, comma-separated; 0: never. Networks that are not named keep their default',
  }),
  SIGNER_REPLACE_MAX: setting.integer({
    default: '5',
    min: 0,
    max: 20,
    doc: 'Times that a transfer is signed again with a higher fee, at most',
  }),
  SIGNER_REPLACE_FEE_MAX_PERCENT: setting.integer({
    default: '10',
    min: 1,
    max: 100,
    doc: 'Maximum raised fee of a transfer whose fee is paid from its amount (BTC, LTC, ETH itself), in percent of what leaves the addresses',
  }),
} as const

/** Every setting of the signer. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  SIGNER_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the signer' }),
  SIGNER_SEED_FILE: seedFile({
    doc: "File of the wallet's BIP-39 words, 12 to 24 in English. Only the signer may read it. The signer runs if it is set",
  }),
  ...NODE_SETTINGS,
  ...CONFIRMATION_SETTINGS,
  ...TRANSFER_SETTINGS,
  APPROVAL_VERIFYING_KEYS: verifyingKeys({
    doc: "Public keys of the gateway's APPROVAL_SIGNING_KEY, 32 bytes in base64: one, or two during a rotation, separated by a comma",
  }),
  ...LIMIT_SETTINGS,
  PAYOUT_DAILY_LIMIT: payoutLimits,
  ...REPLACE_SETTINGS,
  ...SWEEP_ADDRESSES,
  SIGNER_SWEEP_EVERY: setting.durationMs({
    default: '0s',
    doc: "Pause between two sweeps of paid orders' addresses to <NETWORK>_SWEEP_ADDRESS. 0s: only on command",
  }),
  CHAIN_POLL_EVERY: setting.durationMs({
    default: '3s',
    minMs: 100,
    doc: 'Interval at which a transfer in progress is checked',
  }),
  CHAIN_URL: setting.httpUrl({
    optional: true,
    doc: "URL of the sandbox's chain, which replaces the networks. Development only",
  }),
} as const

export type SignerConfig = ServiceConfig &
  Readonly<{
    /** BIP-39 words. */
    seed: string
    nodes: NodeConfig & TransferConfig
    /** Unset: networks without nodes pay nothing back. */
    chainUrl: string | undefined
    /** Confirmations at which a transfer is done. */
    confirmations: Readonly<Record<Network, number>>
    pollEveryMs: number
    /** Ed25519 keys that approvals of the gateway are verified with. */
    approvalKeys: readonly Uint8Array[]
    /** Limits of refunds. */
    limits: Limits
    payoutLimits: PayoutLimits
    replacements: Replacements
    /** Where addresses of paid orders are emptied to; `treasury` is the signer's own address. */
    sweepAddresses: Readonly<Partial<Record<Network, string>>>
    /** Pause between two rounds; null: on command only. */
    sweepEveryMs: number | null
  }>

/** The one setting that the command of the record needs. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ SIGNER_DATABASE_URL: SETTINGS.SIGNER_DATABASE_URL }, env).SIGNER_DATABASE_URL

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): SignerConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, 'SIGNER_DATABASE_URL', env),
    seed: settings.SIGNER_SEED_FILE,
    nodes: settings,
    chainUrl: settings.CHAIN_URL,
    confirmations: confirmationsOf(settings),
    pollEveryMs: settings.CHAIN_POLL_EVERY,
    approvalKeys: settings.APPROVAL_VERIFYING_KEYS,
    limits: {
      perTransfer: settings.SIGNER_TRANSFER_LIMIT,
      perDay: settings.SIGNER_DAILY_LIMIT,
      perAddressAndDay: settings.SIGNER_ADDRESS_DAILY_LIMIT,
    },
    payoutLimits: settings.PAYOUT_DAILY_LIMIT,
    replacements: {
      afterBlocks: settings.SIGNER_REPLACE_AFTER,
      max: settings.SIGNER_REPLACE_MAX,
      feeMaxPercent: settings.SIGNER_REPLACE_FEE_MAX_PERCENT,
    },
    sweepAddresses: sweepAddressesOf(settings),
    sweepEveryMs: settings.SIGNER_SWEEP_EVERY === 0 ? null : settings.SIGNER_SWEEP_EVERY,
  }
}
