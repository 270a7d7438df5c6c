import type { Refund } from '@causeway/contracts'

/**
 * The states of a refund (docs/REFUNDS.md).
 * `requested`: it holds its order's one slot, nothing was sent; `sent`: the processor may have been asked;
 * `unknown`: it was asked and the answer is missing; `succeeded`: the processor has made it; `reconciled`: its order
 * counts it too and its events are emitted; `failed`: the processor refused it, or failed and does not have it, or it failed
 * there after it was made.
 */
export const REFUND_STATES = ['requested', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled'] as const
export type RefundState = (typeof REFUND_STATES)[number]

const NEXT: Readonly<Record<RefundState, readonly RefundState[]>> = {
  requested: ['sent'],
  sent: ['succeeded', 'failed', 'unknown'],
  // After a retry without a response it stays unknown.
  unknown: ['succeeded', 'failed', 'unknown'],
  succeeded: ['reconciled'],
  // Never sent again; only a late success at its processor moves it.
  failed: ['reconciled'],
  reconciled: [],
}

/**
 * The states in which a refund was made. It fails late from one of them, when its processor says so (docs/REFUNDS.md), and
 * never by the answer to a call of ours: that may be older.
 */
export const MADE_STATES: readonly RefundState[] = ['succeeded', 'reconciled']

/** The states from which a refund may move to a state: from every other one the transition changes nothing. */
export const statesBefore = (state: RefundState): RefundState[] =>
  REFUND_STATES.filter((from) => NEXT[from].includes(state))

/** Returns the next step of a refund in a state, also after a crash. */
export const nextStepOf = (state: RefundState): 'validate' | 'resolve' | 'record' | 'none' => {
  if (state === 'requested') return 'validate'
  if (state === 'sent' || state === 'unknown') return 'resolve'
  return state === 'succeeded' ? 'record' : 'none'
}

/** Checks whether a step is left: such a refund occupies its order's only slot. */
export const isOpen = (state: RefundState): boolean => nextStepOf(state) !== 'none'

/** Returns the status in the list of an order's refunds (decisions §10), which omits refunds that were never sent. */
export const shownStatusOf = (state: RefundState): Refund['status'] => {
  if (state === 'failed') return 'failed'
  return MADE_STATES.includes(state) ? 'succeeded' : 'pending'
}

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/** How long the completion job waits after a refund's n-th attempt without an outcome: exponential backoff. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts, 10), MAX_DELAY_MS)
