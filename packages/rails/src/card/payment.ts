/**
 * `new`: the buyer has not paid; `processing`: money is on its way; `completed`: paid; `cancelled`, `expired`: not
 * paid. `new` and `processing` give `pending`, `completed` gives `paid` (spec: Fiat order transitions).
 */
export const CARD_PAYMENT_STATUSES = ['new', 'processing', 'completed', 'cancelled', 'expired'] as const
export type CardPaymentStatus = (typeof CARD_PAYMENT_STATUSES)[number]

export const CARD_REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type CardRefundStatus = (typeof CARD_REFUND_STATUSES)[number]

export type CardRefund = Readonly<{
  /** The processor's name of the refund. */
  processorRefundId: string
  /** Our `rfd_…`; null when it was made elsewhere. */
  refundId: string | null
  /** Null where the processor does not report which order the payment was for. */
  orderKey: string | null
  amountCents: number
  currency: string
  status: CardRefundStatus
  createdAt: Date
}>

/** `next` null: that was the last page. */
export type CardRefundPage = Readonly<{ refunds: readonly CardRefund[]; next: string | null }>

/** A dispute as the processor reports it; null for what it does not report, never 0. */
export type CardDispute = Readonly<{
  /** The processor's id of the dispute, the same in every report of it. */
  disputeId: string
  /** When the processor opened it. */
  disputedAt: Date | null
  /** Amount and currency are null together. */
  amountCents: number | null
  currency: string | null
  /** The processor's fee for the dispute, in the merchant's settlement currency; null together. */
  feeCents: number | null
  feeCurrency: string | null
  /** The processor's word for why, in lower case with underscores. */
  reason: string | null
}>

export type CardPayment = Readonly<{
  processorOrderId: string
  orderKey: string
  status: CardPaymentStatus
  /** The status in the processor's own words (`pspStatus`). */
  processorStatus: string
  /** Currency of the captured amount; before a capture, of the requested amount. */
  currency: string
  /** The amount requested from the buyer. */
  totalCents: number
  /** The captured amount; 0 before the capture. Refunds and disputes do not reduce it. */
  paidCents: number
  /** Sum of all refunds but the failed ones: pending refunds count. */
  refundedCents: number
  refunds: readonly CardRefund[]
  /** Empty where disputes come by file. */
  disputes: readonly CardDispute[]
  /** Each null when unknown. Personal data. */
  payer: Readonly<{ ip: string | null; email: string | null }>
}>
