import {
  appendedToOutbox,
  EVENT_PARAMETERS,
  EVENT_ROW,
  queryMany,
  queryNone,
  queryOne,
  withDataKey,
} from '@causeway/chassis'
import { z } from 'zod'
import { FiatOrderRecord } from '../fiat-orders/domain.ts'
import { FIAT_ORDER_COLUMNS, FIAT_ORDER_FROM } from '../fiat-orders/store.ts'
import { subjectIn } from '../payers/key-store.ts'

const SETTLED = `
  ${FIAT_ORDER_COLUMNS}, ${withDataKey('f.payer_sealed', subjectIn('f.payer_sealed'))} AS payer_sealed,
    r.status = 'active' AS partner_sees
  FROM ${FIAT_ORDER_FROM} JOIN relationships r
    ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id`

const SettledOrder = FiatOrderRecord.extend({
  payerSealed: z.string().nullable(),
  /** True if the relationship is active: otherwise its partner no longer sees the order. */
  partnerSees: z.boolean(),
})
export type SettledOrder = z.infer<typeof SettledOrder>

export const lockByProcessorOrder = queryOne({
  name: 'fiat-orders.lock-by-processor',
  parameters: { processor: 'text', processorOrderId: 'text' },
  text: `SELECT ${SETTLED} WHERE f.processor = :processor AND f.processor_order_id = :processorOrderId FOR UPDATE OF f`,
  row: SettledOrder,
})

/** For the dispute file, which names orders by their keys. */
export const lockByKey = queryOne({
  name: 'fiat-orders.lock-by-key',
  parameters: { orderKey: 'bigint' },
  text: `SELECT ${SETTLED} WHERE f.order_key = :orderKey FOR UPDATE OF f`,
  row: SettledOrder,
})

const COUNTED = {
  columns: (orderId: string) => `
    array(SELECT processor_refund_id FROM fiat_refunds_seen WHERE order_id = ${orderId} AND failed_at IS NULL) AS refund_ids,
    array(SELECT processor_refund_id FROM fiat_refunds_seen WHERE order_id = ${orderId} AND failed_at IS NOT NULL)
      AS failed_refund_ids,
    array(SELECT dispute_id FROM chargebacks WHERE order_id = ${orderId}) AS dispute_ids`,
  row: {
    refundIds: z.array(z.string()),
    failedRefundIds: z.array(z.string()),
    disputeIds: z.array(z.string()),
  },
}

/** The processor's ids of the refunds and disputes that an order counts, and of the refunds that failed afterwards. */
export const getCounted = queryOne({
  name: 'fiat-orders.read-told',
  parameters: { orderId: 'text' },
  text: `SELECT ${COUNTED.columns(':orderId')}`,
  row: z.object(COUNTED.row),
})

/** An order and what it counts, without a lock. */
export const getByProcessorOrder = queryOne({
  name: 'fiat-orders.read-settled',
  parameters: { processor: 'text', processorOrderId: 'text' },
  text: `
    SELECT ${COUNTED.columns('f.id')}, ${SETTLED}
    WHERE f.processor = :processor AND f.processor_order_id = :processorOrderId`,
  row: SettledOrder.extend(COUNTED.row),
})

const RefundedOrder = SettledOrder.extend({ version: z.string(), ...COUNTED.row })
export type RefundedOrder = z.infer<typeof RefundedOrder>

/**
 * An order of a partner and what it counts, without a lock. `version` is the id of the transaction that wrote the row
 * last.
 */
export const getForRefund = queryOne({
  name: 'fiat-orders.read-for-refund',
  parameters: { partnerId: 'text', orderKey: 'bigint' },
  text: `
    SELECT f.xmin::text AS version, ${COUNTED.columns('f.id')}, ${SETTLED}
    WHERE f.partner_id = :partnerId AND f.order_key = :orderKey`,
  row: RefundedOrder,
})

/**
 * Has an order count a refund, with its event, where nobody has changed the order since `version` was read; otherwise
 * null, and nothing is written. `payerSealed` null keeps the known payer. `db.emitted()` has to be called when it has
 * run.
 */
export const countRefund = queryOne({
  name: 'fiat-orders.count-refund',
  parameters: {
    ...EVENT_PARAMETERS,
    partnerId: 'text',
    orderId: 'text',
    version: 'text',
    status: 'text',
    refundedCents: 'bigint',
    reversedCents: 'bigint',
    updatedAt: 'timestamptz?',
    payerSealed: 'text?',
    processor: 'text',
    processorRefundId: 'text',
    amountCents: 'bigint',
    now: 'timestamptz',
  },
  text: `
    WITH settled AS (
      UPDATE fiat_orders SET status = :status, refunded_cents = :refundedCents, reversed_cents = :reversedCents,
        updated_at = :updatedAt, payer_sealed = coalesce(:payerSealed, payer_sealed)
      WHERE partner_id = :partnerId AND id = :orderId AND xmin::text = :version RETURNING id
    ), counted AS (
      INSERT INTO fiat_refunds_seen (processor, processor_refund_id, order_id, amount_cents, seen_at)
      SELECT :processor, :processorRefundId, id, :amountCents, :now FROM settled
    ), ${appendedToOutbox(`settled CROSS JOIN ${EVENT_ROW}`)}
    SELECT id FROM settled`,
  row: z.object({ id: z.string() }),
})

export const insertCountedRefund = queryNone({
  name: 'fiat-orders.keep-refund',
  parameters: {
    processor: 'text',
    processorRefundId: 'text',
    orderId: 'text',
    amountCents: 'bigint',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO fiat_refunds_seen (processor, processor_refund_id, order_id, amount_cents, seen_at)
    VALUES (:processor, :processorRefundId, :orderId, :amountCents, :now)`,
})

/** A counted refund has failed. */
export const markRefundFailed = queryNone({
  name: 'fiat-orders.refund-failed',
  parameters: { processor: 'text', processorRefundId: 'text', orderId: 'text', now: 'timestamptz' },
  text: `
    UPDATE fiat_refunds_seen SET failed_at = :now
    WHERE processor = :processor AND processor_refund_id = :processorRefundId AND order_id = :orderId`,
})

/**
 * Stores the settled order. `payerSealed` null keeps the known payer; `reviewAt` is when an order that becomes paid is
 * read again.
 */
export const update = queryNone({
  name: 'fiat-orders.settle',
  parameters: {
    partnerId: 'text',
    orderId: 'text',
    status: 'text',
    processorStatus: 'text?',
    refundedCents: 'bigint',
    chargebackCents: 'bigint',
    reversedCents: 'bigint',
    completedAt: 'timestamptz?',
    updatedAt: 'timestamptz?',
    payerSealed: 'text?',
    reviewAt: 'timestamptz',
  },
  text: `
    UPDATE fiat_orders SET status = :status, processor_status = :processorStatus, refunded_cents = :refundedCents,
      chargeback_cents = :chargebackCents, reversed_cents = :reversedCents, completed_at = :completedAt, updated_at = :updatedAt,
      payer_sealed = coalesce(:payerSealed, payer_sealed),
      poll_at = CASE WHEN status = 'pending' AND :status <> 'pending' THEN :reviewAt ELSE poll_at END
    WHERE partner_id = :partnerId AND id = :orderId`,
})

const ClaimedOrder = z.object({ processor: z.string(), processorOrderId: z.string() })
export type ClaimedOrder = Readonly<z.infer<typeof ClaimedOrder>>

/**
 * Claims pending orders without a notice, and postpones their next turn by their age within the bounds: the older an
 * unpaid order, the less often it is read.
 */
export const claimUnnotified = queryMany({
  name: 'fiat-orders.take-silent',
  parameters: { now: 'timestamptz', minPauseMs: 'float8', maxPauseMs: 'float8', limit: 'bigint' },
  text: `
    UPDATE fiat_orders f
    SET poll_at = :now + least(greatest(:now - f.created_at, :minPauseMs * interval '1 ms'),
      :maxPauseMs * interval '1 ms')
    WHERE f.id = ANY (ARRAY(
      SELECT id FROM fiat_orders WHERE poll_at <= :now AND status = 'pending'
      ORDER BY poll_at LIMIT :limit FOR UPDATE SKIP LOCKED))
    RETURNING f.processor, f.processor_order_id`,
  row: ClaimedOrder,
})

/**
 * Claims paid orders whose review is due, and postpones their next turn by half their age within the bounds; one that
 * was paid `lastAfterMs` ago or earlier is claimed for the last time.
 */
export const claimForReview = queryMany({
  name: 'fiat-orders.take-for-review',
  parameters: {
    now: 'timestamptz',
    minPauseMs: 'float8',
    maxPauseMs: 'float8',
    lastAfterMs: 'float8',
    limit: 'bigint',
  },
  text: `
    UPDATE fiat_orders f
    SET poll_at = CASE WHEN age >= least(:lastAfterMs * interval '1 ms',
        CASE WHEN f.status IN ('cancelled', 'expired') THEN interval '3 days' END) THEN NULL
      ELSE :now + least(greatest(age / 2, :minPauseMs * interval '1 ms'), :maxPauseMs * interval '1 ms') END
    FROM (
      SELECT id, :now - coalesce(completed_at, created_at) AS age FROM fiat_orders
      WHERE poll_at <= :now AND status <> 'pending' ORDER BY poll_at LIMIT :limit FOR UPDATE SKIP LOCKED) due
    WHERE f.id = due.id
    RETURNING f.processor, f.processor_order_id`,
  row: ClaimedOrder,
})
