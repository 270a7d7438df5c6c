import { NotDoneError } from '@causeway/chassis'
import {
  createSystem,
  explore,
  type Answer,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import {
  CALLS,
  createRefundProcesses,
  GRACE_MS,
  type CallName,
  type RefundMutant,
} from './refund-processes.ts'
import { refundRules } from './refund-rules.ts'
import {
  EMPTY_WORLD,
  isAboveCeiling,
  reactions,
  withMade,
  type RefundState,
  type World,
} from './refund-world.ts'

/** Bounds of one exploration. */
export type Scope = Readonly<{
  calls: readonly CallName[]
  /** Crashes, lost answers and errors, in any order and at any place. */
  faults: number
  /** How often time passes although something else could happen: calls stall for longer than their lease. */
  ticks: number
  maxStates?: number
}>

type Row = Readonly<{ id: string; state: string; due_at: string | null }>

export type Mutant = RefundMutant & Readonly<{ statement?: StatementMutant }>

const TICK_MS = GRACE_MS + 1_000
const START_MS = Date.parse('2026-01-01T00:00:00Z')

/** Returns the outcome that the caller knows after the process ended; null if it is unknown. */
const toldOf = (outcome: Answer): string | null => {
  if ('error' in outcome) return outcome.error instanceof NotDoneError ? 'nothing was done' : null
  const told = outcome.value as { ok: true; value: unknown } | { ok: false; code: string }
  if (told.ok) return JSON.stringify(told.value)
  return told.code === 'internal_error' ? null : told.code
}

const ended = (name: string, outcome: Answer, { world }: RefundState): World => {
  if (!(name in CALLS)) return world
  const told = toldOf(outcome)
  if (told === null || told === 'nothing was done') return world
  return { ...world, told: [...new Set([...world.told, `${CALLS[name as CallName].key} ${told}`])].sort() }
}

/** Explores refunds of one order, breadth first. */
export const exploreRefunds = (space: RowSpace, scope: Scope, mutant: Mutant = {}) => {
  const processes = createRefundProcesses(mutant)
  const system = createSystem<World>({
    space,
    processes,
    reactions,
    ended,
    ...(mutant.statement && { mutant: mutant.statement }),
  })
  const refundsOf = ({ rows }: RefundState) => (space.rowsOf(rows)['refunds'] ?? []) as unknown as Row[]
  const isDue = (state: RefundState): boolean =>
    refundsOf(state).some(({ due_at }) => due_at !== null && Date.parse(due_at) <= state.nowMs)
  /** The processor lists what is not recorded as made here. */
  const isToCompare = (state: RefundState): boolean =>
    state.world.made.some(({ refundId }) =>
      refundsOf(state).every(({ id, state: at }) => id !== refundId || at === 'failed'),
    )
  const passed = (state: RefundState): RefundState => ({
    ...state,
    nowMs: state.nowMs + TICK_MS,
    world: { ...state.world, ticks: state.world.ticks + 1 },
  })

  const beginnings = async (state: RefundState): Promise<Step<RefundState>[]> => {
    const { world, running } = state
    const steps: Step<RefundState>[] = []
    for (const name of scope.calls) {
      const isNext = name !== 'replay' || world.begun.includes('first')
      if (!isNext || world.begun.includes(name)) continue
      const begun = { ...world, begun: [...world.begun, name].sort() }
      steps.push({ name: `${name} begins`, to: await system.begin({ ...state, world: begun }, name) })
    }
    for (const [name, isReady] of [
      ['job', isDue(state)],
      ['reconciliation', isToCompare(state) && Object.keys(running).length === 0],
    ] as const)
      if (isReady && !(name in running))
        steps.push({ name: `${name} begins`, to: await system.begin(state, name) })
    return steps
  }
  const arrivals = ({ world, ...state }: RefundState): Step<RefundState>[] =>
    world.underWay.map((refund, at) => {
      const underWay = world.underWay.filter((_, each) => each !== at)
      const isRefused = world.refused.includes(refund.refundId) || isAboveCeiling(world, refund)
      const next = isRefused ? world : withMade(world, refund)
      return { name: 'the processor handles a late request', to: { ...state, world: { ...next, underWay } } }
    })

  const steps = async (state: RefundState): Promise<Step<RefundState>[]> => {
    const found = [
      ...(await system.stepsOfProcesses(state)),
      ...(await beginnings(state)),
      ...arrivals(state),
    ]
    const isWaiting = refundsOf(state).some(({ due_at }) => due_at !== null) && !isDue(state)
    if (state.world.ticks < scope.ticks || (found.length === 0 && isWaiting))
      if (refundsOf(state).length > 0 && !isDue(state)) found.push({ name: 'time passes', to: passed(state) })
    return found
  }

  return explore<RefundState>({
    initial: {
      nowMs: START_MS,
      rows: space.initial,
      running: {},
      faultsLeft: scope.faults,
      world: EMPTY_WORLD,
    },
    steps,
    ...refundRules(space),
    maxStates: scope.maxStates ?? 100_000,
  })
}
