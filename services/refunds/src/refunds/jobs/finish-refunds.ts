import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { isOpen, nextLookMs, nextStepOf } from '../state.ts'
import { JudgedRefund, type RefundRecord } from '../refund.ts'
import type { RefundPath } from '../transitions.ts'
import * as store from '../store.ts'

const BATCH = 20
const EVERY_MS = 250
const REST_MS = 50

/** Brings one refund to its end, or as far as the processor and payments let it come now. */
const reconcile = async (path: RefundPath, refund: RefundRecord): Promise<void> => {
  const step = nextStepOf(refund.state)
  if (step === 'judge') {
    // Its call has died before anything was sent: whoever still wants it asks again.
    await path.withdraw(refund, 'requested')
    return
  }
  const judged = JudgedRefund.parse(refund)
  const known = step === 'find_out' ? await path.findOut(judged) : judged
  if (known.state === 'succeeded') await path.book(known)
  else if (isOpen(known.state)) throw new Error('The processor does not tell what became of the refund')
}

/**
 * Looks after every refund whose call has gone or got no answer (docs/REFUNDS.md). Several replicas share the work;
 * a processor that is down for an hour is asked ever less often, and the queue drains when it is back.
 */
export const startReconciler = ({ db, clock, log }: ServiceContext, path: RefundPath): Loop => {
  const takeDue = async (): Promise<RefundRecord[]> => {
    const now = clock.now()
    return db.query(store.takeDue, [now, new Date(now.getTime() + nextLookMs(0)), BATCH])
  }
  const look = async (refund: RefundRecord): Promise<void> => {
    try {
      await reconcile(path, refund)
    } catch (error) {
      log.warn({ error, refundId: refund.id, state: refund.state }, 'A refund is not settled yet')
      const later = new Date(clock.nowMs() + nextLookMs(refund.attempts))
      await db.query(store.putOff, [refund.partnerId, refund.id, later])
    }
  }
  return startLoop({
    name: 'refund-reconciler',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    run: async () => {
      await Promise.all((await takeDue()).map(look))
    },
  })
}
