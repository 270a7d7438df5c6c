/** Adapters of the card processors. */
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
