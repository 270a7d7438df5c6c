import type { AuthorizationVerdict, NoticeHeaders, NoticeVerdict } from './notice.ts'
import type { CardPayment, CardRefund, CardRefundPage } from './payment.ts'

/** What the platform may expect of a processor. Behaviour follows these alone, never the processor's name. */
export type CardTraits = Readonly<{
  /** Name of the adapter: in integrations, callback paths and the extra object on the merchant channel. */
  key: string
  /** The public label of the rail (`psp`). */
  pspLabel: string
  /** The account or project at the processor (`project_id`); null where it has none. */
  projectId: string | null
  /** False: a refund is of the whole of what is left to refund, or refused. */
  partialRefunds: boolean
  /** Whether a refund may name order lines. Lines are refused by a processor that takes none. */
  orderLines: boolean
  /** How disputes become known: in notices and {@link CardPayment.disputes}, or by the periodic file alone. */
  disputeNotices: 'notices' | 'file'
  /** Whether the processor states what the cardholder disputed. */
  disputeAmounts: boolean
  /** Whether it asks the platform before it charges ({@link CardProcessor.verifyAuthorization}). */
  asksBeforeCharge: boolean
  /** ISO 4217 codes that can be charged; null: every one. */
  currencies: ReadonlySet<string> | null
}>

export type CheckoutRequest = Readonly<{
  /** The order's own id (`fio_…`): the idempotency key. The same again is the same checkout. */
  orderId: string
  /** Returned in notices and authorisation requests; the sandbox's control endpoints name orders by it. */
  orderKey: string
  kind: 'order' | 'payment_link'
  /** What the buyer pays, in the currency's ISO 4217 minor unit. */
  totalCents: number
  /** The most that will be refunded of it (spec: Refund a fiat order): full value for a processor without parts. */
  refundableCents: number
  /** ISO 4217. */
  currency: string
  /** Shown to the buyer. */
  merchantName: string
  description: string
  payerEmail: string | null
  /** Where the buyer goes afterwards; null: the hosted page says how it ended. */
  returnUrl: string | null
  failureUrl: string | null
  /**
   * `{PUBLIC_BASE_URL}/api/callbacks/cards/{key}`. The processor posts notices there, and to
   * `{noticeUrl}/authorizations` what it asks before it charges. Ignored by Stripe, where the address is set in its dashboard.
   */
  noticeUrl: string
}>

export type Checkout = Readonly<{
  /** The processor's name of the payment: what every later call takes. */
  processorOrderId: string
  /** The hosted page, where the buyer pays. */
  orderUrl: string
}>

export type RefundOrderLine = Readonly<{ merchantOrderLineId: string; quantity: number }>

export type RefundRequest = Readonly<{
  processorOrderId: string
  /** The refund's own id (`rfd_…`): the idempotency key. The same again is the same refund. */
  refundId: string
  amountCents: number
  description: string | null
  /** Null unless {@link CardTraits.orderLines}. */
  orderLines: readonly RefundOrderLine[] | null
}>

export type RefundsQuery = Readonly<{
  /** Refunds made at or after this time. */
  since: Date
  /** And before this one, to the second; null: up to now. */
  until: Date | null
  /** `next` of the page before; null for the first. */
  cursor: string | null
}>

/**
 * A card processor. Amounts are integers in the currency's ISO 4217 minor unit, whatever the processor counts in.
 *
 * Every method but the verifications of malformed input throws RailError when it brings no answer. What a failure
 * of `createCheckout` and `refund` means is what `effectOf` (effect.ts) returns: `not_sent` (nothing was done: 503, key
 * released), `refused` (the processor said no, final: 502) or `unknown` (perhaps done: 500, to be reconciled by
 * reading). Nothing is ever repeated by the adapter itself. Asking again with the same idempotency key is safe for a
 * day: processors forget keys after that (Stripe after 24 hours), and Stripe repeats even a 500 until then.
 */
export type CardProcessor = Readonly<{
  traits: CardTraits
  /** Opens a hosted checkout. `refused` also for a currency or an amount that the processor cannot charge. */
  createCheckout: (request: CheckoutRequest) => Promise<Checkout>
  /** The payment's current state, with all its refunds and, where the processor reports them, its disputes. */
  readPayment: (processorOrderId: string) => Promise<CardPayment>
  /** Money back to the payer. A result that is `pending` ends as `succeeded` or `failed`: read it again later. */
  refund: (request: RefundRequest) => Promise<CardRefund>
  /** All refunds of a payment, those made elsewhere included; in no promised order. */
  listRefunds: (processorOrderId: string) => Promise<readonly CardRefund[]>
  /**
   * All refunds since a time, a page a call: what reconciliation compares. Those of payments that no checkout of the
   * platform made are left out where the processor reports it; a page may be empty and not the last.
   */
  refundsSince: (query: RefundsQuery) => Promise<CardRefundPage>
  /**
   * Verifies a post to the notice address: signature, age, form. It may read the processor (retryable RailError: let
   * the notice come again). A good notice says only where to look: what it is about is read by `readPayment`.
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
