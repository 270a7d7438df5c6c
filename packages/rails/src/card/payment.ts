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

/** What the processor said of a dispute; null is what it did not say, never 0. */
export type CardDispute = Readonly<{
  /** The processor's id of the dispute, the same in every report of it. */
  disputeId: string
  /** When the processor opened it. */
  disputedAt: Date | null
  /** Amount and currency are null together. */
  amountCents: number | null
  currency: string | null
  /** What the processor charges for the dispute, in the merchant's settlement currency; null together. */
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
  /** Of the captured amount; of the asked one before there is any. */
  currency: string
  /** What is asked of the buyer. */
  totalCents: number
  /** What was captured of the buyer; 0 before. Refunds and disputes do not lower it. */
  paidCents: number
  /** Sum of all refunds but the failed ones: pending refunds count. */
  refundedCents: number
  refunds: readonly CardRefund[]
  /** Empty where disputes come by file. */
  disputes: readonly CardDispute[]
  /** Each null when unknown. Personal data. */
  payer: Readonly<{ ip: string | null; email: string | null }>
}>
