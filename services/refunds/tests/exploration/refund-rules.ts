import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import { CALLS, PAID_CENTS, type CallName } from './refund-processes.ts'
import { atProcessor, sumOf, type RefundState } from './refund-world.ts'

type Row = Readonly<{
  id: string
  state: string
  idempotency_key: string
  amount_cents: number
  due_at: unknown
}>

const OWNERS = Object.keys(CALLS) as CallName[]
/** The call that drew a refund's id (`canonical-ids.ts`). */
const keyOf = (refundId: string): string => {
  const owner = OWNERS[Number(refundId.slice(-16, -8)) - 1]
  return owner ? CALLS[owner].key : 'of nobody'
}

const COUNTED: ReadonlySet<string> = new Set(['sent', 'unknown', 'succeeded', 'reconciled'])
const MADE: ReadonlySet<string> = new Set(['succeeded', 'reconciled'])

/** Invariants of refunds for every state, step and end. */
export const refundRules = (space: RowSpace) => {
  const tableOf = <R>({ rows }: RefundState, table: string) =>
    (space.rowsOf(rows)[table] ?? []) as unknown as R[]
  const refundsOf = (state: RefundState) => tableOf<Row>(state, 'refunds')
  const completedOf = (state: RefundState): string[] =>
    tableOf<{ payload: string }>(state, 'outbox_events').map(
      ({ payload }) =>
        (JSON.parse(payload) as { partners: { data: { refund_id: string } }[] }).partners[0]?.data
          .refund_id ?? '',
    )
  const toldUnder = ({ world }: RefundState, key: string): string[] =>
    world.told.filter((each) => each.startsWith(`${key} `)).map((each) => each.slice(key.length + 1))

  const invariants: Invariant<RefundState>[] = [
    {
      name: 'never-above-paid',
      says: 'No more is refunded than was paid.',
      holds: ({ world }) => sumOf(world.made) <= PAID_CENTS,
    },
    {
      name: 'once-a-key',
      says: 'The processor makes at most one refund for each idempotency key.',
      holds: ({ world }) => {
        const keys = world.made.map(({ refundId }) => keyOf(refundId))
        return new Set(keys).size === keys.length
      },
    },
    {
      name: 'withdrawn-is-not-sent',
      says: 'A refund of which nothing is stored any more was not made and is not under way.',
      holds: (state) =>
        [...state.world.made, ...state.world.underWay].every(({ refundId }) =>
          refundsOf(state).some(({ id }) => id === refundId),
        ),
    },
    {
      name: 'failed-is-not-made',
      says: 'A refund that has failed is not made; only one that its processor answered with 500 may still be.',
      holds: (state) =>
        state.world.mayMakeFailed ||
        refundsOf(state).every(
          (row) => row.state !== 'failed' || !state.world.made.some(({ refundId }) => refundId === row.id),
        ),
    },
    {
      name: 'success-is-kept',
      says: 'A refund that its caller was told was made is made, and is stored so.',
      holds: (state) =>
        ['one', 'two'].every((key) => {
          if (!toldUnder(state, key).some((told) => told.startsWith('{'))) return true
          const row = refundsOf(state).find(({ idempotency_key }) => idempotency_key === key)
          const isMade = state.world.made.some(({ refundId }) => refundId === row?.id)
          return row !== undefined && isMade && MADE.has(row.state)
        }),
    },
    {
      name: 'one-reply-a-key',
      says: 'All calls with one key that are told of a success are told the same.',
      holds: (state) =>
        ['one', 'two'].every(
          (key) => toldUnder(state, key).filter((told) => told.startsWith('{')).length <= 1,
        ),
    },
    {
      name: 'completed-once',
      says: 'refund.completed is emitted at most once for a refund, and only when its order counts it.',
      holds: (state) => {
        const completed = completedOf(state)
        const isCounted = (id: string) => state.world.counted.includes(atProcessor(id))
        return new Set(completed).size === completed.length && completed.every(isCounted)
      },
    },
    {
      name: 'day-is-exact',
      says: "A client's day counts the refunds that were sent and have not failed, and nothing else.",
      holds: (state) => {
        const days = tableOf<{ amount_cents: number }>(state, 'client_refund_days')
        const counted = refundsOf(state).filter((row) => COUNTED.has(row.state))
        const sum = (rows: readonly { amount_cents: number }[]) =>
          rows.reduce((cents, row) => cents + row.amount_cents, 0)
        return sum(days) === sum(counted)
      },
    },
  ]
  const stepRules: StepRule<RefundState>[] = [
    {
      name: 'ends-stay',
      says: 'A reconciled refund stays as it is; a failed one becomes reconciled or stays failed.',
      holds: (before, after) =>
        refundsOf(before).every((row) => {
          if (row.state !== 'reconciled' && row.state !== 'failed') return true
          const next = refundsOf(after).find(({ id }) => id === row.id)
          return next?.state === row.state || next?.state === 'reconciled'
        }),
    },
  ]
  const atEnd: Invariant<RefundState>[] = [
    {
      name: 'all-agree-at-the-end',
      says: 'In the end every refund has failed or is reconciled, and processor, order and events have the same ones.',
      holds: (state) => {
        const rows = refundsOf(state)
        const reconciled = rows.filter((row) => row.state === 'reconciled').map(({ id }) => id)
        const same = (ids: readonly string[], others: readonly string[]) =>
          JSON.stringify([...ids].sort()) === JSON.stringify([...others].sort())
        return (
          rows.every((row) => row.state === 'reconciled' || row.state === 'failed') &&
          same(
            reconciled,
            state.world.made.map(({ refundId }) => refundId),
          ) &&
          same(reconciled.map(atProcessor), state.world.counted) &&
          same(reconciled, completedOf(state))
        )
      },
    },
  ]
  const alwaysReachable: Invariant<RefundState>[] = [
    {
      name: 'can-always-end',
      says: 'From everywhere, every refund can still be completed, failed or withdrawn.',
      holds: (state) =>
        refundsOf(state).every(({ due_at }) => due_at === null) && state.world.underWay.length === 0,
    },
  ]
  return { invariants, stepRules, atEnd, alwaysReachable }
}
