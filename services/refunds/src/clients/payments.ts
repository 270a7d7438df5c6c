import { NotDoneError, type ServiceClient } from '@causeway/chassis'
import { refundableOrders, type CountedRefund, type RefundableOrder } from '@causeway/contracts'

/** Fields of a refund that payments receives. */
type RefundOfOrder = Readonly<{
  id: string
  partnerId: string
  orderKey: string
  processor: string
  processorOrderId: string
  /** Null until it is made. */
  processorRefundId: string | null
  amountCents: number
  currency: string
}>

/** The service that owns the orders, asked over the bus. */
export type Payments = Readonly<{
  /**
   * Finds the order with this key; null without one that this partner may see.
   * @param isByStaff staff refund it, whatever the partner may see and do
   * @throws NotDoneError when payments is unavailable
   */
  getOrder: (partnerId: string, orderKey: string, isByStaff?: boolean) => Promise<RefundableOrder | null>
  /**
   * Has the order count a refund that was made; repeating it changes nothing. Returns whether the partner still sees
   * the order.
   * @throws NotDoneError when payments cannot be reached
   */
  recordRefund: (refund: RefundOfOrder) => Promise<{ partnerSees: boolean }>
  /**
   * Has payments read the order's payment at its processor again. Returns whose order it is and whether it counts the
   * processor's refund; null when payments has no such order at this processor, or the processor no such payment.
   * @throws NotDoneError when payments or the processor cannot be reached
   */
  reconcileOrder: (
    processor: string,
    orderKey: string,
    processorRefundId: string,
  ) => Promise<ReconciledOrder | null>
}>

export type ReconciledOrder = Readonly<
  Pick<
    CountedRefund,
    'partner_id' | 'partner_customer_id' | 'partner_sees' | 'order_id' | 'processor_order_id'
  > & { is_counted: boolean }
>

/** Longer than the other requests: payments reads the processor before it answers. */
const RECONCILE_TIMEOUT_MS = 5_000
/** Codes that a repetition would not change. */
const FINAL: ReadonlySet<string> = new Set([
  'resource_not_found',
  'provider_error',
  'internal_error',
  'invalid_request',
])

/** @param ask asks over the bus */
export const createPayments = (ask: ServiceClient): Payments => ({
  async getOrder(partnerId, orderKey, isByStaff = false) {
    const body = { partner_id: partnerId, order_key: orderKey, ...(isByStaff && { by_staff: true }) }
    const outcome = await ask(refundableOrders.get, body)
    if (outcome.ok) return outcome.value
    if (outcome.code === 'resource_not_found') return null
    throw new NotDoneError(`Payments returned ${outcome.code}`)
  },
  async recordRefund(refund) {
    if (refund.processorRefundId === null)
      throw new Error('A refund that was not made cannot be recorded at its order')
    const outcome = await ask(refundableOrders.recordRefund, {
      partner_id: refund.partnerId,
      order_key: refund.orderKey,
      refund_id: refund.id,
      processor: refund.processor,
      processor_order_id: refund.processorOrderId,
      processor_refund_id: refund.processorRefundId,
      amount_cents: refund.amountCents,
      currency: refund.currency,
    })
    if (outcome.ok) return { partnerSees: outcome.value.partner_sees }
    throw new NotDoneError(`Payments returned ${outcome.code}`)
  },
  async reconcileOrder(processor, orderKey, processorRefundId) {
    const body = { processor, order_key: orderKey, processor_refund_id: processorRefundId }
    const outcome = await ask(refundableOrders.reconcile, body, { timeoutMs: RECONCILE_TIMEOUT_MS })
    if (outcome.ok) return outcome.value
    if (FINAL.has(outcome.code)) return null
    throw new NotDoneError(`Payments returned ${outcome.code}`)
  },
})
