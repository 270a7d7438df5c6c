import type { Network } from '@causeway/contracts'
import {
  openBlockSources,
  readAccountHoldings,
  readUtxoHoldings,
  toNetworkChains,
  type Holdings,
} from '@causeway/rails/chains'
import { createDestinations } from '@causeway/rails/networks'
import { loadSettings } from '@causeway/chassis/settings'
import { CRYPTO_SETTINGS, toCryptoConfig, type CryptoConfig } from '../crypto-config.ts'

const TIMEOUT_MS = 15_000
/** Orders in one call. */
const MOST_ORDERS = 10_000

/** Which addresses are listed. */
export type Range = Readonly<{
  /** Live networks to list; all without one. */
  networks: readonly string[]
  /** Number of the first order, from 1. */
  from: number
  /** Number of the last order. */
  to: number
  /** True to list empty addresses too. */
  withEmpty: boolean
}>

/** @throws Error that says what a range may be */
const checkRange = ({ from, to }: Range): void => {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1 || to < from)
    throw new Error('--from and --to are the first and the last order number, starting at 1')
  if (to - from >= MOST_ORDERS)
    throw new Error(`At most ${MOST_ORDERS} orders in one call; call again with --from ${from + MOST_ORDERS}`)
}

/** Null for networks whose orders share one address. */
const readHoldings = async (
  { accounts, nodes }: CryptoConfig,
  network: Network,
  addresses: readonly string[],
): Promise<Holdings | null> => {
  if (network === 'BTC' || network === 'LTC') return readUtxoHoldings(network, nodes, addresses, TIMEOUT_MS)
  const [source] = openBlockSources([network], nodes, { accounts, timeoutMs: TIMEOUT_MS })
  if (source === undefined) throw new Error(`${network} has no nodes: see docs/GOING-LIVE.md`)
  try {
    return source.balances === undefined ? null : await readAccountHoldings(source, addresses)
  } finally {
    await source.close()
  }
}

/**
 * Lists what the addresses of orders hold now (docs/GOING-LIVE.md), as CSV: a line for each address and asset, derived
 * from the account's public key and asked of the nodes.
 * @param print takes a line of the list
 * @param note takes a line that is not of the list
 * @throws ConfigError that names every missing or bad setting; Error
 */
export const listBalances = async (
  env: NodeJS.ProcessEnv,
  range: Range,
  print: (line: string) => void,
  note: (line: string) => void,
): Promise<void> => {
  checkRange(range)
  const config = toCryptoConfig(loadSettings(CRYPTO_SETTINGS, env))
  const unknown = range.networks.find((name) => !config.networksLive.some((network) => network === name))
  if (unknown !== undefined)
    throw new Error(`${unknown} accepts no orders; NETWORKS_LIVE has ${config.networksLive.join(', ')}`)
  const networks = config.networksLive.filter(
    (network) => range.networks.length === 0 || range.networks.includes(network),
  )
  const { derive } = createDestinations(config.accounts, toNetworkChains(config.nodes))
  print('network,order,address,asset,balance,block')
  for (const network of networks) {
    const orders = new Map<string, number>()
    for (let index = range.from; index <= range.to; index += 1)
      orders.set(derive(network, index).address, index)
    const found = await readHoldings(config, network, [...orders.keys()])
    if (found === null) {
      note(
        `${network}: all orders are paid to ${String(config.accounts[network])}; its wallet shows the balance`,
      )
      continue
    }
    const lines = found.holdings
      .filter(({ balance }) => range.withEmpty || balance !== '0')
      .map(({ address, asset, balance }) => ({ order: orders.get(address) ?? 0, address, asset, balance }))
      .toSorted((a, b) => a.order - b.order)
    for (const { order, address, asset, balance } of lines)
      print([network, order, address, asset, balance, found.blockNumber].join(','))
  }
}
