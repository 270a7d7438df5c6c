import type { Asset, Network } from '@causeway/contracts'

/** An order whose destination is to be watched. */
export type WatchEntry = Readonly<{
  orderId: string
  network: Network
  asset: Asset
  /** `watchAddress` of the order's destination: unique per order on its network. */
  address: string
  /** The amount due, a decimal in the asset. */
  due: string
}>

/**
 * State of a deposit at its position `seq` of the log. A change of its confirmations is a new entry with a higher `seq`;
 * network, txId and outputIndex identify a deposit.
 */
export type Deposit = Readonly<{
  /** Position in the adapter's log; always growing, never used twice. */
  seq: number
  network: Network
  asset: Asset
  /** The watched address that it arrived at. */
  address: string
  txId: string
  /** Output (BTC, LTC), log index (ETH); 0 elsewhere. */
  outputIndex: number
  /** Decimal in the asset. */
  amount: string
  /** Its own block is the first. 0: seen, but in no block. It becomes 0 again when a reorganisation removes its block. */
  confirmations: number
  /** Height and hash of its block; null while in no block. */
  blockNumber: number | null
  blockHash: string | null
}>

export type DepositQuery = Readonly<{
  /** All networks when absent. */
  network?: Network
  /** Entries above this `seq`; 0 from the beginning, then always the last `next`. */
  after: number
  /** How long to wait for an entry if the feed has no new one; 0 returns immediately. */
  waitMs: number
  signal?: AbortSignal
}>

/**
 * `next` is the `after` of the next call. It is lower than `after` only when the other side has lost its log: then all
 * destinations have to be registered again too.
 */
export type DepositPage = Readonly<{ deposits: readonly Deposit[]; next: number }>

/** Access to the chains. Every method throws RailError (retryable or final) when there is no usable answer. */
export type ChainAdapter = Readonly<{
  /** Idempotent by orderId: a repeated entry changes nothing. At most {@link MAX_WATCHES_PER_CALL} entries. */
  watch: (entries: readonly WatchEntry[], signal?: AbortSignal) => Promise<void>
  /** Entries in order of `seq`. An abort of `signal` is thrown as its reason. */
  deposits: (query: DepositQuery) => Promise<DepositPage>
  /** Balance of an address, a decimal in the asset. */
  balanceOf: (network: Network, asset: Asset, address: string) => Promise<string>
  close: () => Promise<void>
}>

export const MAX_WATCHES_PER_CALL = 1_000
