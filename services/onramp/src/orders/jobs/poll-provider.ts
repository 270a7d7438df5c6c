import { startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import type { OnrampProvider } from '@causeway/rails/onramps'
import type { OnrampHolds } from '../../clients/payments.ts'
import { isOpened, pollAtOf, type Purchase } from '../purchase.ts'
import type { StatusUpdates } from '../apply-provider-status.ts'
import { createProviderOrder } from '../create-provider-order.ts'
import { claimUnnotified, postponePoll } from '../store.ts'

const EVERY_MS = 1_000
const BATCH = 16

type Options = Readonly<{
  holds: OnrampHolds
  provider: OnrampProvider
  statusUpdates: StatusUpdates
  publicBaseUrl: string
  pollAfterMs: number
}>

/**
 * Polls the provider for a batch of orders without notices, and repeats creations that were never answered.
 * @returns whether there may be more
 */
export const createPolling = (
  { db, clock, log }: Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>,
  options: Options,
): (() => Promise<boolean>) => {
  const { provider, statusUpdates, pollAfterMs } = options

  const poll = async (purchase: Purchase): Promise<void> => {
    try {
      // The call may have died before it held the crypto order: without a hold that would expire during the purchase.
      if (!isOpened(purchase)) await createProviderOrder({ ...options, db, clock, log }, purchase, false)
      else await statusUpdates.apply(purchase, await provider.readOrder(purchase.providerOrderId))
    } catch (error) {
      log.warn(
        { event: 'onramp.poll_failed', error, onrampOrderId: purchase.id },
        'Onramp provider could not be polled',
      )
    }
    await postponePoll(db, { ...purchase, pollAt: pollAtOf(purchase, clock.now(), pollAfterMs) })
  }

  return async () => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + pollAfterMs)
    const claimed = await claimUnnotified(db, { now, limit: BATCH, leaseUntil })
    await Promise.all(claimed.map(poll))
    return claimed.length === BATCH
  }
}

/** Polls the provider, a batch at a time. */
export const startPoller = (context: KeylessServiceContext, options: Options): Loop =>
  startLoop({
    name: 'onramp-poller',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: createPolling(context, options),
  })
