import { RailError, type RailFailure } from '../rail-error.ts'

/** The effect of a failed call at the processor. */
export type CardEffect =
  /** Provably nothing: the call may be repeated. Answer 503 and release the key. */
  | 'not_sent'
  /** Nothing: the processor refused, and would refuse again. Answer 502 and record the failure. */
  | 'refused'
  /** Perhaps everything. Keep the key; repeat with the same idempotency key, or read. */
  | 'unknown'

const EFFECTS: Readonly<Record<RailFailure, CardEffect>> = {
  unreachable: 'not_sent',
  throttled: 'not_sent',
  refused: 'refused',
  timeout: 'unknown',
  reset: 'unknown',
  // A 5xx may come from a proxy, after the work was done.
  unavailable: 'unknown',
  malformed: 'unknown',
}

/** Errors other than RailError are `unknown`. */
export const effectOf = (error: unknown): CardEffect =>
  error instanceof RailError ? EFFECTS[error.failure] : 'unknown'
