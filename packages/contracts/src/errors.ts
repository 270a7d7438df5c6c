/**
 * Every error code of the API with its one HTTP status and default message
 * (spec: Errors; decisions §1). A code that is not in this table does not compile.
 */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The request is not valid. See details for each field.' },
  idempotency_key_required: { status: 400, message: 'This operation needs an Idempotency-Key header.' },
  invalid_cursor: {
    status: 400,
    message: 'This cursor is not from this list. Start again without a cursor.',
  },
  unauthorized: { status: 401, message: 'The credential is missing, malformed, expired or revoked.' },
  insufficient_scope: {
    status: 403,
    message: 'The credential lacks a scope or a role that this operation needs.',
  },
  capability_not_enabled: { status: 403, message: 'The capability is not granted for this customer.' },
  resource_not_found: { status: 404, message: 'No such resource exists, or you cannot see it.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method. See the Allow header.',
  },
  invalid_state: { status: 409, message: 'The resource’s state does not allow this.' },
  limit_reached: { status: 409, message: 'The limit of this resource is reached.' },
  name_conflict: { status: 409, message: 'The name is already used by this customer.' },
  idempotency_key_reuse: { status: 409, message: 'The Idempotency-Key was used with another request.' },
  not_refundable: { status: 409, message: 'The order cannot be refunded.' },
  order_not_paid: { status: 409, message: 'The order is not paid or completed.' },
  nothing_to_refund: { status: 409, message: 'Nothing is left to refund.' },
  amount_exceeds_remaining: { status: 409, message: 'The amount exceeds the refundable amount.' },
  amount_exceeds_available: { status: 409, message: 'The amount exceeds the available balance.' },
  refund_full_value_only: { status: 409, message: 'The processor refunds only the full remaining amount.' },
  capability_unavailable: { status: 409, message: 'The capability is granted but not available now.' },
  external_id_conflict: { status: 409, message: 'Another e-mail address uses this external_customer_id.' },
  relationship_conflict: { status: 409, message: 'A relationship with this merchant already exists.' },
  checkout_blocked: { status: 409, message: 'An active chargeback case blocks the payer.' },
  payload_too_large: { status: 413, message: 'The body is too large for this operation.' },
  unsupported_media_type: { status: 415, message: 'This operation does not support the content type.' },
  validation_failed: {
    status: 422,
    message: 'The verification data is not valid. See details for each field.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Retry after the time given in Retry-After.' },
  internal_error: {
    status: 500,
    message: 'Unexpected failure. The outcome is unknown: do not retry blindly.',
  },
  provider_error: { status: 502, message: 'The processor refused the request or failed.' },
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
