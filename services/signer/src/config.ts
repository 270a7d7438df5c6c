import { readFileSync } from 'node:fs'
import {
  loadSettings,
  SERVICE_SETTINGS,
  setting,
  toServiceConfig,
  type ServiceConfig,
  type Setting,
} from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { confirmationsOf, CONFIRMATION_SETTINGS, NODE_SETTINGS, type NodeConfig } from '@causeway/rails'
import { openSeedKeys, TRANSFER_SETTINGS, type TransferConfig } from '@causeway/rails/transfers'

/** The words of a file; whatever is wrong with it is said without repeating any of them. */
const readSeed = (path: string): string => {
  let words: string
  try {
    words = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Error(
      `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
      {
        cause: error,
      },
    )
  }
  if (words === '') throw new Error('names an empty file: write the BIP-39 words of the wallet into it')
  try {
    openSeedKeys(words, 'BTC')
  } catch (error) {
    throw new Error('names a file that holds no BIP-39 words in English with a matching checksum', {
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

/** Every setting of the signer. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  SIGNER_DATABASE_URL: setting.postgresUrl({ doc: 'Database of the signer' }),
  SIGNER_SEED_FILE: seedFile({
    doc: 'File of the BIP-39 words of the receiving wallet, 12 to 24 in English; the signer runs where it is set',
  }),
  ...NODE_SETTINGS,
  ...CONFIRMATION_SETTINGS,
  ...TRANSFER_SETTINGS,
  CHAIN_POLL_EVERY: setting.durationMs({
    default: '3s',
    minMs: 100,
    doc: 'Pause after which a transfer that is under way is looked at again',
  }),
  CHAIN_URL: setting.httpUrl({
    optional: true,
    doc: "Address of the sandbox's chain, which plays the networks without nodes; development only",
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
  }>

/** The one setting that the command of the record needs. @throws ConfigError when it is missing */
export const loadDatabaseUrl = (env: NodeJS.ProcessEnv = process.env): string =>
  loadSettings({ SIGNER_DATABASE_URL: SETTINGS.SIGNER_DATABASE_URL }, env).SIGNER_DATABASE_URL

/** @throws ConfigError that names every missing or bad setting */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): SignerConfig => {
  const settings = loadSettings(SETTINGS, env)
  return {
    ...toServiceConfig(settings, settings.SIGNER_DATABASE_URL),
    seed: settings.SIGNER_SEED_FILE,
    nodes: settings,
    chainUrl: settings.CHAIN_URL,
    confirmations: confirmationsOf(settings),
    pollEveryMs: settings.CHAIN_POLL_EVERY,
  }
}
