/** Adapters that read the chains from nodes, or from the sandbox. */
export type { ChainAdapter, Deposit, DepositPage, WatchEntry } from './chain/adapter.ts'
export type { BlockHeader, BlockSource, Transfer } from './chain/block-source.ts'
export {
  type HeldCoin,
  type Holdings,
  openCoinLookUp,
  readAccountHoldings,
  readUtxoHoldings,
} from './chain/holdings.ts'
export { createEthereumBlockSource } from './chain/ethereum/block-source.ts'
export { createBitcoinBlockSource } from './chain/bitcoin/block-source.ts'
export { createRippleBlockSource } from './chain/ripple/block-source.ts'
export { createSolanaBlockSource } from './chain/solana/block-source.ts'
export {
  NODE_SETTINGS,
  type NodeConfig,
  nodeSettingsOf,
  openBlockSources,
  toNetworkChains,
} from './chain/nodes.ts'
export { findPayment } from './chain/payment-proof.ts'
export { createSandboxChainAdapter } from './chain/sandbox-adapter.ts'
