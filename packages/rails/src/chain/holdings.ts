import { NETWORK_ASSETS, type Asset } from '@causeway/contracts'
import { parametersOf, type UtxoNetwork } from './bitcoin/parameters.ts'
import { checkBitcoinEndpoints, verifyBitcoin } from './bitcoin/verify.ts'
import { RailError } from '../rail-error.ts'
import type { BlockSource } from './block-source.ts'
import { createEndpoints, openAddresses } from './endpoints.ts'
import { ASSET_DECIMALS } from './networks.ts'
import type { NodeConfig } from './nodes.ts'
import { createCoreSpending } from './transfers/bitcoin/core-spending.ts'
import { createEsploraSpending } from './transfers/bitcoin/esplora-spending.ts'
import type { UnspentCoin } from './transfers/bitcoin/spending-endpoint.ts'
import type { Coin } from './transfers/transfers.ts'
import { fromUnits } from './units.ts'

/** The balance of one address in one asset. */
export type Holding = Readonly<{
  address: string
  asset: Asset
  /** Decimal in the asset. */
  balance: string
}>

/** Balances of addresses at the end of a block. */
export type Holdings = Readonly<{ blockNumber: number; holdings: readonly Holding[] }>

/** Addresses in one question to each endpoint. */
const ADDRESSES_AT_ONCE = 500

/**
 * Reads the balances of these addresses in each of the network's assets at the end of the newest block, as a majority of the
 * endpoints reports them.
 * @throws Error that names a setting; RailError
 */
export const readAccountHoldings = async (
  source: BlockSource,
  addresses: readonly string[],
): Promise<Holdings> => {
  const { balances, network } = source
  if (balances === undefined) throw new Error(`balances of addresses cannot be read on ${network}`)
  await source.verify()
  const head = await source.head()
  const holdings: Holding[] = []
  for (const asset of NETWORK_ASSETS[network])
    for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE) {
      const some = addresses.slice(from, from + ADDRESSES_AT_ONCE)
      const units = await balances(some, head, undefined, asset)
      const decimals = ASSET_DECIMALS[asset]
      holdings.push(
        ...some.map((address, at) => ({ address, asset, balance: fromUnits(units[at] ?? 0n, decimals) })),
      )
    }
  return { blockNumber: head.number, holdings }
}

/** An output that should be unspent, and the place of its block. */
export type HeldCoin = Coin & Readonly<{ blockNumber: number }>

/** Reads which outputs of mined transactions are unspent. */
export type CoinLookUp = Readonly<{
  /**
   * Returns those of these outputs that are unspent at the end of the newest block, as the first endpoint that responds
   * reports them.
   * @throws Error that names a setting; RailError, also where the endpoint has not reached the newest of their blocks
   */
  lookUp: (coins: readonly HeldCoin[]) => Promise<readonly UnspentCoin[]>
  close: () => Promise<void>
}>

const openSearching = (network: UtxoNetwork, config: NodeConfig, timeoutMs: number) => {
  const parameters = parametersOf(network, config[`${network}_CHAIN`])
  const open = (
    setting: `${UtxoNetwork}_NODE_URLS` | `${UtxoNetwork}_ESPLORA_URLS`,
    create: typeof createCoreSpending,
  ) => openAddresses(config[setting] ?? [], (url) => create(url, { setting, timeoutMs, parameters }))
  return createEndpoints([
    ...open(`${network}_NODE_URLS`, createCoreSpending),
    ...open(`${network}_ESPLORA_URLS`, createEsploraSpending),
  ])
}

/** Outputs in one question: a request each on Esplora, one batch on a node. */
const COINS_AT_ONCE = 100

/** Opens the nodes of a network to look up outputs, each directly: nothing is searched. @throws Error that names a setting */
export const openCoinLookUp = (network: UtxoNetwork, config: NodeConfig, timeoutMs: number): CoinLookUp => {
  const chain = config[`${network}_CHAIN`]
  const endpoints = checkBitcoinEndpoints(openSearching(network, config, timeoutMs), {
    ...{ network, chain, parameters: parametersOf(network, chain) },
  })
  return {
    lookUp: (coins) =>
      endpoints.first(async (endpoint) => {
        const { number } = await endpoint.tip()
        if (coins.some(({ blockNumber }) => blockNumber > number))
          throw new RailError('unavailable', `${endpoint.name} has not read the newest blocks of ${network}`)
        const found: UnspentCoin[] = []
        for (let from = 0; from < coins.length; from += COINS_AT_ONCE)
          found.push(...(await endpoint.lookUp(coins.slice(from, from + COINS_AT_ONCE))))
        return found
      }),
    close: () => endpoints.close(),
  }
}

/**
 * Reads the balances of these addresses in unspent outputs of mined transactions, from the first endpoint that responds. The
 * node scans all unspent outputs of its chain, which takes minutes on a main chain.
 * @throws Error that names a setting; RailError
 */
export const readUtxoHoldings = async (
  network: UtxoNetwork,
  config: NodeConfig,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<Holdings> => {
  const chain = config[`${network}_CHAIN`]
  const endpoints = checkBitcoinEndpoints(openSearching(network, config, timeoutMs), {
    ...{ network, chain, parameters: parametersOf(network, chain) },
  })
  try {
    await verifyBitcoin(endpoints)
    const { number, coins } = await endpoints.first(async (endpoint) => ({
      number: (await endpoint.tip()).number,
      coins: await endpoint.search(addresses),
    }))
    const held = new Map<string, bigint>()
    for (const { address, value } of coins) held.set(address, (held.get(address) ?? 0n) + value)
    return {
      blockNumber: number,
      holdings: addresses.map((address) => ({
        address,
        asset: network,
        balance: fromUnits(held.get(address) ?? 0n, ASSET_DECIMALS[network]),
      })),
    }
  } finally {
    await endpoints.close()
  }
}
