import type { Asset, Network } from '@causeway/contracts'

/** Decimals of the smallest unit on the chain: satoshi, litoshi, wei, lamport, drop; tokens as their contracts say. */
export const ASSET_DECIMALS: Readonly<Record<Asset, number>> = {
  BTC: 8,
  LTC: 8,
  ETH: 18,
  USDT: 6,
  USDC: 6,
  SOL: 9,
  XRP: 6,
}

/** ERC-20 contracts on Ethereum's main network, EIP-55 spelling. */
export const TOKEN_CONTRACTS: Readonly<Partial<Record<Asset, string>>> = {
  USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
}

/** EIP-155 id of Ethereum's main network. */
export const ETHEREUM_CHAIN_ID = 1

/**
 * Confirmations after which a deposit counts, by network. SOL counts slots (32 is finality); an XRP
 * ledger is final once validated. Payments may override each.
 */
export const CONFIRMATION_DEPTHS: Readonly<Record<Network, number>> = {
  BTC: 2,
  LTC: 6,
  ETH: 12,
  SOL: 32,
  XRP: 1,
}
