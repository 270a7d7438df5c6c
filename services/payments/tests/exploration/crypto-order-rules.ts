import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import type { CryptoOrderStatus } from '@causeway/contracts'
import { AMOUNTS, DUE, isForeign, type CryptoState, type TransactionName } from './crypto-chain.ts'

export type OrderRow = Readonly<{ status: CryptoOrderStatus; received: number; expires_at: string }>
type DepositRow = Readonly<{
  tx_id: TransactionName
  amount: number
  counted_at: string | null
  open_amount: number | null
  applied_amount: number | null
  excess_amount: number | null
  late_amount: number | null
  foreign_amount: number | null
  settled_amount: number
  settled_cents: number
}>
type MoneyRow = Readonly<{
  tx_id: TransactionName
  amount: number
  status: 'open' | 'refunding' | 'ended'
  ended_by: string | null
}>

type MovedPayload = Readonly<{ fact: { deposit_move: { settled_cents?: number } } | null }>
/** The fiat price of the order. */
const PRICE_CENTS = 999

const sum = (names: readonly TransactionName[]) => names.reduce((total, name) => total + AMOUNTS[name], 0)
const ofOrder = (names: readonly TransactionName[]) => names.filter((name) => !isForeign(name))

type Ways = Readonly<Partial<Record<CryptoOrderStatus, readonly string[]>>>
/** The ways of an order (decisions §9, §20, §52), each with the events that tell of it. */
const WAYS: Readonly<Record<CryptoOrderStatus, Ways>> = {
  pending: {
    underpaid: ['payment.underpaid'],
    paid: ['payment.confirmed'],
    expired: ['payment.expired'],
    cancelled: ['payment.cancelled'],
  },
  underpaid: {
    underpaid: ['payment.underpaid'],
    paid: ['payment.confirmed'],
    pending: ['payment.reverted'],
    expired: ['payment.reverted', 'payment.expired'],
  },
  expired: { paid: ['payment.confirmed'], expired: ['payment.reverted'] },
  cancelled: {
    refunded: ['payment.refunded'],
    cancelled: ['payment.reverted'],
    paid: ['payment.confirmed'],
  },
  paid: {
    paid: ['payment.reverted'],
    underpaid: ['payment.reverted'],
    pending: ['payment.reverted'],
    expired: ['payment.reverted'],
  },
  refunded: { refunded: ['payment.reverted'] },
}

const STATUSES = Object.keys(WAYS) as CryptoOrderStatus[]

/** Where an order may be after these events. */
const leadTo = (from: CryptoOrderStatus, events: readonly string[]): readonly CryptoOrderStatus[] =>
  events.reduce<readonly CryptoOrderStatus[]>(
    (reached, event) =>
      STATUSES.filter((to) => reached.some((each) => WAYS[each][to]?.includes(event) === true)),
    [from],
  )

/** Invariants of a crypto order for every state, step and end. */
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
  /** Statuses' events, without the facts. */
  const eventsOf = (state: CryptoState) =>
    tableOf<{ subject: string }>(state, 'outbox_events')
      .map(({ subject }) => subject)
      .filter((name) => name !== 'payment.late' && name !== 'deposit.moved')

  const moneyOf = (state: CryptoState, tx: TransactionName, endedBy: readonly (string | null)[]): number =>
    tableOf<MoneyRow>(state, 'unattributed_money')
      .filter((row) => row.tx_id === tx && endedBy.includes(row.ended_by))
      .reduce((total, { amount }) => total + amount, 0)
  /** Returns the part of a deposit that is listed, or that staff ended without the order. */
  const listedOf = (state: CryptoState, tx: TransactionName): number =>
    moneyOf(state, tx, [null, 'refund', 'kept'])
  /** Returns the part of the counted deposits in the order's asset that staff refunded or kept. */
  const decidedOf = (state: CryptoState): number =>
    ofOrder(countedOf(state)).reduce((total, tx) => total + moneyOf(state, tx, ['refund', 'kept']), 0)
  const movedCentsOf = (state: CryptoState): number =>
    tableOf<{ subject: string; payload: string }>(state, 'outbox_events')
      .filter(({ subject }) => subject === 'deposit.moved')
      .map(({ payload }) => (JSON.parse(payload) as MovedPayload).fact)
      .reduce((total, fact) => total + (fact?.deposit_move.settled_cents ?? 0), 0)
  const isAccepted = (state: CryptoState): boolean =>
    tableOf<MoneyRow>(state, 'unattributed_money').some(({ ended_by: by }) => by === 'applied')

  const invariants: Invariant<CryptoState>[] = [
    {
      name: 'every-unit-has-a-place',
      says: 'Every unit of every counted deposit is in exactly one bucket; what is neither open nor applied is listed or was ended by staff.',
      holds: (state) => {
        const { status } = orderOf(state)
        return tableOf<DepositRow>(state, 'crypto_deposits').every((row) => {
          const [open, applied] = [row.open_amount ?? 0, row.applied_amount ?? 0]
          const elsewhere = (row.excess_amount ?? 0) + (row.late_amount ?? 0) + (row.foreign_amount ?? 0)
          const total = row.counted_at === null ? 0 : row.amount
          const isOpen = status === 'pending' || status === 'underpaid'
          return (
            open + applied + elsewhere === total &&
            (open === 0 || isOpen) &&
            (applied === 0 || status === 'paid') &&
            (row.counted_at === null || listedOf(state, row.tx_id) === elsewhere)
          )
        })
      },
    },
    {
      name: 'applied-is-converted',
      says: 'What is applied in the asset of the order is converted at the rate of its two prices, nothing else is, and the facts add up to it.',
      holds: (state) => {
        const rows = tableOf<DepositRow>(state, 'crypto_deposits')
        const applied = rows
          .filter(({ tx_id: tx }) => !isForeign(tx))
          .reduce((total, row) => total + (row.applied_amount ?? 0), 0)
        const cents = rows.reduce((total, row) => total + row.settled_cents, 0)
        return (
          cents === Math.round((PRICE_CENTS * applied) / DUE) &&
          rows.every(
            ({ tx_id: tx, applied_amount: amount, ...row }) =>
              row.settled_amount === (isForeign(tx) ? 0 : (amount ?? 0)),
          ) &&
          cents === movedCentsOf(state)
        )
      },
    },
    {
      name: 'counted-is-deep',
      says: 'Only a deposit that has reached its depth counts.',
      holds: (state) => countedOf(state).every((name) => state.world.reached.includes(name)),
    },
    {
      name: 'received-is-exact',
      says: 'What an order has received is the sum of its counted deposits, each once, less what staff sent back or kept.',
      holds: (state) => orderOf(state).received === sum(ofOrder(countedOf(state))) - decidedOf(state),
    },
    {
      name: 'paid-with-money',
      says: 'A paid order has received what was due, or staff have accepted what came.',
      holds: (state) =>
        orderOf(state).status !== 'paid' || sum(ofOrder(state.world.reached)) >= DUE || isAccepted(state),
    },
  ]
  const stepRules: StepRule<CryptoState>[] = [
    {
      name: 'allowed-ways',
      says: 'An order goes only the ways that it may, and each change of it emits its one event.',
      holds: (before, after) => {
        const [from, to] = [orderOf(before).status, orderOf(after).status]
        return leadTo(from, eventsOf(after).slice(eventsOf(before).length)).includes(to)
      },
    },
    {
      name: 'taken-back-is-told',
      says: 'What an order has received never gets less without an event, but by what staff sent back or kept.',
      holds: (before, after) =>
        orderOf(after).received + decidedOf(after) >= orderOf(before).received + decidedOf(before) ||
        eventsOf(after).slice(eventsOf(before).length).includes('payment.reverted'),
    },
  ]
  const atEnd: Invariant<CryptoState>[] = [
    {
      name: 'no-deposit-is-lost',
      says: 'In the end what is deep enough counts, and nothing else.',
      holds: (state) => countedOf(state).sort().join() === deepOf(state).sort().join(),
    },
  ]
  return { invariants, stepRules, atEnd }
}
