import type { Queryable } from '@causeway/chassis'
import type { Refusal } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { canonicalRecipient, dayOf, judgeLimits, type Limits, type Payment } from './limits.ts'
import { addSpending, listSpending } from './store.ts'

/** Checks whether a payment would be within the limits now; only {@link spend} is binding. */
export const checkLimits = async (
  db: Queryable,
  payment: Payment,
  limits: Limits,
  now: Date,
): Promise<Refusal<'limit_reached'> | null> => {
  const { asset } = payment
  const spent = await listSpending(db, { day: dayOf(now), asset, toAddress: canonicalRecipient(payment) })
  return judgeLimits(payment, spent, limits, now)
}

/** Counts a payment in the transaction that stores its signature; a refusal has to roll that back. */
export const spend = async (
  tx: Queryable,
  payment: Payment,
  limits: Limits,
  now: Date,
): Promise<Refusal<'limit_reached'> | null> => {
  const { asset, amount } = payment
  const added = await addSpending(tx, {
    day: dayOf(now),
    asset,
    toAddress: canonicalRecipient(payment),
    amount,
  })
  const decimals = ASSET_DECIMALS[asset]
  const before = added.map((each) => ({
    ...each,
    amount: fromUnits(toUnits(each.amount, decimals) - toUnits(amount, decimals), decimals),
  }))
  return judgeLimits(payment, before, limits, now)
}
