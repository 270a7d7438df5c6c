import type { Network } from '@causeway/contracts'
import { openBlockSources, toNetworkChains, type BlockSource } from '@causeway/rails/chains'
import { createDestinations } from '@causeway/rails/networks'
import { loadSettings } from '@causeway/chassis/settings'
import { CRYPTO_SETTINGS, toCryptoConfig, type CryptoConfig } from '../crypto-config.ts'

const TIMEOUT_MS = 15_000
/** The addresses of the first orders: compared with those that the wallet itself shows. */
const SHOWN_ADDRESSES = 3

/** Describes the nodes of a network. @throws Error that names the wrong setting or the endpoint */
const describeNodes = async (source: BlockSource, confirmations: number, now: Date): Promise<string> => {
  await source.verify()
  const head = await source.head()
  const ageSeconds = Math.round((now.getTime() - head.minedAt.getTime()) / 1_000)
  return `block ${head.number}, ${ageSeconds} s old (${head.hash}); deposits count from ${confirmations} confirmations`
}

const addressesOf = (config: CryptoConfig, network: Network): string[] => {
  const destinations = createDestinations(config.accounts, toNetworkChains(config.nodes))
  return Array.from({ length: SHOWN_ADDRESSES }, (_, index) => {
    const { address, watchAddress } = destinations.derive(network, index + 1)
    return address === watchAddress ? address : `${address} (reference ${watchAddress})`
  })
}

/**
 * Proves the settings of crypto payments (docs/GOING-LIVE.md): prints the first addresses of each live network, and what
 * its nodes say.
 * @param print takes one line
 * @returns whether everything is as the settings say
 * @throws ConfigError that names every missing or bad setting
 */
export const checkChains = async (
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
  now: Date,
): Promise<boolean> => {
  const config = toCryptoConfig(loadSettings(CRYPTO_SETTINGS, env))
  const { accounts, confirmations, networksLive, nodes } = config
  const sources = openBlockSources(networksLive, nodes, { accounts, timeoutMs: TIMEOUT_MS })
  let isGood = true
  for (const network of networksLive) {
    print(network)
    for (const [index, address] of addressesOf(config, network).entries())
      print(`  address of order ${index + 1}: ${address}`)
    const source = sources.find((each) => each.network === network)
    try {
      print(
        source === undefined
          ? `  nodes: none, the sandbox simulates ${network}`
          : `  nodes: ${await describeNodes(source, confirmations[network], now)}`,
      )
    } catch (error) {
      isGood = false
      print(`  nodes: FAILED: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await Promise.all(sources.map((source) => source.close()))
  return isGood
}
