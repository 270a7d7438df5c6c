import type { Asset, Network, NETWORK_ASSETS } from '@causeway/contracts'
import type { UtxoChain, UtxoNetwork } from './bitcoin/parameters.ts'

/** An asset of a network. */
export type AssetDefinition = Readonly<{
  /** Decimals of the smallest unit on the chain: satoshi, wei, lamport; a token's as its contract says. */
  decimals: number
  /** Price of one whole unit in EUR in the sandbox: invented but plausible, the same every day. */
  sandboxPriceEur: string
  /** The least that an order may ask for: less is not relayed or accepted by the network, or never worth a transfer. */
  minimum: string
}>

export type Destination = Readonly<{
  /** Address for the payer. XRP: an X-address with the order's tag. */
  address: string
  /**
   * The address at which deposits are reported; unique per order. The same as `address`, except on SOL, where it is
   * the reference key of the order.
   */
  watchAddress: string
}>

/**
 * Derives the destination of the order with this number, 1 to 2^53 - 1.
 * @throws RangeError for a number that the account has no destination for
 */
export type Derive = (number: number) => Destination

/** Parts of a payment URI. */
export type PaymentTerms = Destination &
  Readonly<{
    asset: Asset
    /** The amount in the asset, without trailing zeros or exponent. */
    amount: string
    /** The same amount in the asset's smallest unit. */
    units: bigint
  }>

/** A chain of Ethereum's form: its EIP-155 id, and the contracts of the tokens that orders are paid in. */
export type EvmChain = Readonly<{ chainId: number; tokens: Readonly<Partial<Record<Asset, string>>> }>

/** The chain of each network that has several; the main one where none is given. */
export type NetworkChains = Readonly<Partial<Record<UtxoNetwork, UtxoChain> & { ETH: EvmChain }>>

/** The account of a network that deposits go to. Public material only: the platform holds no private key (decisions §9). */
export type AccountDefinition = Readonly<{
  /** Description of the setting `<NETWORK>_ACCOUNT`. */
  doc: string
  /**
   * The account of the sandbox: the first one of the well-known test mnemonic "abandon … about" (BIP-39 test vectors).
   * Its private keys are public: money that is sent there on a real chain is lost.
   */
  sandbox: string
  /**
   * Checks an account of this chain and precomputes the shared part of its derivations.
   * @throws ExtendedKeyError whose message continues "The receiving account of BTC …"
   */
  open: (account: string, chain: UtxoChain) => Derive
  /** The last number that an account has a destination for; left out: 2^53 - 1. */
  lastOf?: (account: string) => number
}>

/** How transaction ids are written. */
export type TransactionIdFormat = 'hex' | 'upper-case hex' | '0x hex' | 'base58 signature'

type AssetOf<N extends Network> = (typeof NETWORK_ASSETS)[N][number]

/** Properties of a network that do not depend on the asset. */
export type NetworkRules = Readonly<{
  /** Confirmations after which a deposit counts. */
  confirmationDepth: number
  /** Depth from which on nobody expects a block to be replaced: deposits are looked at there a last time. */
  finalityDepth: number
  /** Network fee that the payer's wallet adds, in the asset of fees: an estimate for display. */
  fee: Readonly<{ asset: Asset; amount: string }>
  account: AccountDefinition
  transactionIds: TransactionIdFormat
  /**
   * Checks whether money can be sent to this address: well formed, of this chain of the network, with a valid checksum if
   * the format has one. It cannot know whether anybody holds the key.
   */
  isRecipient: (address: string, chain: UtxoChain) => boolean
  /** Known addresses, canonically spelled, from which nobody can send: money that arrives there is lost. */
  unspendable: readonly string[]
  /** The URI that opens a wallet with address and amount filled in. */
  paymentUri: (terms: PaymentTerms, chains: NetworkChains) => string
}>

/** Everything that the platform knows about a network: its file in `networks/` is the only place for it (ADR 0048). */
export type NetworkDefinition<N extends Network> = NetworkRules &
  Readonly<{ assets: Readonly<Record<AssetOf<N>, AssetDefinition>> }>

/** A definition of every network, each with all its assets: a missing one does not compile. */
export type NetworkDefinitions = Readonly<{ [N in Network]: NetworkDefinition<N> }>
