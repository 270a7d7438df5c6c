import { outboxFields, type ServiceContext } from '@causeway/chassis'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { payerMonth } from '../payers/key-month.ts'
import { isSealedFor, openPayer, sealPayer } from '../payers/sealed-payers.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import * as store from './store.ts'
import type { Settlement } from './transitions.ts'
import { eventOfStep, type SettlementOptions } from './write.ts'

/**
 * Has a paid order count a refund in one statement, instead of in a transaction of six that holds the order's lock
 * meanwhile. False, and nothing is written, when the settlement is more than that refund, or when somebody has changed
 * the order since it was read.
 */
export const createRefundCount = (context: ServiceContext, options: SettlementOptions) => {
  const { db, clock, vault } = context
  const payerSealer = createPayerSealer(context)
  /** The payer under this month's key, as every change of an order stores it; null where it is that already. */
  const resealed = async ({ id, payerSealed }: store.RefundedOrder, now: Date): Promise<string | null> =>
    isSealedFor(payerSealed, payerMonth(now))
      ? null
      : sealPayer(await payerSealer(now), id, openPayer(vault, id, payerSealed))

  return async (
    read: store.RefundedOrder & OpenFiatOrder,
    { order, steps }: Settlement,
  ): Promise<boolean> => {
    const [step, ...others] = steps
    if (step?.type !== 'payment.refunded' || others.length > 0) return false
    const now = clock.now()
    const event = eventOfStep(options, step, { partnerSees: read.partnerSees, payerIp: null, now })
    const counted = await store.countRefund(db, {
      ...outboxFields(event),
      partnerId: order.partnerId,
      orderId: order.id,
      version: read.version,
      status: order.status,
      refundedCents: order.refundedCents,
      reversedCents: order.reversedCents,
      updatedAt: order.updatedAt,
      payerSealed: await resealed(read, now),
      processor: order.processor,
      processorRefundId: step.refund.processorRefundId,
      amountCents: step.refund.amountCents,
      now,
    })
    if (counted !== null) db.emitted()
    return counted !== null
  }
}
