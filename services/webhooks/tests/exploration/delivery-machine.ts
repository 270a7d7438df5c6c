import {
  createSystem,
  explore,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import { createDeliveryProcesses, type DeliveryMutant } from './delivery-processes.ts'
import { reactions, type DeliveryState, type DeliveryWorld } from './delivery-world.ts'
import { deliveryRules, type DeliveryRow } from './delivery-rules.ts'

/** Bounds of one exploration. */
export type DeliveryScope = Readonly<{
  faults: number
  /** How often time passes although something else could happen: a replica stalls. */
  ticks: number
  replicas: readonly ('A' | 'B')[]
  /** To which replicas the stream gives the event; left out: to each. */
  takers?: readonly ('A' | 'B')[]
}>
export type Mutant = DeliveryMutant & Readonly<{ statement?: StatementMutant }>

const START_MS = Date.parse('2026-01-01T00:00:00Z')
/** Longer than a lease, the wait for a retry and the stream's for an acknowledgement. */
const TICK_MS = 60_000

/** Explores one event for one destination, breadth first. */
export const exploreDelivery = (space: RowSpace, scope: DeliveryScope, mutant: Mutant = {}) => {
  const system = createSystem<DeliveryWorld>({
    space,
    processes: createDeliveryProcesses(START_MS, mutant),
    reactions,
    ended: (_name, _outcome, { world }) => world,
    mutant: mutant.statement,
  })
  const deliveryOf = ({ rows }: DeliveryState) =>
    space.rowsOf(rows)['deliveries']?.[0] as DeliveryRow | undefined
  const isDue = (state: DeliveryState): boolean => {
    const row = deliveryOf(state)
    return row?.state === 'waiting' && Date.parse(row.due_at) <= state.nowMs
  }
  const isWaiting = (state: DeliveryState): boolean =>
    !state.world.isAcknowledged || deliveryOf(state)?.state === 'waiting'

  const steps = async (state: DeliveryState): Promise<Step<DeliveryState>[]> => {
    const { world, running } = state
    const found = await system.stepsOfProcesses(state)
    const isGiven = !world.isAcknowledged && world.givenAt < world.ticks
    for (const replica of scope.replicas) {
      const [take, claim] = [`take${replica}`, `claim${replica}`]
      const given = { ...state, world: { ...world, givenAt: world.ticks } }
      const isTaker = (scope.takers ?? scope.replicas).includes(replica)
      if (isGiven && isTaker && !(take in running))
        found.push({ name: `${take} begins`, to: await system.begin(given, take) })
      if (isDue(state) && !(claim in running))
        found.push({ name: `${claim} begins`, to: await system.begin(state, claim) })
    }
    if (world.ticks < scope.ticks || (found.length === 0 && isWaiting(state)))
      found.push({
        name: 'time passes',
        to: { ...state, nowMs: state.nowMs + TICK_MS, world: { ...world, ticks: world.ticks + 1 } },
      })
    return found
  }

  return explore<DeliveryState>({
    initial: {
      nowMs: START_MS,
      rows: space.initial,
      running: {},
      faultsLeft: scope.faults,
      world: { hasReceived: false, hasRefused: false, isAcknowledged: false, givenAt: -1, ticks: 0 },
    },
    steps,
    ...deliveryRules(space),
    maxStates: 60_000,
  })
}
