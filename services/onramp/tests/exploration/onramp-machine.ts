import {
  createSystem,
  explore,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import { createOnrampProcesses, HOUR_MS, START_MS, type OnrampMutant } from './onramp-processes.ts'
import { onrampRules, type PurchaseRow } from './onramp-rules.ts'
import { providerSteps, reactions, type OnrampState, type OnrampWorld } from './onramp-world.ts'

/** Bounds of one exploration. */
export type OnrampScope = Readonly<{
  /** Actors in addition to the job that performs due steps. */
  actors: readonly ('create' | 'again' | 'third' | 'notice' | 'poller')[]
  /** How the provider may end its order. */
  outcomes: readonly ('completed' | 'cancelled')[]
  faults: number
}>
export type Mutant = OnrampMutant & Readonly<{ statement?: StatementMutant }>

/** To the extension after ten hours, to the hard cap after 72, and then past every lease and pause, again and again. */
const TICKS_MS = [11 * HOUR_MS, 62 * HOUR_MS]
const LATER_TICK_MS = 60_000
/** Until what was abandoned is deleted, which is long before anything else falls due. */
const ABANDONED_TICK_MS = 30_000

/** Explores one onramp order with its timers, breadth first. */
export const exploreOnramp = (space: RowSpace, scope: OnrampScope, mutant: Mutant = {}) => {
  const system = createSystem<OnrampWorld>({
    space,
    processes: createOnrampProcesses(mutant),
    reactions,
    ended: (_name, _outcome, { world }) => world,
    mutant: mutant.statement,
  })
  const purchasesOf = ({ rows }: OnrampState) =>
    (space.rowsOf(rows)['onramp_orders'] ?? []) as unknown as PurchaseRow[]
  const isPast = (at: string | null, nowMs: number): boolean => at !== null && Date.parse(at) <= nowMs
  const isGivenUp = (state: OnrampState): boolean =>
    !('create' in state.running) && purchasesOf(state).some((row) => row.abandoned_at !== null)
  const isReady = (state: OnrampState, name: string): boolean => {
    const rows = purchasesOf(state)
    if (name === 'notice') return state.world.notices.length > 0
    if (name === 'poller')
      return scope.actors.includes(name) && rows.some((row) => isPast(row.poll_at, state.nowMs))
    if (name === 'steps') return rows.some((row) => isPast(row.due_at, state.nowMs))
    // Starts again after the first gave up and while the second continues: any other third call does the same as the second.
    if (name === 'third' && !('again' in state.running && isGivenUp(state))) return false
    // Calls are made before the order's ten hours are over.
    return !state.world.begun.includes(name) && state.world.ticks === 0
  }
  const passed = (state: OnrampState): OnrampState => {
    const { nowMs, world } = state
    if (purchasesOf(state).some((row) => row.abandoned_at !== null))
      return { ...state, nowMs: nowMs + ABANDONED_TICK_MS }
    const tickMs = TICKS_MS[world.ticks] ?? LATER_TICK_MS
    return { ...state, nowMs: nowMs + tickMs, world: { ...world, ticks: world.ticks + 1 } }
  }

  const steps = async (state: OnrampState): Promise<Step<OnrampState>[]> => {
    const { world, running } = state
    const found = await system.stepsOfProcesses(state)
    for (const name of [...scope.actors, 'steps']) {
      if (name in running || !isReady(state, name)) continue
      const isCall = name === 'create' || name === 'again' || name === 'third'
      const begun = isCall ? { ...world, begun: [...world.begun, name].sort() } : world
      found.push({ name: `${name} begins`, to: await system.begin({ ...state, world: begun }, name) })
    }
    for (const next of providerSteps(world, scope.outcomes, state.nowMs))
      found.push({ name: next.name, to: { ...state, world: next.world } })
    const isWaiting = purchasesOf(state).some((row) => row.due_at !== null || row.poll_at !== null)
    const isIdle = Object.keys(running).length === 0
    if (isWaiting && isIdle)
      if (!isReady(state, 'steps') && !isReady(state, 'poller'))
        found.push({ name: 'time passes', to: passed(state) })
    return found
  }

  return explore<OnrampState>({
    initial: {
      nowMs: START_MS,
      rows: space.initial,
      running: {},
      faultsLeft: scope.faults,
      world: { atProvider: null, notices: [], order: 'pending', heldBy: null, begun: [], ticks: 0 },
    },
    steps,
    ...onrampRules(space),
    maxStates: 60_000,
  })
}
