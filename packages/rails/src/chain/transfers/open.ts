import type { Network } from '@causeway/contracts'
import { type NodeConfig, toNetworkChains } from '../nodes.ts'
import { createBitcoinTransfers } from './bitcoin/transfers.ts'
import { createEthereumTransfers } from './ethereum/transfers.ts'
import { openSeedKeys } from './seed-keys.ts'
import type { TransferConfig } from './settings.ts'
import type { Transfers } from './transfers.ts'

type Options = Readonly<{
  /** BIP-39 words of the receiving wallet. */
  seed: string
  config: NodeConfig & TransferConfig
  /** Absolute bound of one exchange with a node. */
  timeoutMs: number
}>
/** Null where the network has no nodes. */
type Open = (options: Options) => Transfers | null

const openBitcoin =
  (network: 'BTC' | 'LTC'): Open =>
  ({ seed, config, timeoutMs }) => {
    const nodeUrls = config[`${network}_NODE_URLS`] ?? []
    const esploraUrls = config[`${network}_ESPLORA_URLS`] ?? []
    if (nodeUrls.length + esploraUrls.length === 0) return null
    return createBitcoinTransfers({
      network,
      chain: config[`${network}_CHAIN`],
      keys: openSeedKeys(seed, network, toNetworkChains(config)),
      nodeUrls,
      esploraUrls,
      feeRates: { min: config[`${network}_FEE_RATE_MIN`], max: config[`${network}_FEE_RATE_MAX`] },
      timeoutMs,
    })
  }

const openEthereum: Open = ({ seed, config, timeoutMs }) => {
  const { ETH_RPC_URLS: urls, ETH_CHAIN_ID: chainId, ETH_TOKENS: tokens } = config
  if (urls === undefined) return null
  const gasPriceMax = config.ETH_GAS_PRICE_MAX
  return createEthereumTransfers({
    ...{ urls, chainId, tokens, gasPriceMax, timeoutMs },
    keys: openSeedKeys(seed, 'ETH'),
  })
}

const OPENERS: Readonly<Partial<Record<Network, Open>>> = {
  BTC: openBitcoin('BTC'),
  LTC: openBitcoin('LTC'),
  ETH: openEthereum,
}

/**
 * The transfers of those of these networks that have nodes; none is called yet.
 * @throws Error that names the setting which cannot be used
 */
export const openTransfers = (
  networks: readonly Network[],
  options: Options,
): ReadonlyMap<Network, Transfers> =>
  new Map(
    networks.flatMap((network) => {
      const transfers = OPENERS[network]?.(options) ?? null
      return transfers ? [[network, transfers] as const] : []
    }),
  )
