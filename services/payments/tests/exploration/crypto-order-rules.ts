import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import type { CryptoOrderStatus } from '@causeway/contracts'
import { AMOUNTS, DUE, type CryptoState, type TransactionName } from './crypto-chain.ts'

export type OrderRow = Readonly<{ status: CryptoOrderStatus; received: number; expires_at: string }>
type DepositRow = Readonly<{ tx_id: TransactionName; counted_at: string | null }>

const sum = (names: readonly TransactionName[]) => names.reduce((total, name) => total + AMOUNTS[name], 0)

/** The ways of an order (decisions §9), each with the event that tells of it. */
const WAYS: Readonly<Record<CryptoOrderStatus, Partial<Record<CryptoOrderStatus, string>>>> = {
  pending: {
    underpaid: 'payment.underpaid',
    paid: 'payment.confirmed',
    expired: 'payment.expired',
    cancelled: 'payment.cancelled',
  },
  underpaid: { underpaid: 'payment.underpaid', paid: 'payment.confirmed' },
  expired: { paid: 'payment.confirmed' },
  cancelled: { refunded: 'payment.refunded' },
  paid: {},
  refunded: {},
}

/** What holds of a crypto order in every state, at every step and at every end. */
export const cryptoOrderRules = (space: RowSpace) => {
  const tableOf = <R>({ rows }: CryptoState, table: string) =>
    (space.rowsOf(rows)[table] ?? []) as unknown as R[]
  const orderOf = (state: CryptoState) => tableOf<OrderRow>(state, 'crypto_orders')[0] as OrderRow
  const countedOf = (state: CryptoState) =>
    tableOf<DepositRow>(state, 'crypto_deposits')
      .filter(({ counted_at: countedAt }) => countedAt !== null)
      .map(({ tx_id: tx }) => tx)
  const deepOf = ({ world }: CryptoState) =>
    (Object.keys(world.places) as TransactionName[]).filter((name) => world.places[name] === 'deep')
  /** Statuses' events, without the late payments that staff alone receive. */
  const eventsOf = (state: CryptoState) =>
    tableOf<{ subject: string }>(state, 'outbox_events')
      .map(({ subject }) => subject)
      .filter((name) => name !== 'payment.late')

  const invariants: Invariant<CryptoState>[] = [
    {
      name: 'counted-is-deep',
      says: 'Only a deposit that has reached its depth counts.',
      holds: (state) => countedOf(state).every((name) => deepOf(state).includes(name)),
    },
    {
      name: 'received-is-exact',
      says: 'What an order has received is the sum of its counted deposits, each once.',
      holds: (state) => orderOf(state).received === sum(countedOf(state)),
    },
    {
      name: 'paid-with-money',
      says: 'A paid order has received what was due.',
      holds: (state) => orderOf(state).status !== 'paid' || sum(deepOf(state)) >= DUE,
    },
  ]
  const stepRules: StepRule<CryptoState>[] = [
    {
      name: 'allowed-ways',
      says: 'An order goes only the ways that it may: what is paid stays paid, what is sent back stays so.',
      holds: (before, after) => {
        const [from, to] = [orderOf(before).status, orderOf(after).status]
        return from === to || WAYS[from][to] !== undefined
      },
    },
    {
      name: 'one-event-a-change',
      says: 'Each change of status emits its one event with it, and nothing else emits one.',
      holds: (before, after) => {
        const [from, to] = [orderOf(before).status, orderOf(after).status]
        const added = eventsOf(after).slice(eventsOf(before).length)
        // A page may hold both deposits: the first leaves the order underpaid, the second pays it.
        if (added.length === 2) return added.join() === 'payment.underpaid,payment.confirmed' && to === 'paid'
        const [event] = added
        return event === undefined ? from === to : added.length === 1 && WAYS[from][to] === event
      },
    },
  ]
  const atEnd: Invariant<CryptoState>[] = [
    {
      name: 'no-deposit-is-lost',
      says: 'In the end every deposit that is deep enough counts, and one that pays for nothing is reported as late.',
      holds: (state) => {
        const { status } = orderOf(state)
        const isAll = deepOf(state).every((name) => countedOf(state).includes(name))
        const late = tableOf(state, 'late_payments').length
        const paysForNothing = status === 'cancelled' || status === 'refunded' || status === 'expired'
        return isAll && (!paysForNothing || late === deepOf(state).length)
      },
    },
  ]
  return { invariants, stepRules, atEnd }
}
