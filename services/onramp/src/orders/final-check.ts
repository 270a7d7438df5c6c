import type { Clock, Logger } from '@causeway/chassis'
import type { OnrampProvider } from '@causeway/rails'
import type { StatusUpdates } from './apply-provider-status.ts'
import { isOpened, type OpenedPurchase, type Purchase } from './purchase.ts'

/** How long past the hard cap a provider that cannot be read is retried, before the order expires without it. */
const RETRY_FOR_MS = 10_000

type Dependencies = Readonly<{
  provider: OnrampProvider | null
  statusUpdates: StatusUpdates
  clock: Clock
  log: Logger
}>

/** @returns the purchase as its provider has ended it, or null when it is still open */
export type FinalCheck = (purchase: Purchase) => Promise<OpenedPurchase | null>

/**
 * Reads a purchase's provider once more before the hard cap expires it: a notice may be on its way, and a success at
 * the last moment wins (decisions §34).
 * @throws RailError when the provider cannot be read, until 10 seconds past the hard cap
 */
export const createFinalCheck =
  ({ provider, statusUpdates, clock, log }: Dependencies): FinalCheck =>
  async (purchase) => {
    if (provider === null || provider.key !== purchase.provider || !isOpened(purchase)) return null
    try {
      const reported = await provider.readOrder(purchase.providerOrderId)
      const updated = await statusUpdates.apply(purchase, reported)
      return updated !== null && updated.outcome !== null ? updated : null
    } catch (error) {
      if (clock.nowMs() < purchase.capAt.getTime() + RETRY_FOR_MS) throw error
      log.warn(
        { event: 'onramp.expired_unread', error, onrampOrderId: purchase.id },
        'Onramp order expired at its hard cap; its provider could not be read',
      )
      return null
    }
  }
