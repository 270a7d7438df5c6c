import { RailError, type RailFailure } from '../rail-error.ts'

/** What a failed call that was to change something at a processor has left there. */
export type CardEffect =
  /** Provably nothing: the same call may be made again, or never. Answer 503 and release the key. */
  | 'not_sent'
  /** Nothing: the processor answered no, and would again. Answer 502 and record the failure. */
  | 'refused'
  /** Perhaps it was done. Keep the key; ask again with the same idempotency key, or read. */
  | 'unknown'

const EFFECTS: Readonly<Record<RailFailure, CardEffect>> = {
  unreachable: 'not_sent',
  throttled: 'not_sent',
  refused: 'refused',
  timeout: 'unknown',
  reset: 'unknown',
  // A 5xx may come from something before or behind the part that did the work.
  unavailable: 'unknown',
  malformed: 'unknown',
}

/** Every error but a RailError is `unknown` too. */
export const effectOf = (error: unknown): CardEffect =>
  error instanceof RailError ? EFFECTS[error.failure] : 'unknown'
