import {
  createSystem,
  explore,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import {
  ADDRESS,
  createCryptoOrderProcesses,
  ORDER_ID,
  PARTNER_ID,
  UNDERPAID_AFTER_MS,
  type CryptoOrderMutant,
} from './crypto-order-processes.ts'
import {
  chainReactions,
  chainSteps,
  DUE,
  type CryptoState,
  type CryptoWorld,
  type TransactionName,
} from './crypto-chain.ts'
import { cryptoOrderRules, type OrderRow } from './crypto-order-rules.ts'

/** Bounds of one exploration. */
export type CryptoScope = Readonly<{
  transactions: readonly TransactionName[]
  reorganisations: number
  /** True if a reorganisation may revert deposits that count already. */
  isDeep: boolean
  repeats: number
  faults: number
  /** Who else acts on the order. */
  actors: readonly ('watcherB' | 'underpaidExpiry' | 'cancel' | 'sendBack' | 'keep' | 'apply')[]
}>
/** Calls of people, once each. */
const CALLS: readonly string[] = ['cancel', 'sendBack', 'keep', 'apply']
type FeedRow = Readonly<{ position: number; holder: string | null }>
export type Mutant = CryptoOrderMutant & Readonly<{ statement?: StatementMutant }>

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const LIFE_MS = 900_000
/** Longer than the order's life and than a lease of the feed. */
const TICK_MS = LIFE_MS + 60_000

const at = (ms: number) => `'${new Date(ms).toISOString()}'`
/** A pending order of a relationship, watched by the chain. Its receipts are converted. */
export const CRYPTO_SEED = `
  INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, capabilities, version)
  VALUES ('pcu_explored', '${PARTNER_ID}', 'cus_explored', 'active', '{}', 1);
  INSERT INTO crypto_orders (id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount,
    total_to_send, currency, fiat_amount, settlement, rate, rate_at, derivation_index, address, watch_address, payer_sealed, status,
    created_at, expires_at, updated_at)
  VALUES ('${ORDER_ID}', '${PARTNER_ID}', 'pcu_explored', 'cus_explored', 'r', 'BTC', 'BTC', ${DUE}, ${DUE}, 'EUR',
    '9.99', 'order_currency', 1, ${at(START_MS)}, 1, '${ADDRESS}', '${ADDRESS}', '', 'pending', ${at(START_MS)},
    ${at(START_MS + LIFE_MS)}, ${at(START_MS)});`

/** Explores the life of one crypto order, breadth first. */
export const exploreCryptoOrder = (space: RowSpace, scope: CryptoScope, mutant: Mutant = {}) => {
  const system = createSystem<CryptoWorld>({
    space,
    processes: createCryptoOrderProcesses(mutant),
    reactions: chainReactions,
    ended: (_name, _outcome, { world }) => world,
    crashed: (name, { world }) => ({ ...world, crashed: [...world.crashed, name].sort() }),
    mutant: mutant.statement,
  })
  const rowOf = ({ rows }: CryptoState, table: string): unknown => space.rowsOf(rows)[table]?.[0]
  const orderOf = (state: CryptoState) => rowOf(state, 'crypto_orders') as OrderRow

  const isListed = ({ rows }: CryptoState) =>
    (space.rowsOf(rows)['unattributed_money'] ?? []).some(
      (row) => (row as { status: unknown }).status === 'open',
    )

  /** Checks whether a process may start: a watcher has entries to read, an order to expire; a call is made once. */
  const isReady = (state: CryptoState, name: string): boolean => {
    const { world } = state
    if (name in state.running) return false
    if (name === 'expiry') {
      const { status, expires_at: expiresAt } = orderOf(state)
      return status === 'pending' && Date.parse(expiresAt) <= state.nowMs
    }
    if (name === 'underpaidExpiry') {
      const { status, expires_at: expiresAt } = orderOf(state)
      return status === 'underpaid' && Date.parse(expiresAt) + UNDERPAID_AFTER_MS <= state.nowMs
    }
    if (name === 'keep' || name === 'apply') return !world.begun.includes(name) && isListed(state)
    if (!name.startsWith('watcher')) return !world.begun.includes(name)
    const feed = rowOf(state, 'chain_feed') as FeedRow
    const isFree = feed.holder === null || feed.holder === name.at(-1) || world.ticks > 0
    return !world.crashed.includes(name) && isFree && feed.position < world.lastSeq
  }
  /** Drops the entries that were read: the adapter's log never goes back. */
  const forgotten = (state: CryptoState): CryptoState => {
    const { position } = rowOf(state, 'chain_feed') as FeedRow
    const feed = state.world.feed.filter(({ seq }) => seq > position)
    return { ...state, world: { ...state.world, feed } }
  }
  const allSteps = async (state: CryptoState): Promise<Step<CryptoState>[]> => {
    const { world } = state
    const found = await system.stepsOfProcesses(state)
    for (const name of ['watcherA', 'expiry', ...scope.actors]) {
      if (!isReady(state, name)) continue
      const isCall = CALLS.includes(name)
      const begun = isCall ? { ...world, begun: [...world.begun, name].sort() } : world
      found.push({ name: `${name} begins`, to: await system.begin({ ...state, world: begun }, name) })
    }
    for (const next of chainSteps(world, scope))
      found.push({ name: next.name, to: { ...state, world: next.world } })
    if (world.ticks === 0)
      found.push({
        name: 'time passes',
        to: { ...state, nowMs: state.nowMs + TICK_MS, world: { ...world, ticks: 1 } },
      })
    return found
  }

  return explore<CryptoState>({
    initial: {
      nowMs: START_MS,
      rows: space.initial,
      running: {},
      faultsLeft: scope.faults,
      world: {
        places: Object.fromEntries(scope.transactions.map((name) => [name, 'unsent'])),
        feed: [],
        lastSeq: 0,
        reorganisations: 0,
        reached: [],
        repeats: 0,
        begun: [],
        crashed: [],
        ticks: 0,
      },
    },
    steps: async (state) => (await allSteps(state)).map(({ name, to }) => ({ name, to: forgotten(to) })),
    ...cryptoOrderRules(space),
    maxStates: 100_000,
  })
}
