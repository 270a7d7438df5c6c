import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode, ErrorDetail, Refusal } from '@causeway/contracts'

/**
 * A success. `variant` selects the HTTP status where an operation has more than one (`created`, `existing`); `before`
 * is the state before a staff action, for the audit log.
 */
export type Reply<T> = Readonly<{
  ok: true
  value: T
  variant?: string
  replay?: ReplayedFrom
  before?: unknown
}>

/** A stored reply that is replayed: its own request id and its bytes (decisions §1, Idempotency-Key). */
export type ReplayedFrom = Readonly<{ requestId: string; json: string }>

export type Outcome<T, C extends ErrorCode = ErrorCode> = Reply<T> | Refusal<C>

export const reply = <T>(value: T, variant?: string): Reply<T> =>
  variant === undefined ? { ok: true, value } : { ok: true, value, variant }

/** The same reply with the state before the change, for the audit log (decisions §14). */
export const withBefore = <T>(answer: Reply<T>, before: unknown): Reply<T> => ({ ...answer, before })

export const refuse = <const C extends ErrorCode>(code: C, details?: readonly ErrorDetail[]): Refusal<C> =>
  details === undefined ? { ok: false, code } : { ok: false, code, details }

const NOT_AS_EXPECTED = 'not_as_expected'

/** Refuses an action because the state that it relied on has changed. */
export const notAsExpected = (detail: ErrorDetail = {}): Refusal<'invalid_state'> =>
  refuse('invalid_state', [{ reason: NOT_AS_EXPECTED, ...detail }])

/** Compares the state that a confirmed action expects with the present one; null if nothing is expected. */
export const refuseChanged = <State>(
  expected: State | undefined,
  present: NoInfer<State>,
): Refusal<'invalid_state'> | null =>
  expected === undefined || isDeepStrictEqual(expected, present) ? null : notAsExpected()

/** True if an owner refused an action because its target has changed. */
export const isOutdated = (
  answer: Readonly<{ ok: boolean; code?: ErrorCode; details?: readonly ErrorDetail[] }>,
) =>
  !answer.ok &&
  answer.code === 'invalid_state' &&
  ['modified', NOT_AS_EXPECTED].includes(String(answer.details?.[0]?.['reason']))

/**
 * The outcome of a call that continued an earlier one under the same key: it carries the earlier call's request id, as
 * every replay of the stored reply will (decisions §1, Idempotency-Key).
 */
export const asReplay = <T, C extends ErrorCode>(outcome: Outcome<T, C>, requestId: string): Outcome<T, C> =>
  outcome.ok
    ? { ...outcome, replay: { requestId, json: JSON.stringify(outcome.value) } }
    : { ...outcome, replay: { requestId } }

/** Thrown when something provably was not done: the caller may retry (503). */
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError'
}

/**
 * Runs what follows a call to the outside. A database that took nothing then says nothing about that call, so a
 * NotDoneError becomes one that leaves the outcome open (500, and the key is kept).
 */
export const afterCallOutside = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NotDoneError)) throw error
    throw new Error('The call to the outside may have taken effect', { cause: error })
  }
}
