import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import type { OnrampState } from './onramp-world.ts'

export type PurchaseRow = Readonly<{
  status: string
  outcome: 'success' | 'failure' | null
  todo: string | null
  due_at: string | null
  poll_at: string | null
}>

/** What holds of an onramp order in every state, at every step and at every end. */
export const onrampRules = (space: RowSpace) => {
  const purchaseOf = ({ rows }: OnrampState) =>
    space.rowsOf(rows)['onramp_orders']?.[0] as PurchaseRow | undefined
  const changesOf = ({ rows }: OnrampState): number =>
    (space.rowsOf(rows)['outbox_events'] ?? []).filter(({ subject }) => subject === 'ramping.status_changed')
      .length

  const invariants: Invariant<OnrampState>[] = [
    {
      name: 'success-keeps-the-order',
      says: 'The crypto order of a purchase that succeeded is never cancelled: the coins are on their way.',
      holds: (state) => purchaseOf(state)?.outcome !== 'success' || state.world.order === 'pending',
    },
    {
      name: 'success-was-reported',
      says: 'A purchase succeeds only when its provider says so.',
      holds: (state) =>
        purchaseOf(state)?.outcome !== 'success' || state.world.atProvider?.status === 'completed',
    },
  ]
  const stepRules: StepRule<OnrampState>[] = [
    {
      name: 'ends-stay',
      says: 'A purchase that has ended stays as it has ended.',
      holds: (before, after) => {
        const [row, next] = [purchaseOf(before), purchaseOf(after)]
        return (
          row === undefined ||
          row.outcome === null ||
          (next?.outcome === row.outcome && next.status === row.status)
        )
      },
    },
    {
      name: 'one-event-a-change',
      says: 'Each change of status emits its one event with it, and nothing else emits one.',
      holds: (before, after) => {
        const [row, next] = [purchaseOf(before), purchaseOf(after)]
        const added = changesOf(after) - changesOf(before)
        const isChanged = row !== undefined && next !== undefined && row.status !== next.status
        return added === (isChanged ? 1 : 0)
      },
    },
  ]
  const ended: Invariant<OnrampState> = {
    name: 'every-order-ends',
    says: 'In the end, and from everywhere, a purchase has ended and payments knows: released, or cancelled.',
    holds: (state) => {
      const { world } = state
      const row = purchaseOf(state)
      const isReleased = !world.isHeld || world.order === 'cancelled'
      if (row === undefined) return isReleased
      if (row.outcome === null || row.todo !== null || row.due_at !== null) return false
      return row.outcome === 'success'
        ? !world.isHeld && world.order === 'pending'
        : world.order === 'cancelled'
    },
  }
  return { invariants, stepRules, atEnd: [ended], alwaysReachable: [ended] }
}
