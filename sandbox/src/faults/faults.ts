export const TARGETS = ['card', 'onramp', 'chain'] as const
export type Target = (typeof TARGETS)[number]

export const MODES = [
  'ok',
  'timeout',
  'reset',
  'error',
  'refuse',
  'slow',
  'unreachable',
  'after_effect_timeout',
] as const
export type Mode = (typeof MODES)[number]

/** `effect`: calls that change something (all but GET and HEAD); `read`: the others. */
export const CALLS = ['effect', 'read', 'all'] as const
export type Calls = (typeof CALLS)[number]

export type Fault = Readonly<{
  target: Target
  mode: Mode
  /** How many calls it still befalls; null: until it is set anew. */
  count: number | null
  calls: Calls
  /** Only calls whose right answer would tell of this name befalls it; all when absent. */
  telling?: string
}>

/** What each part of the outside world does wrong. Not kept over a restart. */
export type Faults = Readonly<{
  set: (fault: Fault) => void
  get: (target: Target) => Fault
  /** The mode that befalls this call, counted; of a fault that asks for it, once its answer is known. */
  take: (target: Target, kind: 'effect' | 'read') => Mode
  /** Whether connections to the target are to be refused before any call is read. */
  refusesConnections: (target: Target) => boolean
}>

const none = (target: Target): Fault => ({ target, mode: 'ok', count: null, calls: 'effect' })

export const createFaults = (): Faults => {
  const faults = new Map<Target, Fault>()
  const get = (target: Target) => faults.get(target) ?? none(target)
  return {
    set: (fault) => void faults.set(fault.target, fault),
    get,
    take: (target, kind) => {
      const fault = get(target)
      // A connection is refused before anyone knows what the call would have been.
      const befalls = fault.mode === 'unreachable' || fault.calls === 'all' || fault.calls === kind
      if (fault.mode === 'ok' || !befalls) return 'ok'
      if (fault.count !== null) {
        const left = fault.count - 1
        faults.set(target, left === 0 ? none(target) : { ...fault, count: left })
      }
      return fault.mode
    },
    refusesConnections: (target) => get(target).mode === 'unreachable' && get(target).count === null,
  }
}
