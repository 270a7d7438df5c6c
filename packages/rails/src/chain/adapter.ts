import type { Asset, Network } from '@causeway/contracts'

/** An order whose destination the chain is to be watched at. */
export type WatchEntry = Readonly<{
  orderId: string
  network: Network
  asset: Asset
  /** `watchAddress` of the order's destination: unique per order on its network. */
  address: string
  /** What has to arrive, a decimal in the asset. */
  due: string
}>

/**
 * A deposit as it stood when `seq` was given. A change of its confirmations is a new entry with a
 * higher `seq`; deposits are the same when network, txId and outputIndex are.
 */
export type Deposit = Readonly<{
  /** Position in the adapter's log: above every entry before it, never used twice. */
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
  /** 0: seen, but in no block. It falls back to 0 when its block is reorganised away. */
  confirmations: number
  /** Null while in no block. */
  blockNumber: number | null
}>

export type DepositQuery = Readonly<{
  /** All networks when absent. */
  network?: Network
  /** Entries above this `seq`; 0 from the beginning, then always the last `next`. */
  after: number
  /** How long to wait for an entry when there is none; 0 answers at once. */
  waitMs: number
  signal?: AbortSignal
}>

/**
 * `next` is what to ask `after` the next time. It is lower than `after` only when the other side lost
 * its log: then the watches have to be given again too.
 */
export type DepositPage = Readonly<{ deposits: readonly Deposit[]; next: number }>

/** A view on the chains. Every method throws RailError (retryable or final) when it brings no answer. */
export type ChainAdapter = Readonly<{
  /** Idempotent by orderId: a repeated entry changes nothing. At most {@link MAX_WATCHES_PER_CALL} entries. */
  watch: (entries: readonly WatchEntry[], signal?: AbortSignal) => Promise<void>
  /** Entries in order of `seq`. An abort of `signal` is thrown as its reason. */
  deposits: (query: DepositQuery) => Promise<DepositPage>
  close: () => Promise<void>
}>

export const MAX_WATCHES_PER_CALL = 1_000
