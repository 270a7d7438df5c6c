import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import type { OnrampState } from './onramp-world.ts'

export type PurchaseRow = Readonly<{
  id: string
  status: string
  provider_order_id: string | null
  outcome: 'success' | 'failure' | null
  todo: string | null
  abandoned_at: string | null
  due_at: string | null
  poll_at: string | null
}>

/** Invariants of an onramp order for every state, step and end. */
export const onrampRules = (space: RowSpace) => {
  const purchasesOf = ({ rows }: OnrampState) =>
    (space.rowsOf(rows)['onramp_orders'] ?? []) as unknown as PurchaseRow[]
  const hasSucceeded = (state: OnrampState) => purchasesOf(state).some(({ outcome }) => outcome === 'success')
  const changesOf = ({ rows }: OnrampState): number =>
    (space.rowsOf(rows)['outbox_events'] ?? []).filter(({ subject }) => subject === 'ramping.status_changed')
      .length

  const invariants: Invariant<OnrampState>[] = [
    {
      name: 'success-keeps-the-order',
      says: 'The crypto order of a purchase that succeeded is never cancelled: the coins are on their way.',
      holds: (state) => !hasSucceeded(state) || state.world.order === 'pending',
    },
    {
      name: 'success-was-reported',
      says: 'A purchase succeeds only when its provider says so.',
      holds: (state) => !hasSucceeded(state) || state.world.atProvider?.status === 'completed',
    },
    {
      name: 'open-purchase-holds',
      says: 'While a purchase that its provider has opened is under way, its own hold keeps the crypto order from expiring.',
      holds: (state) =>
        state.world.order !== 'pending' ||
        purchasesOf(state).every(
          ({ id, provider_order_id: opened, outcome }) =>
            opened === null || outcome !== null || state.world.heldBy === id,
        ),
    },
  ]
  const stepRules: StepRule<OnrampState>[] = [
    {
      name: 'ends-stay',
      says: 'A purchase that has ended stays as it has ended; one that was abandoned may be deleted.',
      holds: (before, after) =>
        purchasesOf(before).every(({ id, outcome, status, abandoned_at: abandonedAt }) => {
          const next = purchasesOf(after).find((each) => each.id === id)
          if (next === undefined && abandonedAt !== null) return true
          return outcome === null || (next?.outcome === outcome && next.status === status)
        }),
    },
    {
      name: 'one-event-a-change',
      says: 'Each change of status emits its one event with it, and nothing else emits one.',
      holds: (before, after) => {
        const added = changesOf(after) - changesOf(before)
        const changed = purchasesOf(before).filter(({ id, status }) => {
          const next = purchasesOf(after).find((each) => each.id === id)
          return next !== undefined && next.status !== status
        })
        return added === changed.length
      },
    },
  ]
  const ended: Invariant<OnrampState> = {
    name: 'every-order-ends',
    says: 'In the end, and from everywhere, a purchase has ended and payments knows: released, or cancelled.',
    holds: (state) => {
      const { order, heldBy } = state.world
      const purchases = purchasesOf(state)
      if (purchases.length === 0) return heldBy === null || order === 'cancelled'
      if (purchases.some((each) => each.outcome === null || each.todo !== null || each.due_at !== null))
        return false
      return hasSucceeded(state) ? heldBy === null && order === 'pending' : order === 'cancelled'
    },
  }
  return { invariants, stepRules, atEnd: [ended], alwaysReachable: [ended] }
}
