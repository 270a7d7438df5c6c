import type { AuthorizationVerdict, NoticeHeaders, NoticeVerdict } from './notice.ts'
import type { CardPayment, CardRefund, CardRefundPage } from './payment.ts'

/** Traits of a processor. The platform's behaviour depends on them, never on the processor's name. */
export type CardTraits = Readonly<{
  /** Name of the adapter: in integrations, callback paths and the extra object on the merchant channel. */
  key: string
  /** The public label of the rail (`psp`). */
  pspLabel: string
  /** The account or project at the processor (`project_id`); null where it has none. */
  projectId: string | null
  /** True if partial refunds are possible; otherwise a refund must be for the whole rest. */
  partialRefunds: boolean
  /** True if a refund may name order lines. */
  orderLines: boolean
  /** Where disputes are reported: in notices and {@link CardPayment.disputes}, or in the periodic file alone. */
  disputeNotices: 'notices' | 'file'
  /** True if the processor states the disputed amount. */
  disputeAmounts: boolean
  /** True if it asks the platform before it charges ({@link CardProcessor.verifyAuthorization}). */
  asksBeforeCharge: boolean
  /** ISO 4217 codes that can be charged; null: every one. */
  currencies: ReadonlySet<string> | null
  /** Returns the step of amounts in a currency, in its minor unit; with 1, every amount can be charged and refunded. */
  amountStep: (currency: string) => number
}>

export type CheckoutRequest = Readonly<{
  /** The order's own id (`fio_…`), used as idempotency key: a repetition returns the same checkout. */
  orderId: string
  /** Returned in notices and authorisation requests; the sandbox's control endpoints name orders by it. */
  orderKey: string
  kind: 'order' | 'payment_link'
  /** The amount that the buyer pays, in the currency's ISO 4217 minor unit. */
  totalCents: number
  /** The most that will be refunded of it (spec: Refund a fiat order): full value for a processor without parts. */
  refundableCents: number
  /** ISO 4217. */
  currency: string
  /** Shown to the buyer. */
  merchantName: string
  description: string
  payerEmail: string | null
  /** Where the buyer goes after paying, and without a `failureUrl` also after giving up. */
  returnUrl: string
  failureUrl: string | null
  /**
   * `{PUBLIC_BASE_URL}/api/callbacks/cards/{key}`. The processor posts notices there, and to
   * `{noticeUrl}/authorizations` what it asks before it charges. Ignored by Stripe, where the address is set in its dashboard.
   */
  noticeUrl: string
}>

export type Checkout = Readonly<{
  /** The processor's id of the payment, for every later call. */
  processorOrderId: string
  /** The hosted page, where the buyer pays. */
  orderUrl: string
}>

export type RefundOrderLine = Readonly<{ merchantOrderLineId: string; quantity: number }>

export type RefundRequest = Readonly<{
  processorOrderId: string
  /** The refund's own id (`rfd_…`), used as idempotency key: a repetition returns the same refund. */
  refundId: string
  amountCents: number
  description: string | null
  /** Null unless {@link CardTraits.orderLines}. */
  orderLines: readonly RefundOrderLine[] | null
}>

export type RefundsQuery = Readonly<{
  /** Refunds made at or after this time. */
  since: Date
  /** Refunds made before this time, to the second; null: up to now. */
  until: Date | null
  /** `next` of the page before; null for the first. */
  cursor: string | null
}>

/**
 * A card processor. Amounts are integers in the currency's ISO 4217 minor unit; adapters convert
 * them to the processor's unit.
 *
 * Methods throw RailError when there is no usable answer; verifications return why a post is refused. For a failure of
 * `createCheckout` or `refund`, `effectOf` (effect.ts) returns `not_sent` (nothing was done: 503, key released),
 * `refused` (final: 502) or `unknown` (perhaps done: 500, reconciled by reading). The adapter never retries.
 * Repeating with the same idempotency key is safe for a day: processors forget keys after that (Stripe after 24 hours),
 * and until then Stripe replays even a 500.
 */
export type CardProcessor = Readonly<{
  traits: CardTraits
  /** Opens a hosted checkout. `refused` also for a currency or an amount that the processor cannot charge. */
  createCheckout: (request: CheckoutRequest) => Promise<Checkout>
  /** The payment's current state, with all its refunds and, where the processor reports them, its disputes. */
  readPayment: (processorOrderId: string) => Promise<CardPayment>
  /** Refunds the payer. A `pending` refund becomes `succeeded` or `failed`: read it again later. */
  refund: (request: RefundRequest) => Promise<CardRefund>
  /** All refunds of a payment, those made elsewhere included, in any order. */
  listRefunds: (processorOrderId: string) => Promise<readonly CardRefund[]>
  /**
   * All refunds since a time, a page a call, for reconciliation. Refunds of payments without a checkout of the platform
   * are left out where the processor reports it; a page that is not the last may be empty.
   */
  refundsSince: (query: RefundsQuery) => Promise<CardRefundPage>
  /**
   * Verifies a post to the notice address: signature, age, form. It may read at the processor; on a retryable RailError
   * let the notice be sent again. A notice only names a payment, which is then read by `readPayment`.
   * @param rawBody the exact bytes received
   */
  verifyNotice: (headers: NoticeHeaders, rawBody: Uint8Array, now: Date) => Promise<NoticeVerdict>
  /**
   * Verifies a post to `{noticeUrl}/authorizations`: may this payer pay? The platform answers 200 with
   * `data: {allowed: boolean}` in its envelope; on any other answer nothing is charged. Never dials.
   */
  verifyAuthorization: (headers: NoticeHeaders, rawBody: Uint8Array, now: Date) => AuthorizationVerdict
  close: () => Promise<void>
}>

/** The processors of a deployment by key; the first is what integrations begin with. */
export type CardProcessors = ReadonlyMap<string, CardProcessor>
