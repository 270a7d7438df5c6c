/** Facts about the networks: assets and their units, addresses, confirmations, quotes. Nothing here connects to a node. */
export { canonicalAddress } from './chain/canonical-address.ts'
export { confirmationsOf, CONFIRMATION_SETTINGS } from './chain/confirmations.ts'
export { createDestinations, type Destinations, TREASURY_NETWORKS } from './chain/destinations.ts'
export { EXPLORER_SETTINGS, explorersOf, explorerUrl, type Explorers } from './chain/explorers.ts'
export type { Destination, NetworkChains } from './chain/network.ts'
export {
  ACCOUNT_DOCS,
  ASSET_DECIMALS,
  CONFIRMATION_DEPTHS,
  FINALITY_DEPTHS,
  isRecipient,
  isUnspendable,
  MINIMUM_AMOUNTS,
  paymentUri,
  type ReceivingAccounts,
  SANDBOX_ACCOUNTS,
  TRANSACTION_ID_FORMATS,
} from './chain/networks.ts'
export { fiatWorth, quote, quoteDecimals, type Quote } from './chain/quote.ts'
export { canonicalTransactionId } from './chain/transaction-id.ts'
export { fromUnits, parseDecimal, toUnits } from './chain/units.ts'
