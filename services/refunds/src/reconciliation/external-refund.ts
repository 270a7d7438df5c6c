import { isId, metrics, newId, newIdAt, type ServiceContext } from '@causeway/chassis'
import type { CountedRefund } from '@causeway/contracts'
import { refundCompleted } from '../refunds/events.ts'
import { insertExternal } from './compared-refunds-store.ts'

const recorded = metrics.counter(
  'causeway_refunds_recorded_total',
  'Refunds made outside the API that were recorded, by processor',
  ['processor'],
)

/**
 * Records refunds that were made outside the API, and emits `refund.completed` for each: once, whether an event of
 * payments or the processor's list shows it first. A refund with an id of ours, whose record is lost, keeps that id.
 * @returns whether it was recorded now
 */
export const createExternalRefunds = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>) => {
  const insert = (refund: CountedRefund): Promise<boolean> =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const id = isId('refund', refund.refund_id) ? refund.refund_id : newId('refund')
      const { partner_id: partnerId, partner_customer_id: partnerCustomerId } = refund
      const { order_id: orderId, order_key: orderKey } = refund
      const inserted = await insertExternal(tx, {
        refundId: id,
        partnerId,
        orderKey,
        amountCents: refund.amount_cents,
        partnerCustomerId,
        orderId,
        currency: refund.currency,
        processor: refund.processor,
        processorOrderId: refund.processor_order_id,
        processorRefundId: refund.processor_refund_id,
        madeAt: new Date(refund.made_at),
        now,
      })
      if (!inserted) return false
      const emission = { eventId: newIdAt('event', now.getTime()), partnerSees: refund.partner_sees, now }
      tx.emit(refundCompleted({ id, partnerId, partnerCustomerId, orderId, orderKey }, emission))
      return true
    })

  return async (refund: CountedRefund): Promise<boolean> => {
    const isNew = await insert(refund)
    if (isNew) {
      const { processor, processor_refund_id: processorRefundId, order_key: orderKey } = refund
      recorded.inc({ processor })
      log.info(
        { event: 'refund.external_recorded', processor, processorRefundId, orderKey },
        'Refund made outside the API was recorded',
      )
    }
    return isNew
  }
}
export type RecordExternalRefund = ReturnType<typeof createExternalRefunds>
