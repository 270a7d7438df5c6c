import type { SequentialModel } from './linearizable.ts'

/**
 * A call under a key, or with a reference, that makes something once. `made`: answered with what was made and whether
 * that was a replay; `refused`: provably nothing was done by this call; `failed`: the processor's no, which is the key's
 * outcome from then on; `unknown`: no answer that says.
 */
export type KeyCall =
  | Readonly<{ saw: 'made'; what: string; isReplay: boolean }>
  | Readonly<{ saw: 'refused' | 'failed' | 'unknown' }>

/** `what` is null while no caller has seen what was made. */
type KeyState =
  Readonly<{ is: 'free' }> | Readonly<{ is: 'failed' }> | Readonly<{ is: 'used'; what: string | null }>

const FREE: KeyState = { is: 'free' }
const FAILED: KeyState = { is: 'failed' }

/** One key: used once, by the first call that takes effect; every later one is told the same (decisions §1). */
export const keyModel: SequentialModel<KeyState, KeyCall> = {
  initial: FREE,
  step: (state, call) => {
    switch (call.saw) {
      case 'refused':
        return [state]
      case 'failed':
        return state.is === 'used' ? [] : [FAILED]
      case 'unknown':
        return state.is === 'free' ? [{ is: 'used', what: null }, FAILED] : [state]
      case 'made': {
        const { what, isReplay } = call
        if (state.is === 'failed') return []
        if (state.is === 'free') return isReplay ? [] : [{ is: 'used', what }]
        return isReplay && (state.what === null || state.what === what) ? [{ is: 'used', what }] : []
      }
    }
  },
}
