import type { Network } from '@causeway/contracts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { type NodeConfig, toNetworkChains } from '../nodes.ts'
import { createBitcoinTransfers } from './bitcoin/transfers.ts'
import { createEthereumTransfers } from './ethereum/transfers.ts'
import { createNoTransfers } from './no-transfers.ts'
import { createSandboxTransfers } from './sandbox-transfers.ts'
import { openSeedKeys } from './seed-keys.ts'
import type { TransferConfig } from './settings.ts'
import { TransferError, type Transfers } from './transfers.ts'

type Options = Readonly<{
  /** BIP-39 words of the receiving wallet. */
  seed: string
  config: NodeConfig & TransferConfig
  /** CHAIN_URL: the sandbox's chain plays the networks without nodes. Development only. */
  sandboxUrl?: string | undefined
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
 * On the sandbox's chain the account is the seed's, and where a network has one address for all orders, its own.
 */
const openSandbox = (
  network: Network,
  { seed, config, sandboxUrl, timeoutMs }: Options,
): Transfers | null => {
  if (sandboxUrl === undefined) return null
  const chains = toNetworkChains(config)
  const account =
    network === 'SOL' || network === 'XRP'
      ? SANDBOX_ACCOUNTS[network]
      : openSeedKeys(seed, network, chains).account
  return createSandboxTransfers({ network, account, chains, baseUrl: sandboxUrl, timeoutMs })
}

/** SOL and XRP are not paid back yet: an operator does so by hand. */
const refuseToSend = (network: Network, { config }: Options): Transfers | null => {
  const urls = network === 'SOL' ? config.SOL_RPC_URLS : network === 'XRP' ? config.XRP_RPC_URLS : undefined
  if (urls === undefined) return null
  const noAddress = () => {
    throw new TransferError('unsupported', `${network} has no address per order`)
  }
  return createNoTransfers(
    network,
    noAddress,
    'refunds are not signed on this network; send it from the wallet',
  )
}

/**
 * The transfers of those of these networks that have nodes or are played by the sandbox; none is called yet.
 * @throws Error that names the setting which cannot be used
 */
export const openTransfers = (
  networks: readonly Network[],
  options: Options,
): ReadonlyMap<Network, Transfers> =>
  new Map(
    networks.flatMap((network) => {
      const transfers =
        OPENERS[network]?.(options) ?? refuseToSend(network, options) ?? openSandbox(network, options)
      return transfers ? [[network, transfers] as const] : []
    }),
  )
