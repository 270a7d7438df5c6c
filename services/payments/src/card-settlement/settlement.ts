import type { ServiceContext, Transaction } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import { isOpen } from '../fiat-orders/domain.ts'
import { mergePayer, openPayer } from '../payers/sealed-payers.ts'
import * as store from './store.ts'
import { applyCardMoney } from './apply-money.ts'
import { recordCardMoney } from './card-money.ts'
import { createRefundCount } from './count-refund.ts'
import {
  cardMoneyOf,
  refundIdsAfter,
  settleDispute,
  settlePayment,
  settleRefund,
  type CountedIds,
  type Settlement,
} from './transitions.ts'
import { createSettlementWriter, type LockedOrder, type SettlementOptions } from './write.ts'

/** The processor's refunds that an order counts. */
type Applied = Readonly<{ refundIds: ReadonlySet<string> }>

/** An order as the refunds service names it. */
type OrderOfRefund = Readonly<{
  partnerId: string
  orderKey: string
  processor: string
  processorOrderId: string
}>

const isChanged = ({ processorStatus }: LockedOrder, { order, steps }: Settlement): boolean =>
  steps.length > 0 || order.processorStatus !== processorStatus

const toSets = (
  counted: Readonly<Record<'refundIds' | 'failedRefundIds' | 'disputeIds', string[]>> | null,
): CountedIds => ({
  refundIds: new Set(counted?.refundIds),
  failedRefundIds: new Set(counted?.failedRefundIds),
  disputeIds: new Set(counted?.disputeIds),
})

/** Applies payments, refunds and disputes to card orders, each change once and with its events. */
export const createCardSettlement = (context: ServiceContext, options: SettlementOptions) => {
  const { db, clock, vault } = context
  const write = createSettlementWriter(context, options)

  const countRefund = createRefundCount(context, options)
  const countedOf = async (tx: Transaction, orderId: string): Promise<CountedIds> =>
    toSets(await store.getCounted(tx, { orderId }))

  const lockOpen = async (tx: Transaction, processor: string, processorOrderId: string) => {
    const locked = await store.lockByProcessorOrder(tx, { processor, processorOrderId })
    return locked && isOpen(locked) ? locked : null
  }

  /** Under the order's lock. Null when no order has this payment. */
  const applyLocked = (processor: string, payment: CardPayment) =>
    db.transaction(async (tx): Promise<Applied | null> => {
      const locked = await lockOpen(tx, processor, payment.processorOrderId)
      if (!locked) return null
      const payer = mergePayer(vault, locked, payment.payer)
      const counted = await countedOf(tx, locked.id)
      const now = clock.now()
      const settled = settlePayment(locked, payment, counted, now)
      if (isChanged(locked, settled)) await write(tx, locked, settled, payer)
      await recordCardMoney(tx, context, { locked, payment, settled, now })
      return { refundIds: refundIdsAfter(counted, settled) }
    })

  /** Under the order's lock. Whether the order counts the refund, now or already before. */
  const recordLocked = ({ processor, processorOrderId }: OrderOfRefund, refund: CardRefund) =>
    db.transaction(async (tx): Promise<boolean> => {
      const locked = await lockOpen(tx, processor, processorOrderId)
      if (!locked) return false
      const counted = await countedOf(tx, locked.id)
      const settled = settleRefund(locked, refund, counted, clock.now())
      if (settled.steps.length > 0)
        await write(tx, locked, settled, openPayer(vault, locked.id, locked.payerSealed))
      return refundIdsAfter(counted, settled).has(refund.processorRefundId)
    })

  return {
    /**
     * Applies a payment's state at its processor. Null when no order has this payment: it was opened by a call that
     * died, or by another customer of the processor. `refundIds` are the processor's refunds that the order counts
     * afterwards. Most reads bring nothing new, such as the notice of a refund that was asked for here: they take no
     * lock. What an order has counted or has seen fail is never forgotten, so what was nothing new a moment ago is nothing
     * new now.
     */
    applyPayment: async (processor: string, payment: CardPayment): Promise<Applied | null> => {
      const { processorOrderId } = payment
      const known = await store.getByProcessorOrder(db, { processor, processorOrderId })
      if (!known || !isOpen(known)) return null
      const counted = toSets(known)
      const settled = settlePayment(known, payment, counted, clock.now())
      return isChanged(known, settled) || cardMoneyOf(known, payment) !== null
        ? applyLocked(processor, payment)
        : { refundIds: refundIdsAfter(counted, settled) }
    },

    /**
     * Has a partner's order count a refund that the processor has made. Null when the partner has no such order.
     * `isCounted`: whether the order counts it, now or already before.
     */
    recordRefund: async (
      of: OrderOfRefund,
      refund: CardRefund,
    ): Promise<Readonly<{ isCounted: boolean; partnerSees: boolean }> | null> => {
      const { partnerId, orderKey } = of
      const { processorRefundId } = refund
      const read = await store.getForRefund(db, { partnerId, orderKey })
      const isOfOrder = read?.processor === of.processor && read.processorOrderId === of.processorOrderId
      if (!read || !isOpen(read) || !isOfOrder) return null
      const { partnerSees } = read
      const counted = toSets(read)
      const settled = settleRefund(read, refund, counted, clock.now())
      if (settled.steps.length === 0)
        return { isCounted: counted.refundIds.has(processorRefundId), partnerSees }
      const isCounted = (await countRefund(read, settled)) || (await recordLocked(of, refund))
      return { isCounted, partnerSees }
    },

    /** Applies money of a card payment that counts for no order. */
    applyMoney: applyCardMoney({ db, vault, write }),

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
