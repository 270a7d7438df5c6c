import type { Queryable } from '@causeway/chassis'
import type { Refusal } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { dayOf } from '../limits/limits.ts'
import { judgeDay, type PayoutLimits, type Spending } from './limit.ts'
import { addSpending } from './store.ts'

/** Counts a payout in the transaction that stores its signature; a refusal has to roll that back. */
export const spendPayout = async (
  tx: Queryable,
  payout: Spending,
  limits: PayoutLimits,
  now: Date,
): Promise<Refusal<'limit_reached'> | null> => {
  const { network, asset, amount } = payout
  const added = await addSpending(tx, { day: dayOf(now), unit: `${network}/${asset}`, amount })
  const decimals = ASSET_DECIMALS[asset]
  const before = toUnits(added?.amount ?? amount, decimals) - toUnits(amount, decimals)
  return judgeDay(payout, fromUnits(before, decimals), limits)
}
