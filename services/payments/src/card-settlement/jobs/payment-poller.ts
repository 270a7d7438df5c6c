import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { cardProcessorOf, type CardProcessors } from '@causeway/rails/cards'
import type { CardSettlement } from '../settlement.ts'
import { claimForReview, claimUnnotified, type ClaimedOrder } from '../store.ts'

const EVERY_MS = 1_000
const BATCH = 50
const MAX_PAUSE_MS = 3_600_000
/** Reviews per turn and replica: there are many, none is urgent, and processors limit reads. */
const REVIEW_BATCH = 20
const MAX_REVIEW_PAUSE_MS = 7 * 24 * 3_600_000

type PollingOptions = Readonly<{
  processors: CardProcessors
  settlement: CardSettlement
  pollAfterMs: number
  reviewAfterMs: number
  /** Age of a payment at its last review. */
  reviewForMs: number
}>

/**
 * Reads payments whose notices may be lost: of pending orders, and of paid ones, which may be refunded or disputed
 * without a notice. An order's next turn is postponed before its payment is read, so that replicas share the work and a
 * payment that cannot be read delays no other.
 */
export const createPaymentPolling = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  options: PollingOptions,
) => {
  const { processors, settlement } = options

  const readAndApply = async ({ processor, processorOrderId }: ClaimedOrder) => {
    try {
      const payment = await cardProcessorOf(processors, processor).readPayment(processorOrderId)
      await settlement.applyPayment(processor, payment)
    } catch (error) {
      log.warn(
        { event: 'payment_poller.read_failed', processor, error },
        'A payment could not be read; its next poll retries',
      )
    }
  }

  return async (signal: AbortSignal): Promise<void> => {
    for (let claimed = BATCH; claimed === BATCH && !signal.aborted;) {
      const unnotified = await claimUnnotified(db, {
        now: clock.now(),
        minPauseMs: options.pollAfterMs,
        maxPauseMs: MAX_PAUSE_MS,
        limit: BATCH,
      })
      claimed = unnotified.length
      await Promise.all(unnotified.map(readAndApply))
    }
    const due = await claimForReview(db, {
      now: clock.now(),
      minPauseMs: options.reviewAfterMs,
      maxPauseMs: MAX_REVIEW_PAUSE_MS,
      lastAfterMs: options.reviewForMs,
      limit: REVIEW_BATCH,
    })
    await Promise.all(due.map(readAndApply))
  }
}

/** Runs {@link createPaymentPolling} every second. */
export const startPaymentPoller = (context: ServiceContext, options: PollingOptions): Loop =>
  startLoop({
    name: 'payment-poller',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: createPaymentPolling(context, options),
  })
