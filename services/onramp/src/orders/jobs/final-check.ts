import type { Clock, Logger } from '@causeway/chassis'
import type { OnrampProvider } from '@causeway/rails'
import type { OpenedPurchase, Purchase } from '../purchase.ts'
import { isOpened } from '../purchase.ts'
import type { StatusUpdates } from '../apply-provider-status.ts'

/** How long past the hard cap a provider that cannot be read is tried again, before the order ends without it. */
const PATIENCE_MS = 10_000

type Parts = Readonly<{
  provider: OnrampProvider | null
  statusUpdates: StatusUpdates
  clock: Clock
  log: Logger
}>

/** @returns the purchase as its provider has ended it, or null when it is still open */
export type FinalCheck = (purchase: Purchase) => Promise<OpenedPurchase | null>

/**
 * Reads a purchase's provider once more before the hard cap ends it: a notice may be on its way, and a success at the
 * last moment wins (decisions §34).
 * @throws what kept the provider from being read, within its patience
 */
export const createFinalCheck =
  ({ provider, statusUpdates, clock, log }: Parts): FinalCheck =>
  async (purchase) => {
    if (provider === null || provider.key !== purchase.provider || !isOpened(purchase)) return null
    try {
      const told = await provider.readOrder(purchase.providerOrderId)
      const learned = await statusUpdates.apply(purchase, told)
      return learned !== null && learned.outcome !== null ? learned : null
    } catch (error) {
      if (clock.nowMs() < purchase.capAt.getTime() + PATIENCE_MS) throw error
      log.warn(
        { error, onrampOrderId: purchase.id },
        'An order ended at its hard cap with its provider unread',
      )
      return null
    }
  }
