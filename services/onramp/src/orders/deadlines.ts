import { isOpened, type OpenedPurchase, type Purchase } from './purchase.ts'

/**
 * What is to be done about a purchase now: ask payments, extend the invoice, end it at the cap, or give it up there
 * because its provider has never opened it; or nothing.
 */
export type Step = 'ask' | 'extend' | 'end' | 'giveUp'

/** In the order in which they fell due, so that a service that slept through all of them misses none. */
export const nextStep = (purchase: Purchase, now: Date): Step | null => {
  if (purchase.pendingAction !== null) return 'ask'
  if (purchase.outcome !== null) return null
  if (!isOpened(purchase)) return purchase.capAt <= now ? 'giveUp' : null
  if (purchase.extendedAt === null) return purchase.extendAt <= now ? 'extend' : null
  return purchase.capAt <= now ? 'end' : null
}

/** The purchase once its invoice was extended, or was found to be over already. */
export const extended = (purchase: OpenedPurchase, now: Date): OpenedPurchase => ({
  ...purchase,
  extendedAt: now,
  dueAt: purchase.capAt,
})

/** The purchase past the hard cap: ended without success, whatever its provider may still say. */
export const timedOut = (purchase: OpenedPurchase, now: Date): OpenedPurchase => ({
  ...purchase,
  status: 'expired',
  outcome: 'failure',
  pendingAction: 'expire',
  updatedAt: now,
  dueAt: now,
  pollAt: null,
})
