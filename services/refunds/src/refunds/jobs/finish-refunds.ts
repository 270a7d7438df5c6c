import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { isOpen, nextLookMs, nextStepOf } from '../state.ts'
import { ValidatedRefund, type RefundRecord } from '../refund.ts'
import type { RefundTransitions } from '../transitions.ts'
import * as store from '../store.ts'

const BATCH = 20
const EVERY_MS = 250
const REST_MS = 50

/** Brings one refund to its end, or as far as the processor and payments let it come now. */
const finish = async (transitions: RefundTransitions, refund: RefundRecord): Promise<void> => {
  const step = nextStepOf(refund.state)
  if (step === 'validate') {
    // Its call has died before anything was sent: whoever still wants it asks again.
    await transitions.withdraw(refund, 'requested')
    return
  }
  const validated = ValidatedRefund.parse(refund)
  const known = step === 'find_out' ? await transitions.findOut(validated) : validated
  if (known.state === 'succeeded') await transitions.book(known)
  else if (isOpen(known.state)) throw new Error('The processor does not tell what became of the refund')
}

/**
 * Looks after every refund whose call has gone or got no answer (docs/REFUNDS.md). Several replicas share the work;
 * a processor that is down for an hour is asked ever less often, and the queue drains when it is back.
 */
export const startRefundCompletion = (
  { db, clock, log }: ServiceContext,
  transitions: RefundTransitions,
): Loop => {
  const claimDue = async (): Promise<RefundRecord[]> => {
    const now = clock.now()
    return store.claimDue(db, { now, nextTurnAt: new Date(now.getTime() + nextLookMs(0)), limit: BATCH })
  }
  const look = async (refund: RefundRecord): Promise<void> => {
    try {
      await finish(transitions, refund)
    } catch (error) {
      log.warn({ error, refundId: refund.id, state: refund.state }, 'A refund is not settled yet')
      const { partnerId, id: refundId } = refund
      const dueAt = new Date(clock.nowMs() + nextLookMs(refund.attempts))
      await store.putOff(db, { partnerId, refundId, dueAt })
    }
  }
  return startLoop({
    name: 'refund-reconciler',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    run: async () => {
      await Promise.all((await claimDue()).map(look))
    },
  })
}
