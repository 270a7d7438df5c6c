import type { Db } from '@causeway/chassis'
import type { OnrampHolds } from '../clients/payments.ts'
import type { Purchase } from './purchase.ts'
import { markAbandoned } from './store.ts'

/**
 * How long an abandoned purchase is kept. Another call or the poller may have read it before and ask payments to hold its
 * crypto order only now: longer than both take (5 s on the bus), so that the release after it is the last word.
 */
const KEPT_MS = 30_000

type Dependencies = Readonly<{ db: Db; holds: OnrampHolds }>

/**
 * Gives up a purchase that its provider has not created: frees its order's slot and releases its crypto order. The due
 * steps release it once more and delete the purchase, so that a crash at any moment leaves no hold without a purchase.
 */
export const abandonPurchase = async (
  { db, holds }: Dependencies,
  purchase: Purchase,
  now: Date,
): Promise<void> => {
  const dueAt = new Date(now.getTime() + KEPT_MS)
  if (await markAbandoned(db, { ...purchase, now, dueAt })) await holds.release(purchase)
}
