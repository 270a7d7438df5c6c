import type { Clock, Logger } from '@causeway/chassis'
import type { OnrampProvider } from '@causeway/rails/onramps'
import type { StatusUpdates } from './apply-provider-status.ts'
import { isOpened, type OpenedPurchase, type Purchase } from './purchase.ts'

/** How long past a deadline a provider that cannot be read is retried, before it is kept without it. */
const RETRY_FOR_MS = 10_000

type Dependencies = Readonly<{
  provider: OnrampProvider | null
  statusUpdates: StatusUpdates
  clock: Clock
  log: Logger
}>

/** @returns the purchase as its provider has ended it, or null when it is still open */
export type FinalCheck = (purchase: Purchase, deadline: Date) => Promise<OpenedPurchase | null>

/**
 * Reads a purchase's provider once more before its hard cap expires it, or its crypto order's expiry lets that go: a notice may be on its way, and a success at
 * the last moment wins (decisions §34).
 * @throws RailError when the provider cannot be read, until 10 seconds past the deadline
 */
export const createFinalCheck =
  ({ provider, statusUpdates, clock, log }: Dependencies): FinalCheck =>
  async (purchase, deadline) => {
    if (provider === null || provider.key !== purchase.provider || !isOpened(purchase)) return null
    try {
      const reported = await provider.readOrder(purchase.providerOrderId)
      const updated = await statusUpdates.apply(purchase, reported)
      return updated !== null && updated.outcome !== null ? updated : null
    } catch (error) {
      if (clock.nowMs() < deadline.getTime() + RETRY_FOR_MS) throw error
      log.warn(
        { event: 'onramp.expired_unread', error, onrampOrderId: purchase.id },
        'The deadline of an onramp order has passed, but its provider could not be read',
      )
      return null
    }
  }
