/** How a call to the outside world failed. */
export type RailFailure =
  /** No connection was made: provably nothing was done. */
  | 'unreachable'
  /** No answer in time: the outcome is unknown. */
  | 'timeout'
  /** The connection ended before the answer: the outcome is unknown. */
  | 'reset'
  /** 429: nothing was done. */
  | 'throttled'
  /** 5xx: the outcome is unknown. */
  | 'unavailable'
  /** Any other 4xx: the other side refused. */
  | 'refused'
  /** The answer does not have the documented shape. */
  | 'malformed'

const RETRYABLE: Readonly<Record<RailFailure, boolean>> = {
  unreachable: true,
  timeout: true,
  reset: true,
  throttled: true,
  unavailable: true,
  refused: false,
  malformed: false,
}

/** A call to the outside world without a usable answer. */
export class RailError extends Error {
  override readonly name = 'RailError'
  readonly failure: RailFailure
  /** False when the same call would fail the same way again. */
  readonly retryable: boolean

  constructor(failure: RailFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
    this.retryable = RETRYABLE[failure]
  }
}
