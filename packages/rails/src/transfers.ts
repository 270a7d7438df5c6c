/* The signer's part of the chains. An entry of its own, so that no other process loads what signs. */
export { openSeedKeys } from './chain/transfers/seed-keys.ts'
export { createNoTransfers } from './chain/transfers/no-transfers.ts'
export { TransferError, type Transfers } from './chain/transfers/transfers.ts'
