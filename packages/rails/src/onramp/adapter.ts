import type { Asset, Network, OnrampStatus } from '@causeway/contracts'
import type { NoticeHeaders, NoticeRefusal } from '../card/notice.ts'

export type OnrampRequest = Readonly<{
  /** The onramp order's own id (`onr_…`), used as idempotency key where the provider supports one. */
  onrampOrderId: string
  /** ISO 4217. */
  fiat: string
  /** Decimal in the currency; null: the price of the crypto. */
  fiatAmount: string | null
  crypto: Asset
  /** Amount that has to arrive, a decimal in the asset. */
  cryptoAmount: string
  blockchain: Network
  /** Where the provider sends the crypto. */
  address: string
  /** Return address of the payer. */
  returnUrl: string | null
  /** `{PUBLIC_BASE_URL}/api/callbacks/onramp/{key}`. Ignored by Banxa, where the address is set in the dashboard. */
  noticeUrl: string
}>

/** State of an order at the provider. */
export type ProviderOrder = Readonly<{
  providerOrderId: string
  /** Our id, which identifies an order whose creation was never answered; null: not created by us. */
  onrampOrderId: string | null
  status: OnrampStatus
  /**
   * When the order was last changed: an older state never replaces a newer one. Null: the provider states no time that
   * can be read.
   */
  changedAt: Date | null
  /** Null where the provider states none. */
  orderType: string | null
  fiatAmount: string | null
  cryptoAmount: string | null
  transactionHash: string | null
  /** Checkout page; null where the provider states it only at creation. */
  checkoutUrl: string | null
  /** Where the payer sees the order's status. */
  orderStatusUrl: string | null
}>

/** An order that payers can be sent to. */
export type OpenedOrder = ProviderOrder & Readonly<{ checkoutUrl: string }>

/**
 * A genuine notice. `order` null: it names the order alone, whose status has to be read at the provider.
 */
export type OnrampNotice = Readonly<{
  providerOrderId: string
  order: ProviderOrder | null
  /** Unique to the post: a repeated id is a replay. Null where repetitions cannot be recognised. */
  postId: string | null
}>

/** `notice` null: genuine, but about nothing that the platform handles. Answer 200. */
export type OnrampNoticeVerdict =
  Readonly<{ ok: true; notice: OnrampNotice | null }> | Readonly<{ ok: false; reason: NoticeRefusal }>

/**
 * An onramp provider. Every method but `verifyNotice` throws RailError when there is no usable answer; `effectOf`
 * (card/effect.ts) says what a failure of `createOrder` means: `not_sent`, `refused` or `unknown`.
 */
export type OnrampProvider = Readonly<{
  /** Name of the adapter: in callback paths, and in place of `provider` in the keys of ramping events. */
  key: string
  /**
   * Repeating it with the same id is safe: it returns the same order. Where the provider has no idempotency and the first
   * answer was lost, it creates another order; no payer knows the checkout of the first, which expires.
   */
  createOrder: (request: OnrampRequest) => Promise<OpenedOrder>
  readOrder: (providerOrderId: string) => Promise<ProviderOrder>
  /**
   * Verifies a post to the notice address: signature, age, form. Sends no request.
   * @param rawBody the exact bytes received
   */
  verifyNotice: (headers: NoticeHeaders, rawBody: Uint8Array, now: Date) => OnrampNoticeVerdict
  close: () => Promise<void>
}>
