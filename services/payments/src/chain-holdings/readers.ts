import { NETWORK_ASSETS, type Asset, type Network } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import {
  openCoinLookUp,
  type BlockSource,
  type ChainAdapter,
  type HeldCoin,
  type NodeConfig,
} from '@causeway/rails/chains'
import { ASSET_DECIMALS, TREASURY_NETWORKS, toUnits } from '@causeway/rails/networks'

/** An address that should hold something. */
export type Expected = Readonly<{
  address: string
  /** Highest block of a deposit that counts. */
  newestBlock: number
  /** The deposits that count. */
  coins: readonly HeldCoin[]
}>

/** Reads what addresses of orders hold on one network. */
export type HoldingsReader = Readonly<{
  /** True if only the deposits themselves are looked up: what a transfer has returned to its address is not seen. */
  readsCoins: boolean
  /** Returns balances in the asset's smallest unit, in the order of the addresses. @throws RailError */
  read: (asset: Asset, addresses: readonly Expected[]) => Promise<readonly bigint[]>
  close: () => Promise<void>
}>

/** Reads at the newest block in which a deposit counts, so that what is not confirmed changes nothing. */
const readAccounts = (
  source: BlockSource,
  balances: NonNullable<BlockSource['balances']>,
  depth: number,
): HoldingsReader => ({
  readsCoins: false,
  async read(asset, addresses) {
    const number = (await source.head()).number - depth + 1
    const block = number < 1 ? null : await source.next(number - 1)
    if (block?.number !== number || addresses.some(({ newestBlock }) => newestBlock > number))
      throw new RailError('unavailable', `The nodes of ${source.network} are behind the deposits that count`)
    const held = addresses.map(({ address }) => address)
    return balances(held, block, undefined, asset)
  },
  // The reader of blocks closes its source.
  close: () => Promise.resolve(),
})

/** Reads at the newest block: a node has the unspent outputs of no other. */
const readCoins = (network: 'BTC' | 'LTC', nodes: NodeConfig, timeoutMs: number): HoldingsReader => {
  const lookUp = openCoinLookUp(network, nodes, timeoutMs)
  return {
    readsCoins: true,
    async read(_, addresses) {
      const found = await lookUp.lookUp(addresses.flatMap(({ coins }) => coins))
      const values = new Map(found.map((coin) => [`${coin.txId}:${coin.outputIndex}`, coin.value]))
      return addresses.map(({ coins }) =>
        coins.reduce((sum, { txId, outputIndex }) => sum + (values.get(`${txId}:${outputIndex}`) ?? 0n), 0n),
      )
    },
    close: () => lookUp.close(),
  }
}

const readSandbox = (network: Network, chain: ChainAdapter): HoldingsReader => ({
  readsCoins: false,
  async read(asset, addresses) {
    const held: bigint[] = []
    for (const { address } of addresses)
      held.push(toUnits(await chain.balanceOf(network, asset, address), ASSET_DECIMALS[asset]))
    return held
  },
  close: () => Promise.resolve(),
})

type Options = Readonly<{
  networks: readonly Network[]
  sources: readonly BlockSource[]
  sandbox: ChainAdapter | null
  nodes: NodeConfig
  confirmations: Readonly<Record<Network, number>>
  timeoutMs: number
}>

/** Opens a reader for each network on which every order has a separate address. */
export const openHoldingsReaders = (options: Options): ReadonlyMap<Network, HoldingsReader> => {
  const { networks, sources, sandbox, nodes, confirmations, timeoutMs } = options
  return new Map(
    networks
      .filter((network) => TREASURY_NETWORKS.has(network))
      .flatMap((network) => {
        const source = sources.find((each) => each.network === network)
        if (source === undefined) return sandbox === null ? [] : [[network, readSandbox(network, sandbox)]]
        if (network === 'BTC' || network === 'LTC') return [[network, readCoins(network, nodes, timeoutMs)]]
        const { balances } = source
        return balances === undefined
          ? []
          : [[network, readAccounts(source, balances, confirmations[network])]]
      }),
  )
}

/** The assets that readers can read. */
export const unitsOf = (readers: ReadonlyMap<Network, HoldingsReader>) =>
  [...readers.keys()].flatMap((network) => NETWORK_ASSETS[network].map((asset) => ({ network, asset })))
