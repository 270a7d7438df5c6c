export {
  acceptAgreements,
  SAMPLE_CASE,
  SAMPLE_FILE,
  submitCase,
  uploadSample,
  verifyCustomer,
  type CaseState,
} from './verification.ts'
export { cardOrderBody, cryptoOrderBody, customerBody, findIntegration } from './bodies.ts'
