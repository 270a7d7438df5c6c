import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { ProcessorRequests } from '../processor-requests.ts'
import { ValidatedRefund, type RefundRecord } from '../refund.ts'
import { isOpen, nextStepOf, retryDelayMs } from '../state.ts'
import * as store from '../store.ts'
import type { RefundTransitions } from '../transitions.ts'

const BATCH = 20
const EVERY_MS = 250
const REST_MS = 50

type Dependencies = Readonly<{ transitions: RefundTransitions; requests: ProcessorRequests }>

/** One run of the job: claims what is due, and completes each of it or puts it off. */
export const createRefundCompletion = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  { transitions, requests }: Dependencies,
): (() => Promise<void>) => {
  const claimDue = async (): Promise<RefundRecord[]> => {
    const now = clock.now()
    return store.claimDue(db, { now, nextTurnAt: new Date(now.getTime() + retryDelayMs(0)), limit: BATCH })
  }

  /** @throws when the processor or payments cannot complete it now */
  const complete = async (refund: RefundRecord): Promise<void> => {
    const step = nextStepOf(refund.state)
    if (step === 'validate') {
      // Its call died before anything was sent: a caller that still wants it sends its key again.
      await transitions.withdraw(refund, 'requested')
      return
    }
    const sent = ValidatedRefund.parse(refund)
    const resolved = step === 'resolve' ? await requests.resolve(sent) : sent
    if (resolved.state === 'succeeded') await transitions.recordAtOrder(resolved)
    else if (isOpen(resolved.state))
      throw new Error('The processor does not tell whether the refund was made')
  }

  const attempt = async (refund: RefundRecord): Promise<void> => {
    try {
      await complete(refund)
    } catch (error) {
      log.warn(
        { event: 'refund.not_completed', error, refundId: refund.id, state: refund.state },
        'Refund is not complete yet and is retried',
      )
      const { partnerId, id: refundId } = refund
      const dueAt = new Date(clock.nowMs() + retryDelayMs(refund.attempts))
      await store.putOff(db, { partnerId, refundId, dueAt })
    }
  }

  return async () => {
    await Promise.all((await claimDue()).map(attempt))
  }
}

/**
 * Completes every refund whose call died or got no answer (docs/REFUNDS.md). Replicas share the work by claims; a
 * processor that is down is asked with exponential backoff, and the queue drains once it is back.
 */
export const startRefundCompletion = (context: ServiceContext, dependencies: Dependencies): Loop =>
  startLoop({
    name: 'refund-completion',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log: context.log,
    run: createRefundCompletion(context, dependencies),
  })
