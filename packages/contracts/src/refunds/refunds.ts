import { z } from 'zod'
import { FiatOrder, OrderKey } from '../payments/fiat-orders.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  MAX_AMOUNT_CENTS,
  NextCursor,
  pageParameters,
  text,
  Timestamp,
} from '../primitives.ts'

const MAX_ORDER_LINES = 500
const MAX_DESCRIPTION = 1_000

export const RefundStatus = z.enum(['pending', 'succeeded', 'failed'])
/** `refunded`: the whole remainder of an order was refunded. */
export const RefundResult = z.enum(['refunded', 'partially_refunded'])
/** Where a refund was made: by this API, or at the processor itself. */
export const RefundSource = z.enum(['api', 'processor'])

/** One line of an order that a refund is of (spec: Refund a fiat order). */
export const RefundLine = z.strictObject({
  merchant_order_line_id: text(255),
  quantity: z.number().int().min(1),
})
export type RefundLine = z.infer<typeof RefundLine>

/** The answer of a refund (spec: Refund). Amounts in the currency's minor unit. */
export const RefundAnswer = z.object({
  order_key: OrderKey,
  currency: z.string(),
  refund: z.object({
    amount_cents: z.number().int(),
    status: RefundResult,
  }),
  service_fee_payer: FiatOrder.shape.service_fee_payer,
  max_refundable_cents: z.number().int(),
  refunded_cents: z.number().int(),
  remaining_refundable_cents: z.number().int(),
})
export type RefundAnswer = z.infer<typeof RefundAnswer>

/** A refund in the list of an order's refunds (decisions §10). */
export const Refund = z.object({
  refund_id: idOf('refund'),
  order_key: OrderKey,
  amount_cents: z.number().int(),
  currency: z.string(),
  status: RefundStatus,
  description: z.string().nullable(),
  order_lines: z.array(RefundLine).nullable(),
  source: RefundSource,
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
})
export type Refund = z.infer<typeof Refund>

/** A refund with its order's owner and its processor, as staff see it. */
export const RefundOfPartner = Refund.extend({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  order_id: idOf('fiatOrder'),
  processor: z.string(),
  /** The processor's own id; null until it has answered. */
  processor_refund_id: z.string().nullable(),
  /** How often the processor was asked, or asked about it. */
  attempts: z.number().int(),
})
export type RefundOfPartner = z.infer<typeof RefundOfPartner>

const orderParams = z.object({ orderKey: OrderKey })
const orderOfPartnerParams = z.object({ partnerId: z.string(), orderKey: z.string() })

const refundedAmount = {
  amount_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS),
  description: z.string().max(MAX_DESCRIPTION).nullable().optional(),
}

/** Refusals of an order that cannot be refunded, or not by this amount, and of a processor that does not answer. */
const REFUSED = [
  'invalid_request',
  'resource_not_found',
  'not_refundable',
  'order_not_paid',
  'nothing_to_refund',
  'amount_exceeds_remaining',
  'refund_full_value_only',
  'idempotency_key_reuse',
  'internal_error',
  'provider_error',
  'temporarily_unavailable',
] as const

export const RefundList = z.object({ refunds: z.array(Refund), next_cursor: NextCursor })

/** `refunds.refunds` (spec: Refund a fiat order; decisions §10 and §11). */
export const refunds = resource('refunds.refunds', {
  create: operation({
    operationId: 'createRefund',
    http: post('/fiat-orders/:orderKey/refunds', {
      scopes: ['refunds:write'],
      status: 201,
      messages: { resource_not_found: 'no partner-visible order for the key' },
    }),
    tag: 'Refunds',
    summary: 'Refund a card order to its payer',
    description:
      'Use it to refund part or all of a card order. The same key always means the same refund: after a 500 or a lost response, retry with that key.',
    params: orderParams,
    idempotent: true,
    needsClientLimits: true,
    body: z.strictObject({
      ...refundedAmount,
      order_lines: z.array(RefundLine).min(1).max(MAX_ORDER_LINES).nullable().optional(),
    }),
    reply: RefundAnswer,
    refusals: [...REFUSED, 'capability_unavailable', 'limit_reached'],
  }),
  createByStaff: operation({
    operationId: 'refundPartnerOrder',
    http: post('/partners/:partnerId/fiat-orders/:orderKey/refunds', { status: 201 }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    repeatable: true,
    summary: 'Refund a card order of any partner to its payer',
    description:
      'Use it when the partner cannot refund: it does not answer, its access is revoked, or its daily limit is reached. Capabilities and limits of the partner do not apply; its events are as for a refund that it requested.',
    caller: 'operator',
    params: orderOfPartnerParams,
    idempotent: true,
    body: z.strictObject(refundedAmount),
    reply: RefundAnswer,
    refusals: REFUSED,
  }),
  list: operation({
    operationId: 'listRefunds',
    http: get('/fiat-orders/:orderKey/refunds', { scopes: ['payments:read'] }),
    tag: 'Refunds',
    summary: 'List the refunds of a card order, newest first',
    description: 'Use it for all refunds of an order, including those made at the processor.',
    params: orderParams,
    query: z.object(pageParameters),
    reply: RefundList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  listByStaff: operation({
    operationId: 'listPartnerOrderRefunds',
    http: get('/partners/:partnerId/fiat-orders/:orderKey/refunds'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the refunds of a card order of any partner, newest first',
    description:
      'Use it to see what the payer got back, and who requested it. An order of another partner returns an empty list.',
    caller: 'operator',
    params: orderOfPartnerParams,
    query: z.object(pageParameters),
    reply: RefundList,
    refusals: ['invalid_cursor'],
  }),
  listPending: operation({
    operationId: 'listPendingRefunds',
    http: get('/refunds'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the refunds of all partners that the processor has not answered, oldest first',
    description:
      'Use it to find refunds with an unknown outcome. The platform keeps asking the processor; if a refund stays here, contact the processor.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ refunds: z.array(RefundOfPartner), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  getByStaff: operation({
    operationId: 'getRefund',
    http: get('/refunds/:refundId'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get a refund of any partner',
    description: 'Use it to see the status of a refund and its id at the processor.',
    caller: 'operator',
    params: z.object({ refundId: idOf('refund') }),
    reply: z.object({ refund: RefundOfPartner }),
    refusals: ['resource_not_found'],
  }),
})
