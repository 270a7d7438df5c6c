import { queryMany } from '@causeway/chassis'
import { z } from 'zod'
import { FiatOrderRecord } from '../fiat-orders/domain.ts'
import { FIAT_ORDER_COLUMNS, FIAT_ORDER_FROM } from '../fiat-orders/store.ts'

/** A refund that an order counted; `failedAt`: when it failed afterwards. */
const CountedRefundRow = z.object({
  processorRefundId: z.string(),
  amountCents: z.number(),
  seenAt: z.coerce.date(),
  failedAt: z.coerce.date().nullable(),
})

const DisputeRow = z.object({
  disputeId: z.string(),
  amountCents: z.number().nullable(),
  currency: z.string().nullable(),
  feeCents: z.number().nullable(),
  feeCurrency: z.string().nullable(),
  recordedAt: z.coerce.date(),
})

const PastOrder = FiatOrderRecord.extend({
  refunds: z.array(CountedRefundRow),
  disputes: z.array(DisputeRow),
})
export type PastOrder = Readonly<z.infer<typeof PastOrder>>

/** The next card orders that were paid, with everything that moved their money. */
export const listPaidOrders = queryMany({
  name: 'fiat-orders.list-paid',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT ${FIAT_ORDER_COLUMNS},
      coalesce((
        SELECT json_agg(json_build_object('processorRefundId', r.processor_refund_id, 'amountCents', r.amount_cents,
          'seenAt', r.seen_at, 'failedAt', r.failed_at))
        FROM fiat_refunds_seen r WHERE r.order_id = f.id), '[]') AS refunds,
      coalesce((
        SELECT json_agg(json_build_object('disputeId', c.dispute_id, 'amountCents', c.dispute_amount_cents,
          'currency', c.dispute_currency, 'feeCents', c.fee_cents, 'feeCurrency', c.fee_currency,
          'recordedAt', c.created_at))
        FROM chargebacks c WHERE c.order_id = f.id), '[]') AS disputes
    FROM ${FIAT_ORDER_FROM}
    WHERE f.id > :after AND f.status IN ('paid', 'completed', 'refunded', 'chargeback')
    ORDER BY f.id LIMIT :limit`,
  row: PastOrder,
})
