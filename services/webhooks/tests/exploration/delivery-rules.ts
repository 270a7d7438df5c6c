import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import type { DeliveryState } from './delivery-world.ts'
import { RETRY_DELAYS_MS } from './delivery-processes.ts'

export type DeliveryRow = Readonly<{
  state: 'waiting' | 'delivered' | 'dead'
  due_at: string
  lease_id: string | null
  retries_used: number
}>

/** Invariants of a delivery for every state, step and end. */
export const deliveryRules = (space: RowSpace) => {
  const rowsOf = ({ rows }: DeliveryState) => (space.rowsOf(rows)['deliveries'] ?? []) as DeliveryRow[]
  const rowOf = (state: DeliveryState) => rowsOf(state)[0]

  const invariants: Invariant<DeliveryState>[] = [
    {
      name: 'acknowledged-is-recorded',
      says: 'An event that the stream may forget is recorded, with one delivery for its destination.',
      holds: (state) => !state.world.isAcknowledged || rowsOf(state).length === 1,
    },
    {
      name: 'delivered-was-received',
      says: 'A delivery is delivered only when its receiver has it.',
      holds: (state) => rowOf(state)?.state !== 'delivered' || state.world.hasReceived,
    },
    {
      name: 'dead-after-all-retries',
      says: 'A delivery is dead only when its receiver refused it for good or all retries are used, and no more are.',
      holds: (state) => {
        const row = rowOf(state)
        if (row === undefined) return true
        const isUsedUp = row.retries_used === RETRY_DELAYS_MS.length
        return (
          row.retries_used <= RETRY_DELAYS_MS.length &&
          (row.state !== 'dead' || isUsedUp || state.world.hasRefused)
        )
      },
    },
  ]
  const stepRules: StepRule<DeliveryState>[] = [
    {
      name: 'live-lease-is-kept',
      says: 'A delivery under a lease that has not ended is claimed by nobody else.',
      holds: (before, after) => {
        const [row, next] = [rowOf(before), rowOf(after)]
        if (row?.state !== 'waiting' || row.lease_id === null) return true
        const isLive = Date.parse(row.due_at) > before.nowMs
        return !isLive || next?.lease_id === null || next?.lease_id === row.lease_id
      },
    },
    {
      name: 'ends-stay',
      says: 'What is delivered or dead stays so, and no delivery is deleted.',
      holds: (before, after) => {
        const row = rowOf(before)
        return row === undefined || row.state === 'waiting' || rowOf(after)?.state === row.state
      },
    },
  ]
  const settled: Invariant<DeliveryState> = {
    name: 'never-lost',
    says: 'In the end, and from everywhere, an event is acknowledged and its delivery delivered or dead.',
    holds: (state) => {
      const row = rowOf(state)
      return state.world.isAcknowledged && row !== undefined && row.state !== 'waiting'
    },
  }
  return { invariants, stepRules, atEnd: [settled], alwaysReachable: [settled] }
}
