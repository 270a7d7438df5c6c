import type { Asset, Network } from '@causeway/contracts'

/** An output that paid an address, as a deposit names it. */
export type Coin = Readonly<{ txId: string; outputIndex: number }>

/** A transfer from one deposit address. */
export type TransferRequest = Readonly<{
  /** Number of the order's address: 1 to 2^53 - 1. */
  fromIndex: number
  asset: Asset
  toAddress: string
  /**
   * Amount that leaves the address, a decimal in the asset. If the network's fee is paid in this asset, it is included:
   * `amount` of the signed transfer and its `networkFee` are together exactly this. The fee of a token is paid in the
   * network's own asset by the gas account, and the whole amount arrives.
   */
  amount: string
  /**
   * BTC, LTC: the deposits of the address, where they are known. A node looks these up directly; without them it
   * searches all unspent outputs, which takes about a minute on the main chains. Ignored elsewhere.
   */
  coins?: readonly Coin[]
}>

/** Estimate of a transfer: `amount` arrives, `networkFee` is the maximum fee, a decimal in `feeAsset`. */
export type TransferEstimate = Pick<SignedTransfer, 'amount' | 'networkFee' | 'feeAsset'>

/** Addresses to be emptied in one asset. */
export type SweepRequest = Readonly<{
  /**
   * Numbers of the addresses: those alone are touched, so that the caller keeps out what an open order or a refund
   * needs. Addresses that hold nothing worth its fee are passed over.
   */
  fromIndices: readonly number[]
  asset: Asset
  toAddress: string
}>

/**
 * Amount that one address contributes to a transfer: a decimal in the asset, including a fee that is paid in the asset. On
 * BTC and LTC it also includes change below the dust limit, which goes to the miners in addition to the fee.
 */
export type TransferSource = Readonly<{ index: number; address: string; amount: string }>

/**
 * A transfer that is signed and that no node has seen. Plain JSON: it is stored as it is before it is broadcast, and
 * whatever crashes later, what is broadcast again is this and nothing else.
 */
export type SignedTransfer = Readonly<{
  network: Network
  asset: Asset
  /** One for a refund. For a sweep, as many as fit into one transaction: the rest waits for the next. */
  sources: readonly TransferSource[]
  toAddress: string
  /** Amount that arrives, a decimal in the asset. */
  amount: string
  /** Maximum network fee, a decimal in `feeAsset`. Exact on BTC, LTC, SOL and XRP. */
  networkFee: string
  feeAsset: Asset
  /** Id of the transaction that pays `toAddress`. */
  txId: string
  /**
   * As the nodes take them, in the order of sending: the last is `txId`. A first one pays the gas of the last where the
   * chain has no other way.
   */
  rawTransactions: readonly string[]
  /**
   * Resources that only one mined transaction can use: outputs as `txId:index`, nonces as `address/number`. Of two
   * transfers that share one, the chain accepts only one.
   */
  spends: readonly string[]
  /** Height of the chain when it, or the first version of it, was signed: its block is above. */
  signedAt: number
  /** Height of the chain when a replacement was signed; left out of a first version. */
  replacedAt?: number
}>

export type TransferProgress =
  /** No node has it: it is to be broadcast (again). */
  | Readonly<{ state: 'unknown' }>
  /** A node has it, no block has. */
  | Readonly<{ state: 'waiting' }>
  /** Its own block is the first confirmation. `networkFee` is what was paid, a decimal in `feeAsset`. */
  | Readonly<{ state: 'mined'; confirmations: number; networkFee: string }>
  /**
   * It paid nobody and never will once this has its confirmations: it was `reverted` in its block, or a block has
   * another transaction that `replaced` it. Nothing that it was to move has left its address, only `networkFee`, a decimal
   * in `feeAsset`: 0 if no block has a transaction of it.
   */
  | Readonly<{
      state: 'failed'
      reason: 'reverted' | 'replaced'
      confirmations: number
      networkFee: string
    }>

/** Why nothing was signed or sent. An immediate retry does not help. */
export type TransferRefusal =
  /** The network has no transfers, or not of this asset. */
  | 'unsupported'
  /** No address of this chain. */
  | 'wrong_address'
  /** The address holds less than is to leave it. */
  | 'insufficient_funds'
  /** The amount after the fee is zero, or too small for the network. */
  | 'below_dust'
  /** The fee that the network asks for now is above the limit of the settings. */
  | 'fee_above_limit'
  /** A transfer that is not confirmed yet spends from the address. */
  | 'address_busy'
  /** The gas account cannot pay for it. */
  | 'gas_account_empty'
  /** The nodes refuse the signed transaction for good. */
  | 'rejected'

/** Nothing was done, and the message says what has to change. An outage is a RailError instead. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
  readonly refusal: TransferRefusal

  constructor(refusal: TransferRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.refusal = refusal
  }
}

/**
 * The network side of the signer (decisions §20): moves what deposit addresses hold. It keeps nothing: the caller
 * stores what was signed, one at a time (sign, store, then sign the next), and gives what is not confirmed yet back as
 * `outstanding`. Every method throws {@link TransferError} for what has to change, RailError when no endpoint gave a
 * usable answer.
 */
export type Transfers = Readonly<{
  network: Network
  /** True if this process can send on the network. */
  canSend: boolean
  /**
   * The address that pays the fees of tokens and batches and has to be filled; null where a transfer pays its own.
   */
  gasAddress: string | null
  /** The address at which payments waits for the deposits of this number: `watchAddress` of its destination. */
  addressOf: (index: number) => string
  /** Checks the endpoints and what else the settings claim. @throws Error that names the setting */
  verify: (signal?: AbortSignal) => Promise<void>
  /**
   * Signs a transfer from one address. Nothing is broadcast. Until the first is mined, two transfers that were signed
   * for one address exclude each other, also when the first was forgotten; a token's do so by `outstanding` alone.
   * @param outstanding transfers of this network that are neither confirmed nor failed for good
   */
  sign: (
    request: TransferRequest,
    outstanding: readonly SignedTransfer[],
    signal?: AbortSignal,
  ) => Promise<SignedTransfer>
  /** Estimates the cost of a transfer and signs nothing. Refuses what {@link Transfers.sign} would refuse. */
  estimate: (request: TransferRequest, signal?: AbortSignal) => Promise<TransferEstimate>
  /** The same for many addresses; null when no address has a balance worth moving. */
  signSweep: (
    request: SweepRequest,
    outstanding: readonly SignedTransfer[],
    signal?: AbortSignal,
  ) => Promise<SignedTransfer | null>
  /** Height of the chain. */
  height: (signal?: AbortSignal) => Promise<number>
  /**
   * Signs the same transfer with a higher fee: it uses the same `spends`, so the chain takes one of the two. What leaves
   * the addresses stays the same to the unit, and so do recipient and change. A fee that is paid in the asset is taken
   * from what arrives, any other from the gas account. The fee is the network's of now, at least an eighth more than
   * before, because nodes refuse less than a tenth. Nothing is broadcast.
   * @param previous a version of the transfer. Its signature is verified: what this wallet has not signed, with exactly
   * these parts, is not replaced, because the caller's storage may have been changed
   * @param feeMax the most that the fee may be, a decimal in `feeAsset`; null: only the limits of the settings
   * @returns null when a higher fee would not help now: it is mined, or another transaction of its account is first
   * @throws TransferError; Error when this wallet has not signed `previous`
   */
  signReplacement: (
    previous: SignedTransfer,
    feeMax: string | null,
    signal?: AbortSignal,
  ) => Promise<SignedTransfer | null>
  /**
   * Sends what the nodes do not have yet; idempotent. To be called again until it is confirmed: a node forgets what
   * waits, and a transfer in two transactions sends the second when the first is mined.
   */
  broadcast: (transfer: SignedTransfer, signal?: AbortSignal) => Promise<void>
  progressOf: (transfer: SignedTransfer, signal?: AbortSignal) => Promise<TransferProgress>
  /** Confirmations of a transfer that was mined and succeeded; 0 while it waits; null for every other. */
  confirmationsOf: (transfer: SignedTransfer, signal?: AbortSignal) => Promise<number | null>
  /** Balance of the address in mined transactions, a decimal in the asset. */
  balanceOf: (index: number, asset: Asset, signal?: AbortSignal) => Promise<string>
  close: () => Promise<void>
}>
