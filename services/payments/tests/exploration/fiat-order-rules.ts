import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import { TOTAL_CENTS } from './fiat-order-processes.ts'
import { REFUNDS, type FiatState } from './fiat-order-world.ts'

export type FiatOrderRow = Readonly<{
  id: string
  status: string
  refunded_cents: number
  chargeback_cents: number
  processor_order_id: string | null
  poll_at: string | null
}>
type RefundRow = Readonly<{ amount_cents: number }>

const PAID = ['paid', 'refunded', 'chargeback']
/** Possible next states of an order; all others are final. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  pending: ['paid', 'refunded', 'chargeback', 'cancelled', 'expired'],
  paid: ['refunded', 'chargeback'],
  refunded: ['chargeback'],
}

/** Invariants of a card order for every state, step and end. */
export const fiatOrderRules = (space: RowSpace) => {
  const rowsOf = ({ rows }: FiatState, table: string) => space.rowsOf(rows)[table] ?? []
  const orderOf = (state: FiatState) => (rowsOf(state, 'fiat_orders')[0] ?? null) as FiatOrderRow | null
  const refundsOf = (state: FiatState) =>
    rowsOf(state, 'fiat_refunds_seen') as unknown as readonly RefundRow[]
  const isDisputed = (state: FiatState) => rowsOf(state, 'chargebacks').length > 0
  const eventsOf = (state: FiatState, name: string): number =>
    rowsOf(state, 'outbox_events').filter(({ subject }) => subject === name).length

  const invariants: Invariant<FiatState>[] = [
    {
      name: 'one-order-a-key',
      says: 'A call and its repetitions make one order, and are told of no other.',
      holds: (state) =>
        rowsOf(state, 'fiat_orders').length <= 1 &&
        state.world.told.length <= 1 &&
        state.world.told.every((id) => orderOf(state)?.id === id),
    },
    {
      name: 'payment-has-its-order',
      says: 'While the processor may have a payment, its order is on record: a payer’s money always has an owner.',
      holds: (state) => state.world.payment === null || orderOf(state) !== null,
    },
    {
      name: 'paid-was-reported',
      says: 'An order is paid only when its processor says so.',
      holds: (state) =>
        !PAID.includes(orderOf(state)?.status ?? '') || state.world.payment?.status === 'completed',
    },
    {
      name: 'refunds-are-counted-once',
      says: 'What an order counts as refunded is the sum of the refunds that it knows, each once; nothing under a dispute.',
      holds: (state) => {
        const order = orderOf(state)
        const sum = refundsOf(state).reduce((cents, row) => cents + row.amount_cents, 0)
        return order === null || order.refunded_cents === (isDisputed(state) ? 0 : sum)
      },
    },
    {
      name: 'dispute-reverses-the-order',
      says: 'A disputed order is a chargeback of its whole total, and no other order is.',
      holds: (state) => {
        const order = orderOf(state)
        const isReversed = order?.status === 'chargeback' && order.chargeback_cents === TOTAL_CENTS
        return isReversed === isDisputed(state)
      },
    },
    {
      name: 'each-change-is-told-once',
      says: 'Opening, payment, each refund and the dispute emit one event each, with what they change.',
      holds: (state) => {
        const order = orderOf(state)
        const isBound = order !== null && order.processor_order_id !== null
        return (
          eventsOf(state, 'payment.pending') === (isBound ? 1 : 0) &&
          eventsOf(state, 'payment.confirmed') === (PAID.includes(order?.status ?? '') ? 1 : 0) &&
          eventsOf(state, 'payment.cancelled') === (order?.status === 'cancelled' ? 1 : 0) &&
          eventsOf(state, 'payment.refunded') === refundsOf(state).length &&
          eventsOf(state, 'payment.chargeback') === (isDisputed(state) ? 1 : 0)
        )
      },
    },
  ]
  const stepRules: StepRule<FiatState>[] = [
    {
      name: 'nothing-goes-back',
      says: 'An order never goes back to a status that it has left.',
      holds: (before, after) => {
        const [from, to] = [orderOf(before)?.status, orderOf(after)?.status]
        return from === undefined || to === undefined || from === to || (NEXT[from] ?? []).includes(to)
      },
    },
  ]
  const follows: Invariant<FiatState> = {
    name: 'order-follows-its-payment',
    says: 'In the end, and from everywhere, an opened order is what its payment is: paid, refunded, disputed or cancelled.',
    holds: (state) => {
      const order = orderOf(state)
      const { payment } = state.world
      if (order === null || order.processor_order_id === null || payment === null) return true
      if (payment.isDisputed !== isDisputed(state)) return false
      if (refundsOf(state).length !== payment.refunds.length) return false
      if (payment.isDisputed) return true
      if (payment.status !== 'completed')
        return order.status === (payment.status === 'new' ? 'pending' : payment.status)
      const cents = payment.refunds.reduce((sum, name) => sum + REFUNDS[name].amountCents, 0)
      return order.status === (cents === TOTAL_CENTS ? 'refunded' : 'paid')
    },
  }
  return { invariants, stepRules, atEnd: [follows], alwaysReachable: [follows] }
}
