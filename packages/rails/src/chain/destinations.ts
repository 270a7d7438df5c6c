import { NETWORKS, type Network } from '@causeway/contracts'
import { ExtendedKeyError } from './formats/extended-key.ts'
import { TREASURY_NUMBER } from './formats/key-path.ts'
import type { Derive, Destination, NetworkChains } from './network.ts'
import { chainOf, networkOf, type ReceivingAccounts } from './networks.ts'

/** Derives the destination of the order with this number. */
export type Destinations = Readonly<{
  /**
   * @param number 1 to 2^53 - 1, never used twice on a network: generation and child number (BTC, LTC, ETH), account
   *   and destination tag (XRP), the seed of the reference (SOL)
   */
  derive: (network: Network, number: number) => Destination
  /** The last number that the network's account has a destination for. */
  lastOf: (network: Network) => number
  /** The address from which the signer sends payouts, as `watchAddress` is written; null for a network without one. */
  treasuryOf: (network: Network) => string | null
}>

/** Networks that have an address for each number, and so one of the treasury. */
export const TREASURY_NETWORKS: ReadonlySet<Network> = new Set(['BTC', 'LTC', 'ETH'])

const openAccount = (network: Network, account: string, chains: NetworkChains): Derive => {
  try {
    return networkOf(network).account.open(account, chainOf(network, chains))
  } catch (error) {
    if (error instanceof ExtendedKeyError)
      throw new ExtendedKeyError(`The receiving account of ${network} ${error.message}`)
    throw error
  }
}

/**
 * Checks every receiving account once and precomputes the shared part of its derivations. Nothing can be derived for a
 * network without an account.
 * @param chains the settings `BTC_CHAIN` and `LTC_CHAIN`
 * @throws ExtendedKeyError that names the network
 */
export const createDestinations = (
  accounts: Partial<ReceivingAccounts>,
  chains: NetworkChains = {},
): Destinations => {
  const derivers = new Map<Network, Derive>()
  for (const network of NETWORKS) {
    const account = accounts[network]
    if (account !== undefined) derivers.set(network, openAccount(network, account, chains))
  }
  return {
    derive: (network, number) => {
      const derive = derivers.get(network)
      if (!derive) throw new RangeError(`${network} has no receiving account`)
      if (!Number.isSafeInteger(number) || number < 1) throw new RangeError('number out of range')
      return derive(number)
    },
    lastOf(network) {
      const account = accounts[network]
      return account === undefined
        ? 0
        : (networkOf(network).account.lastOf?.(account) ?? Number.MAX_SAFE_INTEGER)
    },
    treasuryOf: (network) =>
      TREASURY_NETWORKS.has(network) ? (derivers.get(network)?.(TREASURY_NUMBER).watchAddress ?? null) : null,
  }
}
