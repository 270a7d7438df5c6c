/** Why a delivery is refused: `missing_secret` and `body_not_raw` by a fault of the receiver, else of the sender. */
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

/** A delivery is refused; `message` says what to do about it. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
  readonly code: VerificationFailure
  /**
   * The status to answer: 400, which ends the delivery, for a fault of the sender; 500, so that the platform retries,
   * for one of the receiver.
   */
  readonly statusCode: 400 | 500

  constructor(code: VerificationFailure, message: string) {
    super(message)
    this.code = code
    this.statusCode = OWN_FAULTS.has(code) ? 500 : 400
  }
}
