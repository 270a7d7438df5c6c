/** How a call to the outside world failed. */
export type RailFailure =
  /** No connection was made: provably nothing was done. */
  | 'unreachable'
  /** No answer in time: what happened is unknown. */
  | 'timeout'
  /** The connection ended before the answer: what happened is unknown. */
  | 'reset'
  /** The other side answered that it is asked too much (429): nothing was done. */
  | 'throttled'
  /** The other side answered that it failed (5xx): what happened is unknown. */
  | 'unavailable'
  /** The other side answered no (4xx). */
  | 'refused'
  /** The answer is not what the contract says. */
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

/** A call to the outside world that brought no usable answer. */
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
