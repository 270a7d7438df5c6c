/** One way on from a state: the action's name, as a trace shows it, and the state that it leads to. */
export type Step<S> = Readonly<{ name: string; to: S }>

/** A rule that every state keeps, with the sentence that a violation is reported in. */
export type Invariant<S> = Readonly<{ name: string; says: string; holds: (state: S) => boolean }>

/** A rule that every step keeps, such as that an end stays an end. */
export type StepRule<S> = Readonly<{ name: string; says: string; holds: (before: S, after: S) => boolean }>

/** A machine to explore. Two states with the same JSON are one, whatever the order of their fields. */
export type Machine<S> = Readonly<{
  initial: S
  /** All that can happen next; none at an end. */
  steps: (state: S) => Promise<readonly Step<S>[]>
  invariants: readonly Invariant<S>[]
  stepRules?: readonly StepRule<S>[]
  /** Invariants of states without a further step. */
  atEnd?: readonly Invariant<S>[]
  /** Conditions that stay reachable from every state: no state is stuck permanently. */
  alwaysReachable?: readonly Invariant<S>[]
  /** More states than that end the exploration, which then says that it was not exhaustive. */
  maxStates: number
}>

export type Violation = Readonly<{
  rule: string
  says: string
  /** The actions from the initial state to the violation; no shorter sequence leads to one. */
  trace: readonly string[]
}>

export type Exploration<S> = Readonly<{
  states: number
  transitions: number
  /** Actions from the initial state to the farthest one. */
  depth: number
  /** True if every reachable state was visited. */
  isExhausted: boolean
  violation: Violation | null
  /** Where it ended that nothing could happen any more. */
  ends: number
  /** The state of the violation. */
  found: S | null
}>

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}

/** The same text for values that differ in nothing but the order of their fields. */
export const canonicalKey = (value: unknown): string => JSON.stringify(sorted(value))

type Node<S> = { state: S; parent: number; action: string; depth: number; from: number[] }

const broken = <S>(rules: readonly Invariant<S>[] | undefined, state: S) =>
  rules?.find(({ holds }) => !holds(state))

/** The first of these nodes from which none that keeps the rule can be reached. */
const firstStuck = <S>(nodes: readonly Node<S>[], { holds }: Invariant<S>): number => {
  const canReach = nodes.map(({ state }) => holds(state))
  const open = [...canReach.keys()].filter((at) => canReach[at])
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const before of nodes[at]?.from ?? [])
      if (!canReach[before]) {
        canReach[before] = true
        open.push(before)
      }
  return canReach.indexOf(false)
}

/**
 * Explores a machine breadth first. States of one depth are judged before any deeper one, so that the trace of the first
 * violation is a shortest one.
 */
export const explore = async <S>(machine: Machine<S>): Promise<Exploration<S>> => {
  const { invariants, stepRules = [], atEnd, alwaysReachable = [], maxStates } = machine
  const nodes: Node<S>[] = [{ state: machine.initial, parent: -1, action: '', depth: 0, from: [] }]
  const known = new Map([[canonicalKey(machine.initial), 0]])
  let transitions = 0
  let ends = 0

  const traceTo = (at: number): string[] => {
    const trace: string[] = []
    for (let node = nodes[at]; node && node.parent >= 0; node = nodes[node.parent]) trace.unshift(node.action)
    return trace
  }
  const result = (violation: Violation | null, isExhausted: boolean, found: S | null): Exploration<S> => {
    const depth = nodes.at(-1)?.depth ?? 0
    return { states: nodes.length, transitions, depth, isExhausted, violation, ends, found }
  }
  const violated = ({ name, says }: Readonly<{ name: string; says: string }>, trace: string[], found: S) =>
    result({ rule: name, says, trace }, false, found)

  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as Node<S>
    const rule = broken(invariants, node.state)
    if (rule) return violated(rule, traceTo(at), node.state)
    const steps = await machine.steps(node.state)
    const unmet = steps.length === 0 ? broken(atEnd, node.state) : undefined
    if (unmet) return violated(unmet, traceTo(at), node.state)
    if (steps.length === 0) ends += 1
    for (const { name, to } of steps) {
      transitions += 1
      const unkept = stepRules.find(({ holds }) => !holds(node.state, to))
      if (unkept) return violated(unkept, [...traceTo(at), name], to)
      const key = canonicalKey(to)
      const seen = known.get(key)
      if (seen !== undefined) nodes[seen]?.from.push(at)
      else {
        if (nodes.length >= maxStates) return result(null, false, null)
        known.set(key, nodes.length)
        nodes.push({ state: to, parent: at, action: name, depth: node.depth + 1, from: [at] })
      }
    }
  }
  for (const rule of alwaysReachable) {
    const stuck = firstStuck(nodes, rule)
    if (stuck >= 0) return violated(rule, traceTo(stuck), (nodes[stuck] as Node<S>).state)
  }
  return result(null, true, null)
}
