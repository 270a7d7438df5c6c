/* The signer's part of the chains. A separate entry, so that no other process loads code that signs. */
export { TREASURY_NUMBER } from './chain/formats/key-path.ts'
export { openTransfers } from './chain/transfers/open.ts'
export { openSeedKeys } from './chain/transfers/seed-keys.ts'
export { TRANSFER_SETTINGS, type TransferConfig } from './chain/transfers/settings.ts'
export {
  TransferError,
  type Coin,
  type TransferRequest,
  type SignedTransfer,
  type TransferProgress,
  type Transfers,
} from './chain/transfers/transfers.ts'
