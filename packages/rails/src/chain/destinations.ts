import type { Network } from '@causeway/contracts'
import { base58 } from '@scure/base'
import { ethereumAddress, segwitAddress, solanaReference } from './addresses.ts'
import { childPublicKey, type ExternalChain, externalChain, ExtendedKeyError } from './extended-key.ts'
import { decodeClassicAddress, encodeXAddress } from './xrp-address.ts'

/**
 * Where deposits go, by network. Public material only: the platform that takes orders holds no
 * private key (decisions §9).
 */
export type ReceivingAccounts = Readonly<{
  /** Account key m/84'/0'/0' as `zpub` or `xpub`. */
  BTC: string
  /** Account key m/84'/2'/0' as `zpub`, `xpub` or `Ltub`. */
  LTC: string
  /** Account key m/44'/60'/0' as `xpub`. */
  ETH: string
  /** One receiving address, base58. */
  SOL: string
  /** One account, classic address `r…`. */
  XRP: string
}>

export type Destination = Readonly<{
  /** What the payer is shown. XRP: an X-address with the order's tag. */
  address: string
  /**
   * What a deposit is recognised by; unique per order. The same as `address`, except on SOL, where it
   * is the reference key of the order.
   */
  watchAddress: string
}>

/** Gives the destination of the order with this number. */
export type Destinations = Readonly<{
  /**
   * @param index 1 to 2^31 - 1, never used twice on a network: the child number (BTC, LTC, ETH), the
   *   destination tag (XRP), the seed of the reference (SOL)
   */
  derive: (network: Network, index: number) => Destination
}>

type Derive = (index: number) => Destination

const MAX_INDEX = 2 ** 31 - 1

const fresh = (address: string): Destination => ({ address, watchAddress: address })

const segwit = (prefix: 'bc' | 'ltc', chain: ExternalChain): Derive => {
  return (index) => fresh(segwitAddress(prefix, childPublicKey(chain, index, true)))
}

const solana = (address: string): Derive => {
  const account = decodeSolanaAccount(address)
  return (index) => ({ address, watchAddress: solanaReference(account, index) })
}

const decodeSolanaAccount = (address: string): Uint8Array => {
  const account = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) ? base58.decode(address) : undefined
  if (account?.length !== 32) throw new ExtendedKeyError('is not a Solana address')
  return account
}

const xrp = (classic: string): Derive => {
  const account = decodeClassicAddress(classic)
  if (!account) throw new ExtendedKeyError('is not a classic XRP Ledger address')
  return (index) => fresh(encodeXAddress(account, index))
}

/** Turns off a network that has no receiving account, and tells whose account a fault is about. */
const within = (
  network: Network,
  account: string | undefined,
  build: (account: string) => Derive,
): [Network, Derive][] => {
  if (account === undefined) return []
  try {
    return [[network, build(account)]]
  } catch (error) {
    if (error instanceof ExtendedKeyError)
      throw new ExtendedKeyError(`The receiving account of ${network} ${error.message}`)
    throw error
  }
}

/**
 * Checks every receiving account once and precomputes what all derivations share. A network without an account
 * derives nothing.
 * @throws ExtendedKeyError that names the network
 */
export const createDestinations = (accounts: Partial<ReceivingAccounts>): Destinations => {
  const derivers = new Map([
    ...within('BTC', accounts.BTC, (key) => segwit('bc', externalChain(key, ['zpub', 'xpub']))),
    ...within('LTC', accounts.LTC, (key) => segwit('ltc', externalChain(key, ['zpub', 'xpub', 'Ltub']))),
    ...within('ETH', accounts.ETH, (key) => {
      const external = externalChain(key, ['xpub'])
      return (index) => fresh(ethereumAddress(childPublicKey(external, index, false)))
    }),
    ...within('SOL', accounts.SOL, solana),
    ...within('XRP', accounts.XRP, xrp),
  ])
  return {
    derive: (network, index) => {
      const derive = derivers.get(network)
      if (!derive) throw new RangeError(`${network} has no receiving account`)
      if (!Number.isInteger(index) || index < 1 || index > MAX_INDEX)
        throw new RangeError('index out of range')
      return derive(index)
    },
  }
}
