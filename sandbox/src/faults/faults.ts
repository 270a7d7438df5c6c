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
  /** How many more calls fail; null: all until the next fault for this target. */
  count: number | null
  calls: Calls
  /** Only calls whose correct response contains this text fail. Absent: all. */
  telling?: string
}>

/** The active fault of each simulated provider. Not kept over a restart. */
export type Faults = Readonly<{
  set: (fault: Fault) => void
  get: (target: Target) => Fault
  /** The mode that applies to this call. Each use counts towards the fault's `count`. */
  consume: (target: Target, kind: 'effect' | 'read') => Mode
  /** Returns true if the target's separate port must stop listening. */
  refusesConnections: (target: Target) => boolean
}>

const none = (target: Target): Fault => ({ target, mode: 'ok', count: null, calls: 'effect' })

export const createFaults = (): Faults => {
  const faults = new Map<Target, Fault>()
  const get = (target: Target) => faults.get(target) ?? none(target)
  return {
    set: (fault) => void faults.set(fault.target, fault),
    get,
    consume: (target, kind) => {
      const fault = get(target)
      // A refused connection carries no method, so `unreachable` cannot depend on the kind of call.
      const applies = fault.mode === 'unreachable' || fault.calls === 'all' || fault.calls === kind
      if (fault.mode === 'ok' || !applies) return 'ok'
      if (fault.count !== null) {
        const left = fault.count - 1
        faults.set(target, left === 0 ? none(target) : { ...fault, count: left })
      }
      return fault.mode
    },
    refusesConnections: (target) => get(target).mode === 'unreachable' && get(target).count === null,
  }
}
