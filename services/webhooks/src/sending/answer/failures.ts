/** The answer's bytes are no HTTP/1.1. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError'
  readonly code = 'ANSWER_MALFORMED'
}

/** Names and values of one header are longer than is read. */
export class LargeHeaderError extends Error {
  override readonly name = 'LargeHeaderError'
  readonly code = 'ANSWER_HEADER_TOO_LARGE'
}

/** The receiver sends without end and answers nothing. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
  readonly code = 'ANSWER_WITHOUT_END'
}

/** The receiver ended the connection before its answer. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError'
  readonly code = 'ANSWER_MISSING'
}

/** The deadline of the whole exchange passed. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ETIMEDOUT'
}
