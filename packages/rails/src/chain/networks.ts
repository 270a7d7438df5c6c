import { NETWORKS, type Asset, type Network } from '@causeway/contracts'
import type { UtxoChain } from './bitcoin/parameters.ts'
import { canonicalAddress } from './canonical-address.ts'
import type {
  AssetDefinition,
  Destination,
  NetworkChains,
  NetworkDefinitions,
  NetworkRules,
  TransactionIdFormat,
} from './network.ts'
import { btc } from './networks/btc.ts'
import { eth, TOKEN_CONTRACTS } from './networks/eth.ts'
import { ltc } from './networks/ltc.ts'
import { sol } from './networks/sol.ts'
import { xrp } from './networks/xrp.ts'
import { fromUnits, toUnits } from './units.ts'

const DEFINITIONS: NetworkDefinitions = { BTC: btc, LTC: ltc, ETH: eth, SOL: sol, XRP: xrp }

/** Facts about a network. */
export const networkOf = (network: Network): NetworkRules => DEFINITIONS[network]

const byNetwork = <T>(pick: (rules: NetworkRules) => T): Readonly<Record<Network, T>> =>
  Object.fromEntries(NETWORKS.map((network) => [network, pick(networkOf(network))])) as Record<Network, T>

const byAsset = <T extends string | number>(
  pick: (definition: AssetDefinition) => T,
): Readonly<Record<Asset, T>> => {
  const picked = new Map<string, T>()
  for (const network of NETWORKS)
    for (const [asset, definition] of Object.entries<AssetDefinition>(DEFINITIONS[network].assets)) {
      const value = pick(definition)
      if ((picked.get(asset) ?? value) !== value)
        throw new Error(
          `${asset} differs between two networks (${network} has ${value}); orders store amounts by asset`,
        )
      picked.set(asset, value)
    }
  return Object.fromEntries(picked) as Record<Asset, T>
}

/** Decimals of each asset's smallest unit. */
export const ASSET_DECIMALS = byAsset(({ decimals }) => decimals)
/** Price of one whole unit in EUR, in the sandbox. */
export const SANDBOX_PRICES_EUR = byAsset(({ sandboxPriceEur }) => sandboxPriceEur)
/** The least that an order may ask for, in the asset. */
export const MINIMUM_AMOUNTS = byAsset(({ minimum }) => minimum)
/** Confirmations after which a deposit counts, by network. */
export const CONFIRMATION_DEPTHS = byNetwork(({ confirmationDepth }) => confirmationDepth)
/** Depth at which deposits are looked at a last time, by network. */
export const FINALITY_DEPTHS = byNetwork(({ finalityDepth }) => finalityDepth)

/** Receiving accounts by network, from the settings `<NETWORK>_ACCOUNT`. */
export type ReceivingAccounts = Readonly<Record<Network, string>>
/** Receiving accounts with well-known private keys, for development and tests. */
export const SANDBOX_ACCOUNTS: ReceivingAccounts = byNetwork(({ account }) => account.sandbox)
/** Descriptions of the settings `<NETWORK>_ACCOUNT`. */
export const ACCOUNT_DOCS = byNetwork(({ account }) => account.doc)
/** How each network writes transaction ids. */
export const TRANSACTION_ID_FORMATS: Readonly<Record<Network, TransactionIdFormat>> = byNetwork(
  ({ transactionIds }) => transactionIds,
)

/** The chain that a network is on. ETH, SOL and XRP ignore it. */
export const chainOf = (network: Network, chains: NetworkChains): UtxoChain =>
  (network === 'BTC' || network === 'LTC' ? chains[network] : undefined) ?? 'main'

/** Checks whether money can be sent to this address on a network. */
export const isRecipient = (network: Network, address: string, chains: NetworkChains = {}): boolean =>
  networkOf(network).isRecipient(address, chainOf(network, chains))

/** True for an address from which nobody can send, and for a token's contract, which keeps what is sent to it. */
export const isUnspendable = (network: Network, address: string, chains: NetworkChains = {}): boolean => {
  const canonical = canonicalAddress(network, address)
  const contracts = network === 'ETH' ? Object.values(chains.ETH?.tokens ?? TOKEN_CONTRACTS) : []
  return (
    networkOf(network).unspendable.includes(canonical) ||
    contracts.some((contract) => canonicalAddress(network, contract) === canonical)
  )
}

/** The network's fee in this asset; null where the fee is paid in another asset and cannot be added to the amount. */
export const networkFee = (network: Network, asset: Asset): string | null => {
  const { fee } = networkOf(network)
  return fee.asset === asset ? fee.amount : null
}

/** The amount that a payer has to send, and the destination. `amount` is a decimal in the asset. */
export type PaymentRequest = Destination & Readonly<{ network: Network; asset: Asset; amount: string }>

/**
 * The URI that opens a wallet with address and amount filled in. Amounts are exact, without exponent.
 * @throws RangeError for an amount finer than the asset's smallest unit
 */
export const paymentUri = (
  { network, asset, address, watchAddress, amount }: PaymentRequest,
  chains: NetworkChains = {},
): string => {
  const units = toUnits(amount, ASSET_DECIMALS[asset])
  const exact = fromUnits(units, ASSET_DECIMALS[asset])
  return networkOf(network).paymentUri({ asset, address, watchAddress, units, amount: exact }, chains)
}
