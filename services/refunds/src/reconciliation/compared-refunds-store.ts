import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { releasedAmounts } from '../refunds/client-days-store.ts'
import { ValidatedRefund } from '../refunds/refund.ts'

/** A refund as a comparison needs it. */
export const ComparedRefund = ValidatedRefund.pick({
  id: true,
  partnerId: true,
  orderKey: true,
  state: true,
  amountCents: true,
  currency: true,
  processor: true,
  processorOrderId: true,
  processorRefundId: true,
  createdAt: true,
})
export type ComparedRefund = Readonly<z.infer<typeof ComparedRefund>>

const COLUMNS = `
  id, partner_id, order_key::text, state, amount_cents, currency, processor, processor_order_id,
  processor_refund_id, created_at`

/** The records of refunds that a processor lists, whichever partners' they are: by our ids or by its own. */
export const listMatching = queryMany({
  name: 'compared-refunds.match',
  parameters: { processor: 'text', refundIds: 'text[]', processorRefundIds: 'text[]' },
  text: `
    SELECT ${COLUMNS} FROM refunds
    WHERE processor = :processor AND state <> 'requested'
      AND (id = ANY (:refundIds) OR processor_refund_id = ANY (:processorRefundIds))`,
  row: ComparedRefund,
})

/** Stores that the processor's list has shown them. */
export const markFound = queryNone({
  name: 'compared-refunds.mark-found',
  parameters: { processor: 'text', refundIds: 'text[]', now: 'timestamptz' },
  text: `
    UPDATE refunds SET found_at = :now
    WHERE processor = :processor AND id = ANY (:refundIds) AND found_at IS NULL`,
})

/**
 * Refunds that were made before a run and that no list of their processor has shown, without those that are known to
 * differ and those that this run skips.
 */
export const listUnfound = queryMany({
  name: 'compared-refunds.unfound',
  parameters: { processor: 'text', madeBefore: 'timestamptz', limit: 'integer', skippedIds: 'text[]' },
  text: `
    SELECT ${COLUMNS} FROM refunds r
    WHERE processor = :processor AND found_at IS NULL AND state IN ('succeeded', 'reconciled')
      AND completed_at < :madeBefore AND processor_refund_id IS NOT NULL AND id <> ALL (:skippedIds)
      AND NOT EXISTS (
        SELECT 1 FROM refund_differences d
        WHERE d.processor = r.processor AND d.processor_refund_id = r.processor_refund_id)
    ORDER BY completed_at LIMIT :limit`,
  row: ComparedRefund,
})

/** Inserts a refund that was made outside the API, once, whichever source reports it first; null when it is there. */
export const insertExternal = queryOne({
  name: 'compared-refunds.record',
  parameters: {
    refundId: 'text',
    partnerId: 'text',
    orderKey: 'bigint',
    amountCents: 'bigint',
    partnerCustomerId: 'text',
    orderId: 'text',
    currency: 'text',
    processor: 'text',
    processorOrderId: 'text',
    processorRefundId: 'text',
    madeAt: 'timestamptz',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO refunds (id, partner_id, order_key, state, source, amount_cents, partner_customer_id, order_id,
      currency, processor, processor_order_id, processor_refund_id, created_at, completed_at, found_at)
    VALUES (:refundId, :partnerId, :orderKey, 'reconciled', 'processor', :amountCents, :partnerCustomerId, :orderId,
      :currency, :processor, :processorOrderId, :processorRefundId, :madeAt, :madeAt, :now)
    ON CONFLICT DO NOTHING RETURNING id`,
  row: z.object({ id: z.string() }),
})

/**
 * Ends a made refund that has failed at its processor; null when it is in another state. It no longer counts in its day.
 * `idempotencyKey` null: it was made outside the API.
 */
export const failMade = queryOne({
  name: 'compared-refunds.fail-made',
  parameters: { partnerId: 'text', refundId: 'text', madeStates: 'text[]', now: 'timestamptz' },
  text: `
    WITH failed AS (
      UPDATE refunds SET state = 'failed', completed_at = :now, due_at = NULL
      WHERE partner_id = :partnerId AND id = :refundId AND state = ANY (:madeStates) RETURNING *
    ), released AS (${releasedAmounts('SELECT * FROM failed')})
    SELECT partner_id, idempotency_key FROM failed`,
  row: z.object({ partnerId: z.string(), idempotencyKey: z.string().nullable() }),
})
