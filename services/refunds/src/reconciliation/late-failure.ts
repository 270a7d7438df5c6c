import { forgetReply, metrics, type ServiceContext } from '@causeway/chassis'
import type { Payments } from '../clients/payments.ts'
import { MADE_STATES } from '../refunds/state.ts'
import { keyOf } from '../refunds/transitions.ts'
import { failMade, listMatching, type ComparedRefund } from './compared-refunds-store.ts'

const failedLate = metrics.counter(
  'causeway_refunds_failed_after_success_total',
  'Refunds that succeeded and failed later at their processor, by processor',
  ['processor'],
)

type LateFailureDependencies = Pick<ServiceContext, 'db' | 'clock' | 'log'> &
  Readonly<{ payments: Pick<Payments, 'reconcileOrder'> }>

/**
 * Records the late failure of a refund: it was made, and failed at its processor afterwards, as when the payer's bank sends
 * the money back (docs/REFUNDS.md). It no longer counts in its client's day, and its key answers the failure. Repeating it
 * changes nothing.
 */
export const createLateFailures = ({ db, clock, log, payments }: LateFailureDependencies) => {
  const fail = ({ partnerId, id: refundId }: ComparedRefund): Promise<boolean> =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const failed = await failMade(tx, { partnerId, refundId, madeStates: [...MADE_STATES], now })
      const key = failed?.idempotencyKey ?? null
      if (key !== null) await forgetReply(tx, keyOf({ partnerId, idempotencyKey: key }), now)
      return failed !== null
    })

  const record = async (ours: ComparedRefund, processorRefundId: string): Promise<void> => {
    if (!(await fail(ours))) return
    const { processor, orderKey, partnerId, id: refundId } = ours
    failedLate.inc({ processor })
    log.warn(
      { event: 'refund.late_failure', processor, processorRefundId, refundId, orderKey, partnerId },
      'A refund that had succeeded has failed at its processor: the payer does not have the money',
    )
  }

  return {
    /** Records one that payments has emitted as no longer counted. */
    recordUncounted: async (processor: string, processorRefundId: string): Promise<void> => {
      const found = await listMatching(db, {
        processor,
        refundIds: [],
        processorRefundIds: [processorRefundId],
      })
      for (const ours of found) await record(ours, processorRefundId)
    },

    /**
     * Records one from the processor's list, once its order no longer counts it.
     * @returns false while its order still counts it
     */
    recordListed: async (ours: ComparedRefund, processorRefundId: string): Promise<boolean> => {
      const order = await payments.reconcileOrder(ours.processor, ours.orderKey, processorRefundId)
      if (order === null || order.is_counted) return false
      await record(ours, processorRefundId)
      return true
    },
  }
}
export type LateFailures = ReturnType<typeof createLateFailures>
