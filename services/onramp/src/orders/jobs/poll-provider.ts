import { startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import type { OnrampProvider } from '@causeway/rails'
import { isOpened, pollAtOf, type Purchase } from '../purchase.ts'
import type { StatusUpdates } from '../apply-provider-status.ts'
import { requestOf } from '../create-provider-order.ts'
import { claimUnnotified, postponePoll } from '../store.ts'

const EVERY_MS = 1_000
const BATCH = 16

/** Polls the provider for orders without notices, and repeats creations that were never answered. */
export const startPoller = (
  { db, clock, log }: KeylessServiceContext,
  options: {
    provider: OnrampProvider
    statusUpdates: StatusUpdates
    publicBaseUrl: string
    pollAfterMs: number
  },
): Loop => {
  const { provider, statusUpdates, publicBaseUrl, pollAfterMs } = options

  const poll = async (purchase: Purchase): Promise<void> => {
    try {
      const reported = isOpened(purchase)
        ? await provider.readOrder(purchase.providerOrderId)
        : await provider.createOrder(requestOf(purchase, publicBaseUrl))
      await statusUpdates.apply(purchase, reported)
    } catch (error) {
      log.warn(
        { event: 'onramp.poll_failed', error, onrampOrderId: purchase.id },
        'Onramp provider could not be polled',
      )
    }
    await postponePoll(db, { ...purchase, pollAt: pollAtOf(purchase, clock.now(), pollAfterMs) })
  }

  return startLoop({
    name: 'onramp-poller',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => {
      const now = clock.now()
      const leaseUntil = new Date(now.getTime() + pollAfterMs)
      const claimed = await claimUnnotified(db, { now, limit: BATCH, leaseUntil })
      await Promise.all(claimed.map(poll))
      return claimed.length === BATCH
    },
  })
}
