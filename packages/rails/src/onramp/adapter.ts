import type { Asset, Network, OnrampStatus } from '@causeway/contracts'
import type { NoticeHeaders, NoticeRefusal } from '../card/notice.ts'

export type OnrampRequest = Readonly<{
  /** The onramp order's own id (`onr_…`): the idempotency key. The same again is the same order. */
  onrampOrderId: string
  /** ISO 4217. */
  fiat: string
  /** Decimal in the currency; null: what the crypto costs. */
  fiatAmount: string | null
  crypto: Asset
  /** Decimal in the asset: what has to arrive. */
  cryptoAmount: string
  blockchain: Network
  /** Where the provider sends the crypto. */
  address: string
  /** Where the payer goes afterwards. */
  returnUrl: string | null
  /** `{PUBLIC_BASE_URL}/api/callbacks/onramp/{key}`. */
  noticeUrl: string
}>

/** An order as the provider has it at a moment. */
export type ProviderOrder = Readonly<{
  providerOrderId: string
  /** Ours, by which an order whose creation was never answered is recognised. */
  onrampOrderId: string
  status: OnrampStatus
  /** When the status was taken on: an older state never replaces a newer one. */
  changedAt: Date
  orderType: string
  fiatAmount: string | null
  cryptoAmount: string | null
  transactionHash: string | null
  checkoutUrl: string
  /** Where the payer sees how it stands. */
  orderStatusUrl: string | null
}>

/**
 * What a genuine notice says. `order` null: only where to look, so the order has to be read before anything is
 * believed.
 */
export type OnrampNotice = Readonly<{ providerOrderId: string; order: ProviderOrder | null }>

export type OnrampNoticeVerdict =
  Readonly<{ ok: true; notice: OnrampNotice }> | Readonly<{ ok: false; reason: NoticeRefusal }>

/**
 * An onramp provider. Every method but `verifyNotice` throws RailError when it brings no answer; what a failure of
 * `createOrder` means is told by `effectOf` (card/effect.ts): `not_sent`, `refused` or `unknown`.
 */
export type OnrampProvider = Readonly<{
  /** Name of the adapter: in callback paths, and in place of `provider` in the keys of ramping events. */
  key: string
  createOrder: (request: OnrampRequest) => Promise<ProviderOrder>
  readOrder: (providerOrderId: string) => Promise<ProviderOrder>
  /**
   * Judges a post to the notice address: signature, age, form. Never dials.
   * @param rawBody the exact bytes received
   */
  verifyNotice: (headers: NoticeHeaders, rawBody: Uint8Array, now: Date) => OnrampNoticeVerdict
  close: () => Promise<void>
}>
