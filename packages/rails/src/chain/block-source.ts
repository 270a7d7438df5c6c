import type { Asset, Network } from '@causeway/contracts'

/** A block's place in its chain. */
export type BlockHeader = Readonly<{
  /** Height (BTC, LTC, ETH), slot (SOL), ledger index (XRP). Grows along the chain; slots skip numbers. */
  number: number
  hash: string
  /** Hash of the block before it in its chain. */
  parentHash: string
  /** The chain's own time of the block. */
  minedAt: Date
}>

/** The amount that one output of a transaction pays to an address. */
export type Transfer = Readonly<{
  asset: Asset
  /** Written as the `watchAddress` of a destination: compared with those by equality. */
  address: string
  txId: string
  /**
   * Output (BTC, LTC); of a token of ETH the log's place in its transaction, from 1; on SOL the transfer's place among
   * those of its kind; 0 elsewhere. With `txId` it names the transfer, in whichever block it is mined.
   */
  outputIndex: number
  /** Decimal in the asset, above 0. */
  amount: string
  /**
   * BTC, LTC: the outputs that its transaction spends, as `txId:index`. Its id covers them: an endpoint cannot invent one.
   * Elsewhere there are none.
   */
  spends?: readonly string[]
  /**
   * SOL, XRP: where the transfer arrived at an account of the platform that all orders share: the account, written as the
   * `address` of a destination, and its sender where the chain names one. Absent for transfers to others, and for those
   * that the platform's own accounts send.
   */
  shared?: Readonly<{ address: string; sender: string | null }>
}>

/**
 * The blocks of one network, read from its endpoints (decisions §20). It keeps no state between
 * calls that a result depends on: the reader stores its position in its database. Endpoints are not trusted: a response
 * that contradicts itself or another endpoint is a retryable RailError, never an empty list.
 */
export type BlockSource = Readonly<{
  network: Network
  /**
   * Checks at the start what the settings claim of the endpoints: chain, genesis block, decimals of tokens.
   * @throws Error that names the setting
   */
  verify: (signal?: AbortSignal) => Promise<void>
  /** The newest block that the endpoints agree on. */
  head: (signal?: AbortSignal) => Promise<BlockHeader>
  /** The first block of the canonical chain above this number, or null if there is no block yet. */
  next: (number: number, signal?: AbortSignal) => Promise<BlockHeader | null>
  /** Every transfer in this block in an asset that orders accept, to any recipient. */
  transfers: (block: BlockHeader, signal?: AbortSignal) => Promise<readonly Transfer[]>
  /**
   * Number of the block that contains a transaction, as an endpoint reports it; null if none knows it in a block. It only
   * says where to look: the caller checks the block. ETH: null for a transaction that failed.
   * @param txId as the network writes it
   */
  blockOf: (txId: string, signal?: AbortSignal) => Promise<number | null>
  /** SOL only: every transfer in this block to this account. Elsewhere `transfers` has them. */
  transfersTo?: (
    block: BlockHeader,
    signal: AbortSignal | undefined,
    address: string,
  ) => Promise<readonly Transfer[]>
  /** Transfers that wait to be mined, where a network lets them be seen (BTC, LTC); elsewhere none. */
  pending: (signal?: AbortSignal) => Promise<readonly Transfer[]>
  /**
   * ETH only: the balances of these addresses at the end of the block, in the same order and in the asset's smallest
   * unit; in wei without an asset. Finds payments by contracts, which are no separate transactions.
   */
  balances?: (
    addresses: readonly string[],
    block: BlockHeader,
    signal?: AbortSignal,
    asset?: Asset,
  ) => Promise<readonly bigint[]>
  close: () => Promise<void>
}>
