import type { SequentialModel } from './linearizable.ts'

/**
 * A call under a key, or with a reference, that makes something once. `made`: the response has what was made and whether it
 * was a replay; `refused`: this call provably did nothing; `failed`: the processor's refusal, which is the key's outcome
 * from then on, or releases it if nothing was sent; `unopened`: the processor failed, and a later call continues under the
 * key; `unknown`: no response shows the outcome.
 */
export type KeyCall =
  | Readonly<{ saw: 'made'; what: string; isReplay: boolean }>
  | Readonly<{ saw: 'refused' | 'failed' | 'unopened' | 'unknown' }>

/** `what` is null while no caller has seen what was made. */
type KeyState =
  Readonly<{ is: 'free' }> | Readonly<{ is: 'failed' }> | Readonly<{ is: 'used'; what: string | null }>

const FREE: KeyState = { is: 'free' }
const FAILED: KeyState = { is: 'failed' }
const BEGUN: KeyState = { is: 'used', what: null }

/** One key: used once, by the first call that takes effect; every later one gets the same response (decisions §1). */
export const keyModel: SequentialModel<KeyState, KeyCall> = {
  initial: FREE,
  step: (state, call) => {
    switch (call.saw) {
      case 'refused':
        return [state]
      case 'failed':
        return state.is === 'used' ? [] : state.is === 'free' ? [FREE, FAILED] : [FAILED]
      case 'unopened':
        return state.is === 'used' && state.what !== null ? [] : [state, BEGUN]
      case 'unknown':
        return state.is === 'free' ? [BEGUN, FAILED] : [state]
      case 'made': {
        const { what, isReplay } = call
        if (state.is === 'failed') return []
        if (state.is === 'free') return isReplay ? [] : [{ is: 'used', what }]
        return isReplay && (state.what === null || state.what === what) ? [{ is: 'used', what }] : []
      }
    }
  },
}
