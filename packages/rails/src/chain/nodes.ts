import { setting, type Setting, type Settings } from '@causeway/chassis/settings'
import { ASSETS, type Asset, type Network } from '@causeway/contracts'
import { UTXO_CHAINS } from './bitcoin/parameters.ts'
import { createBitcoinBlockSource } from './bitcoin/block-source.ts'
import type { BlockSource } from './block-source.ts'
import { createEthereumBlockSource } from './ethereum/block-source.ts'
import type { NetworkChains } from './network.ts'
import { TOKEN_CONTRACTS } from './networks/eth.ts'
import type { ReceivingAccounts } from './networks.ts'
import { createRippleBlockSource } from './ripple/block-source.ts'
import { createSolanaBlockSource } from './solana/block-source.ts'

/** Keys of providers are part of their addresses: each is a secret. */
const urls = <const D extends string>(doc: D) =>
  setting.httpUrls({ optional: true, secret: true, doc: `${doc}, comma-separated` })

const tokens = (options: {
  default: string
  doc: string
}): Setting<Readonly<Partial<Record<Asset, string>>>> => ({
  parse: (text) =>
    Object.fromEntries(
      text.split(',').map((part) => {
        const [name, contract = '', ...rest] = part.trim().split(':')
        const asset = ASSETS.find((known) => known === name && known in TOKEN_CONTRACTS)
        if (asset === undefined || rest.length > 0 || !/^0x[0-9a-fA-F]{40}$/.test(contract))
          throw new Error(`must be a list such as ${TOKENS}`)
        return [asset, contract]
      }),
    ),
  ...options,
})
const TOKENS = Object.entries(TOKEN_CONTRACTS)
  .map(([asset, contract]) => `${asset}:${contract}`)
  .join(',')

const utxoChain = (network: 'BTC' | 'LTC') =>
  setting.oneOf(UTXO_CHAINS, {
    default: 'main',
    doc: `Chain of ${network} for addresses; the nodes must be on it`,
  })

/** The nodes that networks are read from (decisions §20). */
export const NODE_SETTINGS = {
  ETH_RPC_URLS: urls('JSON-RPC endpoints of one Ethereum chain'),
  ETH_CHAIN_ID: setting.integer({
    default: '1',
    min: 1,
    doc: 'Expected chain id of the ETH endpoints',
  }),
  ETH_TOKENS: tokens({
    default: TOKENS,
    doc: 'Token contracts for orders on ETH; each token must have 6 decimals',
  }),
  BTC_NODE_URLS: urls('JSON-RPC of Bitcoin Core nodes, as `http://user:password@host:port`'),
  BTC_ESPLORA_URLS: urls('Esplora HTTP API for BTC, instead of nodes or in addition to them'),
  BTC_CHAIN: utxoChain('BTC'),
  LTC_NODE_URLS: urls('JSON-RPC of Litecoin Core nodes, as `http://user:password@host:port`'),
  LTC_ESPLORA_URLS: urls('Esplora HTTP API for LTC, instead of nodes or in addition to them'),
  LTC_CHAIN: utxoChain('LTC'),
  SOL_RPC_URLS: urls('JSON-RPC of Solana'),
  XRP_RPC_URLS: urls('JSON-RPC of rippled or Clio'),
} as const

/** Loaded {@link NODE_SETTINGS}. */
export type NodeConfig = Settings<typeof NODE_SETTINGS>

/** The chains that addresses and payment URIs are made for. */
export const toNetworkChains = (config: NodeConfig): NetworkChains => ({
  BTC: config.BTC_CHAIN,
  LTC: config.LTC_CHAIN,
  ETH: { chainId: config.ETH_CHAIN_ID, tokens: config.ETH_TOKENS },
})

type Options = Readonly<{
  /** Receiving accounts: on SOL and XRP all orders share one. */
  accounts: Partial<ReceivingAccounts>
  /** Absolute bound of one exchange with a node. */
  timeoutMs: number
}>
/** Opens the nodes of a network; null where it has none. */
type Open = (config: NodeConfig, options: Options) => BlockSource | null

const openBitcoin =
  (network: 'BTC' | 'LTC'): Open =>
  (config, { timeoutMs }) => {
    const nodeUrls = config[`${network}_NODE_URLS`] ?? []
    const esploraUrls = config[`${network}_ESPLORA_URLS`] ?? []
    if (nodeUrls.length + esploraUrls.length === 0) return null
    return createBitcoinBlockSource({
      network,
      chain: config[`${network}_CHAIN`],
      nodeUrls,
      esploraUrls,
      timeoutMs,
    })
  }

type NodeSetting = Extract<keyof NodeConfig, `${string}_URLS`>

/** How a network is read, and the settings of which it needs one. */
type Node = Readonly<{ settings: readonly NodeSetting[]; open: Open }>
const NODES: Readonly<Record<Network, Node>> = {
  ETH: {
    settings: ['ETH_RPC_URLS'],
    open: ({ ETH_RPC_URLS: urls, ETH_CHAIN_ID: chainId, ETH_TOKENS: tokens }, { accounts, timeoutMs }) =>
      urls === undefined
        ? null
        : createEthereumBlockSource({ urls, chainId, tokens, account: accounts.ETH, timeoutMs }),
  },
  BTC: { settings: ['BTC_NODE_URLS', 'BTC_ESPLORA_URLS'], open: openBitcoin('BTC') },
  LTC: { settings: ['LTC_NODE_URLS', 'LTC_ESPLORA_URLS'], open: openBitcoin('LTC') },
  SOL: {
    settings: ['SOL_RPC_URLS'],
    open: ({ SOL_RPC_URLS: rpcUrls }, { accounts: { SOL: account }, timeoutMs }) =>
      rpcUrls === undefined || account === undefined
        ? null
        : createSolanaBlockSource({ rpcUrls, account, timeoutMs }),
  },
  XRP: {
    settings: ['XRP_RPC_URLS'],
    open: ({ XRP_RPC_URLS: rpcUrls }, { accounts: { XRP: account }, timeoutMs }) =>
      rpcUrls === undefined || account === undefined
        ? null
        : createRippleBlockSource({ rpcUrls, account, timeoutMs }),
  },
}

/** The settings of which one gives a network its nodes. */
export const nodeSettingsOf = (network: Network): readonly NodeSetting[] => NODES[network].settings

/**
 * Opens the nodes of those of these networks that have any; none is called yet.
 * @throws Error that names the setting which cannot be used
 */
export const openBlockSources = (
  networks: readonly Network[],
  config: NodeConfig,
  options: Options,
): readonly BlockSource[] => networks.flatMap((network) => NODES[network].open(config, options) ?? [])
