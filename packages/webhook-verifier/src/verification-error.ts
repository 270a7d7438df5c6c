/** Why a delivery is not taken. `missing_secret` and `body_not_raw` are the receiver's own faults, the rest the sender's. */
export type VerificationFailure =
  | 'missing_secret'
  | 'body_not_raw'
  | 'missing_header'
  | 'malformed_header'
  | 'no_matching_signature'
  | 'stale_timestamp'
  | 'body_not_json'
  | 'unknown_envelope'
  | 'wrong_channel'

const OWN_FAULTS: ReadonlySet<VerificationFailure> = new Set(['missing_secret', 'body_not_raw'])

/** A delivery that is not taken; `message` says what to do about it. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
  readonly code: VerificationFailure
  /**
   * What to answer: 400, which ends the delivery, where the sender is at fault; 500, so that the platform tries again,
   * where the receiver is.
   */
  readonly statusCode: 400 | 500

  constructor(code: VerificationFailure, message: string) {
    super(message)
    this.code = code
    this.statusCode = OWN_FAULTS.has(code) ? 500 : 400
  }
}
