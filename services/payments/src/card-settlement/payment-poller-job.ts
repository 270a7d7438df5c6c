import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails'
import type { FiatSettlement } from './settlement.ts'
import { processorOf } from '../fiat-orders/processors.ts'
import { takeForReview, takeSilent } from './store.ts'

const EVERY_MS = 1_000
const BATCH = 50
const LONGEST_MS = 3_600_000
/** At most so many reviews a turn and replica: they are many and none is urgent, and processors limit reads. */
const REVIEW_BATCH = 20
const LONGEST_REVIEW_MS = 7 * 24 * 3_600_000

type Silent = Readonly<{ processor: string; processorOrderId: string }>

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

  const follow = async (order: Silent) => {
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
      for (let taken = BATCH; taken === BATCH && !signal.aborted;) {
        const silent = await db.query(takeSilent, [clock.now(), options.pollAfterMs, LONGEST_MS, BATCH])
        taken = silent.length
        await Promise.all(silent.map(follow))
      }
      const pace = [options.reviewAfterMs, LONGEST_REVIEW_MS, options.reviewForMs]
      const due = await db.query(takeForReview, [clock.now(), ...pace, REVIEW_BATCH])
      await Promise.all(due.map(follow))
    },
  })
}
