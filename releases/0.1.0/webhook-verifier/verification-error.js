/** Why a delivery is refused: `missing_secret` and `body_not_raw` by a fault of the receiver, else of the sender. */

const OWN_FAULTS = new Set(['missing_secret', 'body_not_raw'])

/** A delivery is refused; `message` says what to do about it. */
export class VerificationError extends Error {
  name = 'VerificationError'
  code
  /**
   * The status to answer: 400, which ends the delivery, for a fault of the sender; 500, so that the platform retries,
   * for one of the receiver.
   */
  statusCode

  constructor(code, message) {
    super(message)
    this.code = code
    this.statusCode = OWN_FAULTS.has(code) ? 500 : 400
  }
}
