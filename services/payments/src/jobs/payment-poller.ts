import { startLoop, type Ground, type Loop } from '@causeway/chassis'
import type { CardProcessors } from '@causeway/rails'
import type { FiatSettlement } from '../operations/fiat-settlement.ts'
import { processorOf } from '../operations/card-processors.ts'
import { takeSilent } from '../store/fiat-settlement.ts'

const BATCH = 50
const EVERY_MS = 1_000
const LONGEST_MS = 3_600_000

/**
 * Reads the payments of pending card orders whose notices stay away. An order's turn is put off before it is asked
 * for, so that replicas share the work and one that cannot be read holds up nobody.
 */
export const startPaymentPoller = (
  { db, clock, log }: Ground,
  options: Readonly<{ processors: CardProcessors; settlement: FiatSettlement; pollAfterMs: number }>,
): Loop => {
  const { processors, settlement, pollAfterMs } = options

  const follow = async (order: { processor: string; processorOrderId: string }) => {
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
        const silent = await db.query(takeSilent, [clock.now(), pollAfterMs, LONGEST_MS, BATCH])
        taken = silent.length
        await Promise.all(silent.map(follow))
      }
    },
  })
}
