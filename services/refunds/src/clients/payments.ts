import { call, newId, NotDoneError, type Bus, type Clock } from '@causeway/chassis'
import { refundableOrders, type CountedRefund, type RefundableOrder } from '@causeway/contracts'
import type { ValidatedRefund } from '../refunds/refund.ts'

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
  record: (refund: ValidatedRefund) => Promise<{ partnerSees: boolean }>
  /**
   * Brings an order to where its processor has it. Whose it is and whether it counts the processor's refund; null
   * when payments has no such order at this processor, or the processor no such payment.
   * @throws NotDoneError when payments or the processor cannot be asked now
   */
  follow: (processor: string, orderKey: string, processorRefundId: string) => Promise<FollowedOrder | null>
}>

export type FollowedOrder = Readonly<
  Pick<
    CountedRefund,
    'partner_id' | 'partner_customer_id' | 'partner_sees' | 'order_id' | 'processor_order_id'
  > & { is_counted: boolean }
>

/** Payments reads the processor meanwhile. */
const FOLLOW_TIMEOUT_MS = 5_000
/** What asking again would not change. */
const FINAL: ReadonlySet<string> = new Set([
  'resource_not_found',
  'provider_error',
  'internal_error',
  'invalid_request',
])

export const createPayments = (options: { bus: Bus; clock: Clock; timeoutMs: number }): Payments => {
  const { bus, clock, timeoutMs } = options
  const envelope = () => ({ caller, requestId: newId('request'), timeoutMs, safe: true })
  return {
    async read(partnerId, orderKey) {
      const body = { partner_id: partnerId, order_key: orderKey }
      const outcome = await call(bus, clock, refundableOrders.get, { ...envelope(), body })
      if (outcome.ok) return outcome.value
      if (outcome.code === 'resource_not_found') return null
      throw new NotDoneError(`Payments answered ${outcome.code}`)
    },
    async record(refund) {
      if (refund.processorRefundId === null) throw new Error('A refund that was not made cannot be counted')
      const outcome = await call(bus, clock, refundableOrders.recordRefund, {
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
    async follow(processor, orderKey, processorRefundId) {
      const body = { processor, order_key: orderKey, processor_refund_id: processorRefundId }
      const bounded = { ...envelope(), timeoutMs: FOLLOW_TIMEOUT_MS }
      const outcome = await call(bus, clock, refundableOrders.reconcile, { ...bounded, body })
      if (outcome.ok) return outcome.value
      if (FINAL.has(outcome.code)) return null
      throw new NotDoneError(`Payments answered ${outcome.code}`)
    },
  }
}
