export { canonicalAddress } from './chain/canonical-address.ts'
export { createDestinations, type Destinations } from './chain/destinations.ts'
export type { Destination, NetworkChains } from './chain/network.ts'
export {
  ACCOUNT_DOCS,
  ASSET_DECIMALS,
  CONFIRMATION_DEPTHS,
  FINALITY_DEPTHS,
  isRecipient,
  MINIMUM_AMOUNTS,
  paymentUri,
  type ReceivingAccounts,
  SANDBOX_ACCOUNTS,
  TRANSACTION_ID_FORMATS,
} from './chain/networks.ts'
export { fiatWorth, quote } from './chain/quote.ts'
export { fromUnits, toUnits } from './chain/units.ts'
export { RailError, type RailFailure } from './rail-error.ts'
export { createFixedRateSource } from './rates/fixed.ts'
export { createHttpRateSource } from './rates/http.ts'
export { createPublicRateSource, PUBLIC_RATE_SOURCES, type PublicRateSourceName } from './rates/public.ts'
export type { Rate, RateSource } from './rates/source.ts'
export {
  type ChainAdapter,
  type Deposit,
  type DepositPage,
  MAX_WATCHES_PER_CALL,
  type WatchEntry,
} from './chain/adapter.ts'
export { confirmationsOf, CONFIRMATION_SETTINGS } from './chain/confirmations.ts'
export type { BlockHeader, BlockSource, Transfer } from './chain/block-source.ts'
export { readAccountHoldings, readUtxoHoldings, type Holdings } from './chain/holdings.ts'
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
export { createSandboxChainAdapter } from './chain/sandbox-adapter.ts'
export type {
  CardProcessor,
  CardProcessors,
  CardTraits,
  Checkout,
  CheckoutRequest,
  RefundRequest,
  RefundsQuery,
} from './card/adapter.ts'
export { type CardEffect, effectOf } from './card/effect.ts'
export {
  type CardNotice,
  NOTICE_TOLERANCE_MS,
  type NoticeHeaders,
  type NoticeRefusal,
} from './card/notice.ts'
export {
  CARD_PAYMENT_STATUSES,
  CARD_REFUND_STATUSES,
  type CardDispute,
  type CardPayment,
  type CardPaymentStatus,
  type CardRefund,
  type CardRefundPage,
} from './card/payment.ts'
export {
  CARD_CHECKOUT_SETTINGS,
  CARD_SECRETS,
  CARD_SETTINGS,
  type CardConfig,
  cardProcessorOf,
  openCardProcessors,
  toCardConfig,
} from './card/processors.ts'
export { SANDBOX_CARD_TRAITS } from './card/sandbox/account.ts'
export { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from './card/sandbox/signature.ts'
export type {
  OnrampNotice,
  OnrampProvider,
  OnrampRequest,
  OpenedOrder,
  ProviderOrder,
} from './onramp/adapter.ts'
export { onrampNoticeUrl } from './onramp/account.ts'
export {
  createOnrampProvider,
  ONRAMP_SETTINGS,
  type OnrampAccount,
  toOnrampAccount,
} from './onramp/providers.ts'
export { withDeadline } from './http/deadline.ts'
