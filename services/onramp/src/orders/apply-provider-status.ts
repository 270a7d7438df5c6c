import { newIdAt, type Clock, type Db } from '@causeway/chassis'
import type { ProviderOrder } from '@causeway/rails/onramps'
import { advance, isOpened, open, type OpenedPurchase, type Purchase } from './purchase.ts'
import { statusChanged } from './events.ts'
import { lockPurchase, updatePurchase } from './store.ts'

export type StatusUpdates = Readonly<{
  /**
   * Applies what a provider reports of a purchase, and emits its event; a report that is old, repeated or after the end
   * changes nothing. An order without a checkout address opens no purchase.
   * @returns the purchase afterwards, or null when it was abandoned or is still not opened
   */
  apply: (
    purchase: Pick<Purchase, 'id' | 'partnerId'>,
    reported: ProviderOrder,
  ) => Promise<OpenedPurchase | null>
}>

const opened = (found: Purchase, { checkoutUrl, ...reported }: ProviderOrder): OpenedPurchase | null => {
  if (isOpened(found)) return found
  return checkoutUrl === null ? null : open(found, { ...reported, checkoutUrl })
}

/** @param onDue called when a purchase is due immediately */
export const createStatusUpdates = (options: { db: Db; clock: Clock; onDue: () => void }): StatusUpdates => ({
  async apply(key, reported) {
    const updated = await options.db.transaction(async (tx) => {
      const found = await lockPurchase(tx, key)
      if (!found || found.abandonedAt !== null) return null
      const now = options.clock.now()
      const before = opened(found, reported)
      if (!before) return null
      const { purchase, isChanged } = advance(before, reported, now) ?? { purchase: before, isChanged: false }
      if (purchase !== found) await updatePurchase(tx, purchase)
      if (isChanged)
        tx.emit(
          statusChanged({
            eventId: newIdAt('event', now.getTime()),
            purchase,
            now,
            providerStatus: reported.status,
          }),
        )
      return purchase
    })
    if (updated?.pendingAction != null) options.onDue()
    return updated
  },
})
