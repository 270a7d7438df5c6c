import { metrics, newId, reply, settleStep, type ServiceContext } from '@causeway/chassis'
import type { CardRefund } from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { refundCompleted } from '../refunds/events.ts'
import { statesBefore } from '../refunds/state.ts'
import { answerOf } from '../refunds/refund.ts'
import type { ComparedRefund } from './compared-refunds-store.ts'
import { countAgain } from '../refunds/client-days-store.ts'
import { moveRefund } from '../refunds/store.ts'
import { keyOf } from '../refunds/transitions.ts'

const corrected = metrics.counter(
  'causeway_refunds_made_after_failure_total',
  'Refunds that were said to have failed and that their processor has made after all, by processor',
  ['processor'],
)

type Parts = Pick<ServiceContext, 'db' | 'clock' | 'log'> & Readonly<{ payments: Pick<Payments, 'follow'> }>

/**
 * Ends a refund that was said to have failed and that its processor shows as made (docs/REFUNDS.md): the money went
 * back. Its order counts it, as after a notice of the processor; then `refund.completed` goes out, once however often
 * this is done, its key reads the true outcome, and it counts in its client's day again.
 * @returns whether its order counts it
 */
export const createLateSuccess = ({ db, clock, log, payments }: Parts) => {
  const write = (ours: ComparedRefund, theirs: CardRefund, partnerSees: boolean): Promise<boolean> =>
    db.transaction(async (tx) => {
      const { partnerId, id: refundId } = ours
      const moved = await moveRefund(tx, {
        partnerId,
        refundId,
        state: 'reconciled',
        statesBefore: statesBefore('reconciled'),
        processorRefundId: theirs.processorRefundId,
        completedAt: theirs.createdAt,
        dueAt: null,
      })
      if (!moved) return false
      await countAgain(tx, { partnerId, refundId })
      tx.emit(refundCompleted(moved, { eventId: newId('event'), partnerSees, now: clock.now() }))
      await settleStep(tx, keyOf(moved), reply(answerOf(moved)))
      return true
    })

  return async (ours: ComparedRefund, theirs: CardRefund): Promise<boolean> => {
    const { processor, orderKey, partnerId, id: refundId } = ours
    const order = await payments.follow(processor, orderKey, theirs.processorRefundId)
    if (!order?.is_counted) return false
    if (await write(ours, theirs, order.partner_sees)) {
      corrected.inc({ processor })
      log.warn(
        { processor, processorRefundId: theirs.processorRefundId, refundId, orderKey, partnerId },
        'A refund that was said to have failed was made after all',
      )
    }
    return true
  }
}
export type LateSuccess = ReturnType<typeof createLateSuccess>
