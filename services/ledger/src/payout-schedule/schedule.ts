import type { Transaction } from '@causeway/chassis'
import type { PayoutSchedule, ReadSchedule } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import type { Interval } from './due.ts'
import { lockUsable, type ScheduleRow } from './store.ts'

/** A stored interval, with its day as a number. */
export const intervalOf = ({
  interval,
  weekday,
  day,
}: Pick<ScheduleRow, 'interval' | 'weekday' | 'day'>): Interval => ({
  ...{ interval, weekday },
  day: day === null || day === 'last' ? day : Number(day),
})

/** A schedule as it is kept with the payouts that it makes. */
export const presentSchedule = (row: ScheduleRow): PayoutSchedule => ({
  unit: row.unit,
  ...intervalOf(row),
  minimum_amount: presentAmount(row.unit, row.minimum),
  payout_wallet_id: row.payoutWalletId,
})

/** A schedule as its partner reads it. */
export const presentWithNext = (row: ScheduleRow): ReadSchedule => ({
  ...presentSchedule(row),
  next_at: row.dueAt?.toISOString() ?? null,
})

/**
 * Locks the destination of a schedule: nobody deletes or refuses it before the transaction ends. A schedule without one is
 * paid elsewhere.
 * @returns false where its destination may not be paid at
 */
export const lockDestination = async (
  tx: Transaction,
  partnerCustomerId: string,
  payoutWalletId: string | null,
): Promise<boolean> =>
  payoutWalletId === null || (await lockUsable(tx, { partnerCustomerId, payoutWalletId })) !== null
