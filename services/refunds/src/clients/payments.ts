import { call, newId, NotDoneError, type Bus, type Clock } from '@causeway/chassis'
import { refundableOrders, type RefundableOrder } from '@causeway/contracts'
import type { JudgedRefund } from '../domain/refund.ts'

const caller = { kind: 'service', service: 'refunds' } as const

/** The orders' own service, over the bus. */
export type Payments = Readonly<{
  /**
   * The order of this key that this partner sees, or null.
   * @throws NotDoneError when payments cannot be asked now
   */
  read: (partnerId: string, orderKey: string) => Promise<RefundableOrder | null>
  /**
   * Counts a refund in its order, once however often it is told. Tells whether the partner still sees the order.
   * @throws NotDoneError when payments cannot be told now
   */
  record: (refund: JudgedRefund) => Promise<{ partnerSees: boolean }>
}>

export const createPayments = (options: { bus: Bus; clock: Clock; timeoutMs: number }): Payments => {
  const { bus, clock, timeoutMs } = options
  const envelope = () => ({ caller, requestId: newId('request'), timeoutMs, safe: true })
  return {
    async read(partnerId, orderKey) {
      const body = { partner_id: partnerId, order_key: orderKey }
      const outcome = await call(bus, clock, refundableOrders.read, { ...envelope(), body })
      if (outcome.ok) return outcome.value
      if (outcome.code === 'resource_not_found') return null
      throw new NotDoneError(`Payments answered ${outcome.code}`)
    },
    async record(refund) {
      if (refund.processorRefundId === null) throw new Error('A refund that was not made cannot be counted')
      const outcome = await call(bus, clock, refundableOrders.record, {
        ...envelope(),
        body: {
          partner_id: refund.partnerId,
          order_key: refund.orderKey,
          refund_id: refund.id,
          processor: refund.processor,
          processor_order_id: refund.processorOrderId,
          processor_refund_id: refund.processorRefundId,
          amount_cents: refund.amountCents,
          currency: refund.currency,
        },
      })
      if (outcome.ok) return { partnerSees: outcome.value.partner_sees }
      throw new NotDoneError(`Payments answered ${outcome.code}`)
    },
  }
}
