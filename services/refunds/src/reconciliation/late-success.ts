import { metrics, newIdAt, reply, storeReply, type ServiceContext } from '@causeway/chassis'
import type { CardRefund } from '@causeway/rails/cards'
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
  'Refunds that failed and succeeded later at their processor, by processor',
  ['processor'],
)

type LateSuccessDependencies = Pick<ServiceContext, 'db' | 'clock' | 'log'> &
  Readonly<{ payments: Pick<Payments, 'reconcileOrder'> }>

/**
 * Records the late success of a refund: it failed here, and its processor shows it as made (docs/REFUNDS.md). Its order
 * counts it, as after a notice of the processor; then `refund.completed` is emitted, the key stores the true outcome,
 * and the refund counts in its client's day again. Repeating it changes nothing.
 * @returns whether its order counts it
 */
export const createLateSuccess = ({ db, clock, log, payments }: LateSuccessDependencies) => {
  const complete = (ours: ComparedRefund, theirs: CardRefund, partnerSees: boolean): Promise<boolean> =>
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
      const now = clock.now()
      tx.emit(refundCompleted(moved, { eventId: newIdAt('event', now.getTime()), partnerSees, now }))
      await storeReply(tx, keyOf(moved), reply(answerOf(moved)))
      return true
    })

  return async (ours: ComparedRefund, theirs: CardRefund): Promise<boolean> => {
    const { processor, orderKey, partnerId, id: refundId } = ours
    const order = await payments.reconcileOrder(processor, orderKey, theirs.processorRefundId)
    if (!order?.is_counted) return false
    if (await complete(ours, theirs, order.partner_sees)) {
      corrected.inc({ processor })
      log.warn(
        {
          event: 'refund.late_success',
          processor,
          processorRefundId: theirs.processorRefundId,
          refundId,
          orderKey,
          partnerId,
        },
        'A refund that had failed has succeeded at its processor',
      )
    }
    return true
  }
}
export type LateSuccess = ReturnType<typeof createLateSuccess>
