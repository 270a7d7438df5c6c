/**
 * Every error code of the API with its one HTTP status and default message
 * (spec: Errors; decisions §1). A code that is not in this table does not compile.
 */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The request is not valid. See details for each field.' },
  idempotency_key_required: { status: 400, message: 'This operation needs an Idempotency-Key header.' },
  invalid_cursor: {
    status: 400,
    message: 'The cursor was not issued by this list. Start again without one.',
  },
  unauthorized: { status: 401, message: 'The credential is missing, malformed, expired or revoked.' },
  insufficient_scope: {
    status: 403,
    message: 'The credential lacks a scope or a role that this operation needs.',
  },
  capability_not_enabled: { status: 403, message: 'The capability is not granted for this customer.' },
  resource_not_found: { status: 404, message: 'No such resource is visible to the caller.' },
  method_not_allowed: { status: 405, message: 'This path does not take this method. See the Allow header.' },
  invalid_state: { status: 409, message: 'The resource is not in a state that allows this.' },
  limit_reached: { status: 409, message: 'The limit of this resource is reached.' },
  name_conflict: { status: 409, message: 'The name is already used by this customer.' },
  idempotency_key_reuse: { status: 409, message: 'The Idempotency-Key was used with another request.' },
  not_refundable: { status: 409, message: 'The order cannot be refunded.' },
  order_not_paid: { status: 409, message: 'The order is neither paid nor completed.' },
  nothing_to_refund: { status: 409, message: 'Nothing of the order remains to be refunded.' },
  amount_exceeds_remaining: { status: 409, message: 'The amount exceeds what remains refundable.' },
  refund_full_value_only: { status: 409, message: 'The processor refunds the full remaining value only.' },
  capability_unavailable: { status: 409, message: 'The capability is granted but not available now.' },
  external_id_conflict: { status: 409, message: 'The external_customer_id belongs to another e-mail.' },
  relationship_conflict: { status: 409, message: 'A relationship with this merchant exists already.' },
  checkout_blocked: { status: 409, message: 'The payer is blocked by an active chargeback case.' },
  payload_too_large: { status: 413, message: 'The body is larger than this operation takes.' },
  unsupported_media_type: { status: 415, message: 'The content type is not one that this operation takes.' },
  validation_failed: {
    status: 422,
    message: 'The verification data is not valid. See details for each field.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Retry after the time given in Retry-After.' },
  internal_error: {
    status: 500,
    message: 'Unexpected failure; the outcome is unknown. Do not retry blindly.',
  },
  provider_error: { status: 502, message: 'The processor refused or failed.' },
  temporarily_unavailable: { status: 503, message: 'Nothing was done. Retry shortly.' },
} as const satisfies Record<string, { status: number; message: string }>

/** One of the codes of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS

/** Why a field was refused (decisions §1, "Which 400 details"). */
export const FIELD_REASONS = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_value',
  'too_long',
  'too_short',
  'too_many',
  'too_small',
  'too_big',
  'too_large',
  'not_https',
  'forbidden_address',
  'unsupported_type',
  'unsupported_version',
  'invalid_json',
  'invalid_date',
] as const

/** One of {@link FIELD_REASONS}. */
export type FieldReason = (typeof FIELD_REASONS)[number]

/** One entry of an error's `details`. */
export type ErrorDetail = Readonly<Record<string, unknown>>

/** An expected refusal: a code of the table and what the caller needs to correct the request. */
export type Refusal<C extends ErrorCode = ErrorCode> = Readonly<{
  ok: false
  code: C
  details?: readonly ErrorDetail[]
  /** Set where an earlier call with the key had this outcome (decisions §1, Idempotency-Key). */
  replay?: Readonly<{ requestId: string }>
}>
