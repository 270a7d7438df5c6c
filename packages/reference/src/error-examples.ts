import { ERRORS, type ErrorCode, type ErrorDetail } from '@causeway/contracts'

const REQUEST_ID = 'req_01m801kfq8eness51qpyf2cy99'

/** `details` as the platform answers them, of every code that has some. */
const DETAILS: Readonly<Partial<Record<ErrorCode, readonly ErrorDetail[]>>> = {
  invalid_request: [
    { field: 'email', reason: 'required' },
    { field: 'company', reason: 'unknown_field' },
  ],
  validation_failed: [{ field: 'ubos.0.ownership_percent', reason: 'too_small' }],
  invalid_state: [{ from: 'satisfied', to: 'open' }],
  amount_exceeds_remaining: [{ remaining_refundable_cents: 6_250 }],
  amount_exceeds_available: [{ available: 4_200 }],
  refund_full_value_only: [{ remaining_refundable_cents: 10_250 }],
  capability_unavailable: [{ reason: 'verification_required' }],
}

/** An example of an error in its envelope. @param message the route's own text, where it has one */
export const errorExample = (code: ErrorCode, message: string = ERRORS[code].message) => {
  const details = DETAILS[code]
  return {
    value: {
      error: { code, message, request_id: REQUEST_ID, ...(details === undefined ? {} : { details }) },
    },
  }
}
