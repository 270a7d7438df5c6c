import type { ServiceContext, Transaction } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails'
import { isOpen } from '../fiat-orders/domain.ts'
import { mergePayer, openPayer } from '../payers/sealed-payers.ts'
import * as store from './store.ts'
import { refundIdsAfter, settleDispute, settlePayment, settleRefund, type CountedIds } from './transitions.ts'
import { createSettlementWriter, type LockedOrder, type SettlementOptions } from './write.ts'

/** Applies payments, refunds and disputes to card orders, each change once and with its events. */
export const createCardSettlement = (context: ServiceContext, options: SettlementOptions) => {
  const { db, clock, vault } = context
  const write = createSettlementWriter(context, options)

  const countedOf = async (tx: Transaction, orderId: string): Promise<CountedIds> => {
    const counted = await store.getCounted(tx, { orderId })
    return { refundIds: new Set(counted?.refundIds), disputeIds: new Set(counted?.disputeIds) }
  }

  const lockOpen = async (tx: Transaction, processor: string, processorOrderId: string) => {
    const locked = await store.lockByProcessorOrder(tx, { processor, processorOrderId })
    return locked && isOpen(locked) ? locked : null
  }

  return {
    /**
     * Applies a payment's state at its processor. Null when no order has this payment: it was opened by a call that
     * died, or by another customer of the processor. `refundIds` are the processor's refunds that the order counts
     * afterwards.
     */
    applyPayment: (processor: string, payment: CardPayment) =>
      db.transaction(async (tx): Promise<Readonly<{ refundIds: ReadonlySet<string> }> | null> => {
        const locked = await lockOpen(tx, processor, payment.processorOrderId)
        if (!locked) return null
        const payer = mergePayer(vault, locked, payment.payer)
        const counted = await countedOf(tx, locked.id)
        const settled = settlePayment(locked, payment, counted, clock.now())
        const isChanged = settled.steps.length > 0 || settled.order.processorStatus !== locked.processorStatus
        if (isChanged) await write(tx, locked, settled, payer)
        return { refundIds: refundIdsAfter(counted, settled) }
      }),

    /** Records a refund that the processor has made. @returns whether the order counts it, now or already before */
    applyRefund: (processor: string, processorOrderId: string, refund: CardRefund): Promise<boolean> =>
      db.transaction(async (tx) => {
        const locked = await lockOpen(tx, processor, processorOrderId)
        if (!locked) return false
        const counted = await countedOf(tx, locked.id)
        const settled = settleRefund(locked, refund, counted, clock.now())
        if (settled.steps.length > 0)
          await write(tx, locked, settled, openPayer(vault, locked.id, locked.payerSealed))
        return refundIdsAfter(counted, settled).has(refund.processorRefundId)
      }),

    /** Records a dispute from the dispute file for a locked order; false when it was known. */
    applyDispute: async (tx: Transaction, locked: LockedOrder, dispute: CardDispute): Promise<boolean> => {
      const settled = settleDispute(locked, dispute, await countedOf(tx, locked.id), clock.now())
      if (settled.steps.length > 0)
        await write(tx, locked, settled, openPayer(vault, locked.id, locked.payerSealed))
      return settled.steps.length > 0
    },
  }
}
export type CardSettlement = ReturnType<typeof createCardSettlement>
