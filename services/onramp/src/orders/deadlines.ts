import { isOpened, isUnpaidOfBuyer, letGoAtOf, type OpenedPurchase, type Purchase } from './purchase.ts'

/**
 * The next step of a purchase: its pending action at payments, extending the crypto order, releasing it because its buyer paid
 * nothing before the expiry, expiring it at the hard cap, abandoning it then because its provider never opened it, or deleting
 * an abandoned one.
 */
export type Step = 'act' | 'extend' | 'letGo' | 'expire' | 'abandon' | 'delete'

/** The next step, or null. Steps come in the order in which they fell due, so that none is missed after a pause. */
export const nextStep = (purchase: Purchase, now: Date): Step | null => {
  if (purchase.abandonedAt !== null) return 'delete'
  if (purchase.pendingAction !== null) return 'act'
  if (purchase.outcome !== null) return null
  if (!isOpened(purchase)) return purchase.capAt <= now ? 'abandon' : null
  if (purchase.extendedAt === null) {
    if (isUnpaidOfBuyer(purchase)) return letGoAtOf(purchase) <= now ? 'letGo' : null
    return purchase.extendAt <= now ? 'extend' : null
  }
  return purchase.capAt <= now ? 'expire' : null
}

/** The purchase once its crypto order was extended, or was found to have ended already. */
export const extended = (purchase: OpenedPurchase, now: Date): OpenedPurchase => ({
  ...purchase,
  extendedAt: now,
  dueAt: purchase.capAt,
})

/** The purchase of a buyer who has paid nothing: its crypto order is released, and is never extended for it. */
export const letGo = (purchase: OpenedPurchase, now: Date): OpenedPurchase => ({
  ...purchase,
  extendedAt: now,
  pendingAction: 'release',
  dueAt: now,
})

/** The purchase past the hard cap: ended without success, whatever its provider may still report. */
export const expired = (purchase: OpenedPurchase, now: Date): OpenedPurchase => ({
  ...purchase,
  status: 'expired',
  outcome: 'failure',
  pendingAction: 'expire',
  updatedAt: now,
  dueAt: now,
  pollAt: null,
})
