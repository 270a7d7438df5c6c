import { queryMany } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'
import { SplitColumns } from '../crypto-orders/split.ts'

const PastDeposit = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  asset: Asset,
  amount: z.string(),
  countedAt: z.coerce.date().nullable(),
  serviceFee: z.string(),
  settledAmount: z.string(),
  settledCents: z.number(),
  ...SplitColumns.shape,
})

const PastOrder = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  currency: z.string(),
  network: Network,
  asset: Asset,
  refundedAt: z.date().nullable(),
  hasRefund: z.boolean(),
  /** Late money that was ended by a refund without a row, a decimal in the asset; null without any. */
  sentBack: z.string().nullable(),
  deposits: z.array(PastDeposit),
  /** Recorded facts of its deposits. */
  moves: z.array(z.record(z.string(), z.unknown())),
})
export type PastOrder = Readonly<z.infer<typeof PastOrder>>

/** The next crypto orders, with their deposits and the facts of these, all of one moment. */
export const listOrdersWithMoves = queryMany({
  name: 'crypto-orders.list-with-moves',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT o.id, o.partner_id, o.partner_customer_id, o.merchant_id, o.currency, o.network, o.asset, o.refunded_at,
      EXISTS (SELECT FROM order_refunds f WHERE f.order_id = o.id AND f.status = 'confirmed'
        AND f.unattributed_money_id IS NULL) AS has_refund,
      (SELECT sum(u.amount)::text FROM unattributed_money u WHERE u.order_id = o.id AND u.ended_by = 'refund'
        AND u.refund_id IS NULL AND u.unit = o.network || '/' || o.asset) AS sent_back,
      coalesce((
        SELECT json_agg(json_build_object('network', d.network, 'txId', d.tx_id, 'outputIndex', d.output_index,
          'asset', d.asset, 'amount', d.amount::text, 'countedAt', d.counted_at, 'serviceFee', d.service_fee::text,
          'settledAmount', d.settled_amount::text, 'settledCents', d.settled_cents, 'openAmount', d.open_amount::text,
          'appliedAmount', d.applied_amount::text, 'excessAmount', d.excess_amount::text,
          'lateAmount', d.late_amount::text, 'foreignAmount', d.foreign_amount::text))
        FROM crypto_deposits d WHERE d.order_id = o.id), '[]') AS deposits,
      coalesce((
        SELECT json_agg(l.fact ORDER BY l.seq) FROM ledger_facts l
        WHERE l.fact ->> 'order_id' = o.id AND l.fact ->> 'kind' = 'deposit_moved'), '[]') AS moves
    FROM crypto_orders o WHERE o.id > :after ORDER BY o.id LIMIT :limit`,
  row: PastOrder,
})
