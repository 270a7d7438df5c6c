import {
  createSystem,
  explore,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import {
  createFiatOrderProcesses,
  CUSTOMER_ID,
  INTEGRATION_ID,
  MERCHANT_ID,
  ORDER_KEY,
  PARTNER_ID,
  POLL_AFTER_MS,
  type FiatOrderMutant,
} from './fiat-order-processes.ts'
import { fiatOrderRules, type FiatOrderRow } from './fiat-order-rules.ts'
import {
  processorSteps,
  reactions,
  type FiatState,
  type FiatWorld,
  type ProcessorStep,
} from './fiat-order-world.ts'
import { SERVER_RUN } from '../../src/order-numbers/store.ts'

/** Bounds of one exploration. */
export type FiatScope = Readonly<{
  /** Who else acts, besides the call that creates the order. */
  actors: readonly ('again' | 'notice' | 'poller' | 'record')[]
  /** Possible steps of the processor. */
  steps: readonly ProcessorStep[]
  faults: number
  /** How often time passes before the buyer has paid, in the middle of calls too: past every lease. */
  ticks: number
}>
export type Mutant = FiatOrderMutant & Readonly<{ statement?: StatementMutant }>

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const TICK_MS = 2 * POLL_AFTER_MS

/** A customer with an integration; orders have the key that refunds name. */
export const FIAT_SEED = `
  ALTER SEQUENCE card_order_keys INCREMENT 2 MINVALUE ${ORDER_KEY} MAXVALUE ${Number(ORDER_KEY) + 1} CYCLE;
  UPDATE order_numbers SET ceiling = ${ORDER_KEY} + 1, run = ${SERVER_RUN}, written_by = pg_current_xact_id()::xid
  WHERE name = 'card';
  INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, capabilities, version)
  VALUES ('${CUSTOMER_ID}', '${PARTNER_ID}', '${MERCHANT_ID}', 'active',
    '{"payments.fiat_card": {"enabled": true, "available": true, "reason": null}}', 1);
  INSERT INTO integrations (id, partner_id, partner_customer_id, merchant_id, name, processor, created_at)
  VALUES ('${INTEGRATION_ID}', '${PARTNER_ID}', '${CUSTOMER_ID}', '${MERCHANT_ID}', 'Shop', 'processor',
    '2026-01-01T00:00:00Z');`

const orderIdIn = (value: unknown): readonly string[] => {
  const answer = value as { value?: { order?: { order_id?: string } } } | undefined
  const id = answer?.value?.order?.order_id
  return id === undefined ? [] : [id]
}

/** Explores the life of one card order, breadth first. */
export const exploreFiatOrder = (space: RowSpace, scope: FiatScope, mutant: Mutant = {}) => {
  const system = createSystem<FiatWorld>({
    space,
    processes: createFiatOrderProcesses(mutant),
    reactions,
    ended: (name, outcome, { world }) => {
      if (name === 'notice') return acknowledged(world, 'value' in outcome)
      if (!('value' in outcome)) return world
      return { ...world, told: [...new Set([...world.told, ...orderIdIn(outcome.value)])].sort() }
    },
    crashed: (name, { world }) => (name === 'notice' ? acknowledged(world, false) : world),
    mutant: mutant.statement,
  })
  const orderOf = ({ rows }: FiatState) => space.rowsOf(rows)['fiat_orders']?.[0] as FiatOrderRow | undefined
  const isPollDue = (state: FiatState): boolean => {
    const pollAt = orderOf(state)?.poll_at ?? null
    return pollAt !== null && Date.parse(pollAt) <= state.nowMs
  }
  const isReady = (state: FiatState, name: string): boolean => {
    const { world, running } = state
    if (name in running) return false
    if (name === 'notice') return world.notices.length > 0
    if (name === 'poller') return isPollDue(state)
    if (name === 'record' && world.payment?.refunds.includes('first') !== true) return false
    return !world.begun.includes(name)
  }
  const isNotified = scope.actors.includes('notice')
  /**
   * Checks whether changes at the processor can still be detected. Nobody has the address of a checkout before its order is
   * stored with it; without notices a payment is only read for a while, and its last change may be missed.
   */
  const isReadAgain = (state: FiatState): boolean =>
    (orderOf(state)?.processor_order_id ?? null) !== null && (isNotified || state.world.ticks <= 1)
  /** The poller's turns come one by one; other time passes a few times, at any moment. */
  const mayTimePass = (state: FiatState): boolean => {
    const { world, running } = state
    if (!scope.actors.includes('poller')) return world.ticks < scope.ticks
    const isWaiting = (orderOf(state)?.poll_at ?? null) !== null && !isPollDue(state)
    const isIdle = Object.keys(running).length === 0
    return isIdle && isWaiting && (world.payment?.status !== 'new' || world.ticks < scope.ticks)
  }
  const steps = async (state: FiatState): Promise<Step<FiatState>[]> => {
    const { world } = state
    const found = await system.stepsOfProcesses(state)
    for (const name of ['create', ...scope.actors]) {
      if (!isReady(state, name)) continue
      const isOnce = name !== 'notice' && name !== 'poller'
      const begun = isOnce ? { ...world, begun: [...world.begun, name].sort() } : world
      found.push({ name: `${name} begins`, to: await system.begin({ ...state, world: begun }, name) })
    }
    for (const next of isReadAgain(state) ? processorSteps(world, scope.steps, isNotified) : [])
      found.push({ name: next.name, to: { ...state, world: next.world } })
    if (mayTimePass(state))
      found.push({
        name: 'time passes',
        to: { ...state, nowMs: state.nowMs + TICK_MS, world: { ...world, ticks: world.ticks + 1 } },
      })
    return found
  }

  return explore<FiatState>({
    initial: {
      nowMs: START_MS,
      rows: space.initial,
      running: {},
      faultsLeft: scope.faults,
      world: {
        payment: null,
        isRefused: false,
        notices: [],
        delivering: null,
        begun: [],
        told: [],
        ticks: 0,
      },
    },
    steps,
    ...fiatOrderRules(space),
    maxStates: 100_000,
  })
}

/** A notice that was not acknowledged comes again. */
const acknowledged = (world: FiatWorld, isTaken: boolean): FiatWorld => {
  const { delivering, notices } = world
  const again = isTaken || delivering === null ? notices : [...notices, delivering].sort()
  return { ...world, delivering: null, notices: again }
}
