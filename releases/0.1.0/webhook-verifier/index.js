export { repetitionKey } from './repetition-key.js'
export { VerificationError } from './verification-error.js'
export { isPartnerEvent, verify, verifyMerchantEvent, verifyPartnerEvent } from './verify.js'
