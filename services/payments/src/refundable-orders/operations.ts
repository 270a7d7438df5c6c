import { implement, NotDoneError, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { refundableOrders } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { CardPayment, CardProcessors } from '@causeway/rails/cards'
import type { CardSettlement } from '../card-settlement/settlement.ts'
import { refuseUnusable } from '../relationships/eligibility.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { presentRefundable } from './domain.ts'
import * as store from './store.ts'

type Options = Readonly<{
  relationships: Pick<Relationships, 'refresh'>
  processors: CardProcessors
  settlement: Pick<CardSettlement, 'applyPayment' | 'recordRefund'>
}>

/** Null when the processor has no such payment, or this deployment no such processor. */
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

/** `payments.refundable-orders`: orders as the refunds service sees them. */
export const refundableOrderOperations = (
  { db }: Readonly<{ db: Db }>,
  { relationships, processors, settlement }: Options,
): Implementation[] =>
  implement(refundableOrders, {
    async get({ body: { partner_id: partnerId, order_key: orderKey, by_staff: isByStaff = false } }) {
      const order = await store.getRefundable(db, { partnerId, orderKey })
      if (order === null) return refuse('resource_not_found')
      if (isByStaff)
        return reply(presentRefundable({ ...order, enabled: true, available: true, reason: null }))
      // The projection may lag behind the partner's own last call, so onboarding decides what it would refuse.
      const eligibility = refuseUnusable(order)
        ? await relationships.refresh(partnerId, order.partnerCustomerId, 'refunds')
        : order
      return eligibility?.status === 'active'
        ? reply(presentRefundable({ ...order, ...eligibility }))
        : refuse('resource_not_found')
    },

    async recordRefund({ body, now }) {
      const {
        partner_id: partnerId,
        order_key: orderKey,
        processor,
        processor_order_id: processorOrderId,
      } = body
      const recorded = await settlement.recordRefund(
        { partnerId, orderKey, processor, processorOrderId },
        {
          processorRefundId: body.processor_refund_id,
          refundId: body.refund_id,
          orderKey,
          amountCents: body.amount_cents,
          currency: body.currency,
          status: 'succeeded',
          createdAt: now,
        },
      )
      // The caller emits the refund's event next, and must not if the order does not count the refund.
      return recorded?.isCounted
        ? reply({ partner_sees: recorded.partnerSees })
        : refuse('resource_not_found')
    },

    async reconcile({ body: { processor, order_key: orderKey, processor_refund_id: processorRefundId } }) {
      const order = await store.locate(db, { processor, orderKey })
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
      const payment = await readPayment(processors, order)
      if (payment === null) return refuse('provider_error')
      const settled = await settlement.applyPayment(processor, payment)
      return answer(settled?.refundIds.has(processorRefundId) ?? false)
    },
  })
