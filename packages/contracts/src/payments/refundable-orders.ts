import { z } from 'zod'
import { UnavailableReason } from '../onboarding/capabilities.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { FiatOrder, OrderKey } from './fiat-orders.ts'

/** An order for the refunds service. */
export const RefundableOrder = z.object({
  order_id: idOf('fiatOrder'),
  order_key: OrderKey,
  partner_customer_id: idOf('relationship'),
  kind: FiatOrder.shape.kind,
  status: FiatOrder.shape.status,
  currency: z.string(),
  total_cents: z.number().int(),
  amount_cents: z.number().int(),
  service_fee_payer: FiatOrder.shape.service_fee_payer,
  processor: z.string(),
  processor_order_id: z.string(),
  /** The capability `refunds` of the relationship that owns the order. */
  capability: z.object({
    enabled: z.boolean(),
    available: z.boolean(),
    reason: UnavailableReason.nullable(),
  }),
})
export type RefundableOrder = z.infer<typeof RefundableOrder>

/** A refund that payments counts, or counted, in its order, with its owner; no personal data. */
export const CountedRefund = z.object({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  /** False once the relationship is revoked: the partner then gets no events of the order (decisions §3). */
  partner_sees: z.boolean(),
  order_id: idOf('fiatOrder'),
  order_key: OrderKey,
  processor: z.string(),
  processor_order_id: z.string(),
  processor_refund_id: z.string(),
  /** Id of the API's refund; null for a refund made elsewhere. */
  refund_id: z.string().nullable(),
  amount_cents: z.number().int(),
  currency: z.string(),
  /** When the processor made it. */
  made_at: Timestamp,
  /** It failed after it had been made: its order counts it no more. */
  has_failed: z.boolean().optional(),
})
export type CountedRefund = z.infer<typeof CountedRefund>

/** `payments.refundable-orders`: orders as the refunds service sees them. */
export const refundableOrders = resource('payments.refundable-orders', {
  get: operation({
    summary: 'Get the state that a refund of an order depends on',
    caller: 'service',
    services: ['refunds'],
    body: z.strictObject({
      partner_id: idOf('partner'),
      order_key: OrderKey,
      /** Staff refund it: the partner's relationship and capability do not count. */
      by_staff: z.boolean().optional(),
    }),
    reply: RefundableOrder,
    refusals: ['resource_not_found'],
  }),
  recordRefund: operation({
    summary: 'Record a refund that the processor made; recording it again changes nothing',
    caller: 'service',
    services: ['refunds'],
    body: z.strictObject({
      partner_id: idOf('partner'),
      order_key: OrderKey,
      refund_id: idOf('refund'),
      processor: z.string(),
      processor_order_id: z.string(),
      processor_refund_id: z.string(),
      amount_cents: z.number().int().min(1),
      currency: z.string(),
    }),
    /** False: the relationship is not active, so the partner gets no event of the order (decisions §3). */
    reply: z.object({ partner_sees: z.boolean() }),
    refusals: ['resource_not_found'],
  }),
  reconcile: operation({
    summary: 'Reconcile an order with its processor, and return whether the order counts a refund',
    caller: 'service',
    services: ['refunds'],
    body: z.strictObject({ processor: z.string(), order_key: OrderKey, processor_refund_id: z.string() }),
    reply: CountedRefund.pick({
      partner_id: true,
      partner_customer_id: true,
      partner_sees: true,
      order_id: true,
      processor_order_id: true,
    }).extend({ is_counted: z.boolean() }),
    refusals: ['resource_not_found', 'provider_error', 'temporarily_unavailable'],
  }),
})
