/**
 * One call as its caller saw it. `end` is null while its outcome is unknown: it may have taken effect at any time after
 * its beginning, or never.
 */
export type Operation<T> = Readonly<{ begin: number; end: number | null; call: T }>

/** Behaviour of an object when its calls run one after the other. */
export type SequentialModel<State, T> = Readonly<{
  initial: State
  /** The states after a call with the outcome that its caller saw; none: it cannot have had that outcome here. */
  step: (state: State, call: T) => readonly State[]
  /** Equal for equal states. Default: their JSON. */
  keyOf?: (state: State) => string
}>

export type Verdict<T> =
  | Readonly<{ linearizable: true; order: readonly Operation<T>[] }>
  /** `longest`: the longest order that explains a beginning of the history; `stuck`: what could not come next. */
  | Readonly<{
      linearizable: false
      longest: readonly Operation<T>[]
      stuck: readonly Operation<T>[]
    }>

/** Operations that may come next: they began before any other call that is left had ended. */
const nextOf = <T>(left: readonly Operation<T>[]): readonly Operation<T>[] => {
  const firstEnd = Math.min(...left.map(({ end }) => end ?? Infinity))
  return left.filter(({ begin }) => begin <= firstEnd)
}

/** Keeps only the first of equal calls with unknown outcomes: it may take every place of a later one. */
const withoutTwins = <T>(operations: readonly Operation<T>[]): readonly Operation<T>[] => {
  const firsts = new Map<string, Operation<T>>()
  for (const operation of operations)
    if (operation.end === null) {
      const call = JSON.stringify(operation.call)
      const first = firsts.get(call)
      if (first === undefined || operation.begin < first.begin) firsts.set(call, operation)
    }
  const kept = new Set(firsts.values())
  return operations.filter((operation) => operation.end !== null || kept.has(operation))
}

/**
 * Checks whether one order of the calls explains every outcome, in which no call precedes another that had ended when it
 * began (Wing and Gong, Testing and Verifying Concurrent Objects, 1993). A set of calls that led to a
 * state before is not searched again (Lowe, Testing for Linearizability, 2017). The time grows exponentially only with
 * the number of calls that overlap: split a history by object before.
 */
export const checkLinearizable = <State, T>(
  history: readonly Operation<T>[],
  model: SequentialModel<State, T>,
): Verdict<T> => {
  const keyOf = model.keyOf ?? ((state: State) => JSON.stringify(state))
  const numbers = new Map([...history].map((operation, index) => [operation, index]))
  const seen = new Set<string>()
  let longest: readonly Operation<T>[] = []
  let stuck: readonly Operation<T>[] = nextOf(history)

  const search = (
    state: State,
    done: readonly Operation<T>[],
    left: readonly Operation<T>[],
  ): readonly Operation<T>[] | null => {
    if (left.every(({ end }) => end === null)) return done
    const here = keyOf(state)
    const place = `${left.map((operation) => numbers.get(operation)).join()} ${here}`
    if (seen.has(place)) return null
    seen.add(place)
    const next = nextOf(left)
    if (done.length >= longest.length) [longest, stuck] = [done, next]
    for (const operation of withoutTwins(next))
      for (const after of model.step(state, operation.call)) {
        // What may never have happened, and changes nothing, explains nothing.
        if (operation.end === null && keyOf(after) === here) continue
        const found = search(
          after,
          [...done, operation],
          left.filter((other) => other !== operation),
        )
        if (found) return found
      }
    return null
  }
  const order = search(model.initial, [], history)
  return order ? { linearizable: true, order } : { linearizable: false, longest, stuck }
}
