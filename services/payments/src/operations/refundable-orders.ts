import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { refundableOrders } from '@causeway/contracts'
import { presentRefundable, type RefundableRow } from '../domain/refundable-order.ts'
import * as store from '../store/refundable-orders.ts'
import type { FiatSettlement } from './fiat-settlement.ts'

/** `payments.refundable-orders`: what the refunds service asks and tells of an order. */
export const refundableOrderOperations = (
  { db }: Readonly<{ db: Db }>,
  options: Readonly<{ settlement: Pick<FiatSettlement, 'applyPayment'> }>,
): Implementation[] => {
  const find = async (partnerId: string, orderKey: string): Promise<RefundableRow | null> =>
    (await db.query(store.readRefundable, [partnerId, orderKey]))[0] ?? null

  return implement(refundableOrders, {
    async read({ body }) {
      const order = await find(body.partner_id, body.order_key)
      return order?.status === 'active' ? reply(presentRefundable(order)) : refuse('resource_not_found')
    },

    async record({ body, now }) {
      const order = await find(body.partner_id, body.order_key)
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
      await options.settlement.applyPayment(body.processor, {
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
      return reply({ partner_sees: order.status === 'active' })
    },
  })
}
