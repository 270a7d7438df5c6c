/** Response to one attempt. */
export type Answer = Readonly<{
  /** Null when no final status line arrived. */
  statusCode: number | null
  /** Why there is no status; null when there is one. */
  failure: unknown
  retryAfter: string | undefined
  /** At most 8 KiB of the body, undecoded content codings included. */
  body: Buffer
}>

/** The connection was closed before an answer. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError'
  readonly code = 'ANSWER_MISSING'
}

/** The receiver sends without end and answers nothing. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
  readonly code = 'ANSWER_WITHOUT_END'
}

/** The deadline of the whole exchange passed. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ETIMEDOUT'
}
