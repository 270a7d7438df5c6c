import { implement, NotDoneError, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { refundableOrders } from '@causeway/contracts'
import { RailError, type CardPayment, type CardProcessors } from '@causeway/rails'
import { refuseUnusable } from '../relationships/eligibility.ts'
import { presentRefundable } from './domain.ts'
import * as store from './store.ts'
import type { FiatSettlement } from '../card-settlement/settlement.ts'
import type { Relationships } from '../relationships/relationships.ts'

type Options = Readonly<{
  relationships: Pick<Relationships, 'refresh'>
  processors: CardProcessors
  settlement: Pick<FiatSettlement, 'applyPayment'>
}>

const readPayment = async (
  processors: CardProcessors,
  order: store.LocatedOrder,
): Promise<CardPayment | null> => {
  try {
    return (await processors.get(order.processor)?.readPayment(order.processorOrderId)) ?? null
  } catch (error) {
    if (error instanceof RailError && !error.retryable) return null
    throw new NotDoneError('The processor cannot be read', { cause: error })
  }
}

/** `payments.refundable-orders`: what the refunds service asks and tells of an order. */
export const refundableOrderOperations = (
  { db }: Readonly<{ db: Db }>,
  { relationships, processors, settlement }: Options,
): Implementation[] => {
  return implement(refundableOrders, {
    async get({ body }) {
      const order = await store.getRefundable(db, { partnerId: body.partner_id, orderKey: body.order_key })
      if (order === null) return refuse('resource_not_found')
      // What the projection would refuse is judged by its owner: the partner's own last call may have mended it.
      const standing = refuseUnusable(order)
        ? await relationships.refresh(body.partner_id, order.partnerCustomerId, 'refunds')
        : order
      return standing?.status === 'active'
        ? reply(presentRefundable({ ...order, ...standing }))
        : refuse('resource_not_found')
    },

    async recordRefund({ body, now }) {
      const order = await store.getRefundable(db, { partnerId: body.partner_id, orderKey: body.order_key })
      if (order === null || order.processorOrderId !== body.processor_order_id)
        return refuse('resource_not_found')
      const refund = {
        processorRefundId: body.processor_refund_id,
        refundId: body.refund_id,
        orderKey: body.order_key,
        amountCents: body.amount_cents,
        currency: body.currency,
        status: 'succeeded' as const,
        createdAt: now,
      }
      // The same way as a notice of the processor: whichever comes first is counted and told of, once.
      const settled = await settlement.applyPayment(body.processor, {
        processorOrderId: body.processor_order_id,
        orderKey: body.order_key,
        status: 'completed',
        processorStatus: 'completed',
        currency: body.currency,
        totalCents: order.totalCents,
        paidCents: order.totalCents,
        refundedCents: body.amount_cents,
        refunds: [refund],
        disputes: [],
        payer: { ip: null, email: null },
      })
      // Whoever asks tells of the refund next, and must not where the order has not.
      if (!settled?.refundIds.has(body.processor_refund_id)) return refuse('resource_not_found')
      return reply({ partner_sees: order.status === 'active' })
    },

    async reconcile({ body }) {
      const { processor, order_key: orderKey, processor_refund_id: processorRefundId } = body
      const order = await store.locate(db, { processor, orderKey, processorRefundId })
      if (!order) return refuse('resource_not_found')
      const answer = (isCounted: boolean) =>
        reply({
          partner_id: order.partnerId,
          partner_customer_id: order.partnerCustomerId,
          partner_sees: order.partnerSees,
          order_id: order.id,
          processor_order_id: order.processorOrderId,
          is_counted: isCounted,
        })
      if (order.isCounted) return answer(true)
      const payment = await readPayment(processors, order)
      if (payment === null) return refuse('provider_error')
      const settled = await settlement.applyPayment(body.processor, payment)
      return answer(settled?.refundIds.has(body.processor_refund_id) ?? false)
    },
  })
}
