import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails'
import type { FiatSettlement } from '../settlement.ts'
import { processorOf } from '../../fiat-orders/processors.ts'
import { claimForReview, claimUnnotified, type ClaimedOrder } from '../store.ts'

const EVERY_MS = 1_000
const BATCH = 50
const MAX_PAUSE_MS = 3_600_000
/** At most so many reviews a turn and replica: they are many and none is urgent, and processors limit reads. */
const REVIEW_BATCH = 20
const MAX_REVIEW_PAUSE_MS = 7 * 24 * 3_600_000

/**
 * Reads payments whose notices stay away: of pending orders, and of paid ones, which may be refunded or disputed
 * without a word. An order's turn is put off before it is asked for, so that replicas share the work and one that
 * cannot be read holds up nobody.
 */
export const startPaymentPoller = (
  { db, clock, log }: ServiceContext,
  options: Readonly<{
    processors: CardProcessors
    settlement: FiatSettlement
    pollAfterMs: number
    reviewAfterMs: number
    /** How old a payment is when it is reviewed for the last time. */
    reviewForMs: number
  }>,
): Loop => {
  const { processors, settlement } = options

  const follow = async (order: ClaimedOrder) => {
    try {
      const payment = await processorOf(processors, order.processor).readPayment(order.processorOrderId)
      await settlement.applyPayment(order.processor, payment)
    } catch (error) {
      log.warn(
        { error, processor: order.processor },
        'A payment could not be read; its next turn tries again',
      )
    }
  }

  return startLoop({
    name: 'payment-poller',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      for (let claimed = BATCH; claimed === BATCH && !signal.aborted;) {
        const unnotified = await claimUnnotified(db, {
          now: clock.now(),
          minPauseMs: options.pollAfterMs,
          maxPauseMs: MAX_PAUSE_MS,
          limit: BATCH,
        })
        claimed = unnotified.length
        await Promise.all(unnotified.map(follow))
      }
      const due = await claimForReview(db, {
        now: clock.now(),
        minPauseMs: options.reviewAfterMs,
        maxPauseMs: MAX_REVIEW_PAUSE_MS,
        lastAfterMs: options.reviewForMs,
        limit: REVIEW_BATCH,
      })
      await Promise.all(due.map(follow))
    },
  })
}
