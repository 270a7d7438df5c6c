export type { DeliveryHeaders } from './delivery-headers.ts'
export type * from './events.ts'
export { isOutdated, subjectOf } from './order-of-events.ts'
export { repetitionKey } from './repetition-key.ts'
export { VerificationError, type VerificationFailure } from './verification-error.ts'
export {
  isPartnerEvent,
  verify,
  verifyMerchantEvent,
  verifyPartnerEvent,
  type RawBody,
  type Secrets,
  type VerifyOptions,
  type WebhookEvent,
} from './verify.ts'
