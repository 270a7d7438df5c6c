import type { Refund } from '@causeway/contracts'

/**
 * The states of a refund (docs/REFUNDS.md).
 * `requested`: it holds its order's one place, nothing was sent; `sent`: the processor may have been asked;
 * `unknown`: it was asked and the answer is missing; `succeeded`: the processor has made it; `reconciled`: its order
 * counts it too and its events are out; `failed`: the processor said no, or has failed and does not have it.
 */
export const REFUND_STATES = ['requested', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled'] as const
export type RefundState = (typeof REFUND_STATES)[number]

const NEXT: Readonly<Record<RefundState, readonly RefundState[]>> = {
  requested: ['sent'],
  sent: ['succeeded', 'failed', 'unknown'],
  // Asked again without an answer, it stays what it is.
  unknown: ['succeeded', 'failed', 'unknown'],
  succeeded: ['reconciled'],
  // Nobody asks for it again; only its processor can show that it was made after all.
  failed: ['reconciled'],
  reconciled: [],
}

/** The states that may come before a state: every other move changes nothing. */
export const statesBefore = (state: RefundState): RefundState[] =>
  REFUND_STATES.filter((from) => NEXT[from].includes(state))

/** What has to be done next with a refund that is found in a state, after a crash too. */
export const nextStepOf = (state: RefundState): 'validate' | 'find_out' | 'book' | 'none' => {
  if (state === 'requested') return 'validate'
  if (state === 'sent' || state === 'unknown') return 'find_out'
  return state === 'succeeded' ? 'book' : 'none'
}

/** Whether something is left to be done: such a refund holds its order's one place. */
export const isOpen = (state: RefundState): boolean => nextStepOf(state) !== 'none'

/** What the list of an order's refunds shows (decisions §10); a refund that was never sent is not shown. */
export const shownStatusOf = (state: RefundState): Refund['status'] => {
  if (state === 'failed') return 'failed'
  return state === 'succeeded' || state === 'reconciled' ? 'succeeded' : 'pending'
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** How long the reconciler waits after its n-th look that settled nothing. */
export const nextLookMs = (attempts: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts, 10), LONGEST_WAIT_MS)
