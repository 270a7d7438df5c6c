import { newId, type Clock, type Db } from '@causeway/chassis'
import type { ProviderOrder } from '@causeway/rails'
import { advance, isOpened, open, type OpenedPurchase, type Purchase } from './purchase.ts'
import { statusChanged } from './events.ts'
import { lockPurchase, updatePurchase } from './store.ts'

export type StatusUpdates = Readonly<{
  /**
   * Takes in what a provider says of a purchase, with its event; what is old, repeated or after the end changes
   * nothing. An order without its checkout opens no purchase: nobody can buy there.
   * @returns the purchase as it stands then, or null when it is gone or still not opened
   */
  apply: (purchase: Pick<Purchase, 'id' | 'partnerId'>, told: ProviderOrder) => Promise<OpenedPurchase | null>
}>

const opened = (found: Purchase, { checkoutUrl, ...told }: ProviderOrder): OpenedPurchase | null => {
  if (isOpened(found)) return found
  return checkoutUrl === null ? null : open(found, { ...told, checkoutUrl })
}

/** @param onDue called when a purchase is due at once */
export const createStatusUpdates = (options: { db: Db; clock: Clock; onDue: () => void }): StatusUpdates => ({
  async apply(key, told) {
    const learned = await options.db.transaction(async (tx) => {
      const found = await lockPurchase(tx, key)
      if (!found) return null
      const now = options.clock.now()
      const before = opened(found, told)
      if (!before) return null
      const { purchase, isChanged } = advance(before, told, now) ?? { purchase: before, isChanged: false }
      if (purchase !== found) await updatePurchase(tx, purchase)
      if (isChanged)
        tx.emit(statusChanged({ eventId: newId('event'), purchase, now, providerStatus: told.status }))
      return purchase
    })
    if (learned?.pendingAction != null) options.onDue()
    return learned
  },
})
