import { statement, withDataKey } from '@causeway/chassis'
import { z } from 'zod'
import { FiatOrderRecord } from '../fiat-orders/domain.ts'
import { FIAT_ORDER_COLUMNS, FIAT_ORDER_FROM } from '../fiat-orders/store.ts'
import { subjectIn } from '../payers/key-store.ts'

const LOCKED = `${FIAT_ORDER_COLUMNS}, ${withDataKey('f.payer_sealed', subjectIn('f.payer_sealed'))} AS "payerSealed", r.status = 'active' AS "partnerSees"
  FROM ${FIAT_ORDER_FROM} JOIN relationships r
    ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id`

const LockedOrder = FiatOrderRecord.extend({ payerSealed: z.string().nullable(), partnerSees: z.boolean() })
export type LockedOrder = z.infer<typeof LockedOrder>

/** Locks an order by what its processor calls it, with whether its partner still sees it. $1 processor, $2 its order */
export const lockByProcessorOrder = statement({
  name: 'fiat-orders.lock-by-processor',
  text: `SELECT ${LOCKED} WHERE f.processor = $1 AND f.processor_order_id = $2 FOR UPDATE OF f`,
  row: LockedOrder,
})

/** For the periodic file, which names orders by their keys. $1 order key */
export const lockByKey = statement({
  name: 'fiat-orders.lock-by-key',
  text: `SELECT ${LOCKED} WHERE f.order_key = $1 FOR UPDATE OF f`,
  row: LockedOrder,
})

/** The refunds and disputes that were told of an order before. $1 order */
export const readTold = statement({
  name: 'fiat-orders.read-told',
  text: `
    SELECT array(SELECT processor_refund_id FROM fiat_refunds_seen WHERE order_id = $1) AS "refundIds",
      array(SELECT dispute_id FROM chargebacks WHERE order_id = $1) AS "disputeIds"`,
  row: z.object({ refundIds: z.array(z.string()), disputeIds: z.array(z.string()) }),
})

/** $1 processor, $2 its refund, $3 order, $4 amount, $5 now */
export const keepRefund = statement({
  name: 'fiat-orders.keep-refund',
  text: `
    INSERT INTO fiat_refunds_seen (processor, processor_refund_id, order_id, amount_cents, seen_at)
    VALUES ($1, $2, $3, $4, $5)`,
})

/**
 * $1 partner, $2 id, $3 status, $4 processor status, $5 refunded, $6 charged back, $7 completed, $8 updated,
 * $9 payer, sealed: null keeps what is known; $10 when an order that is paid by this is read again
 */
export const settle = statement({
  name: 'fiat-orders.settle',
  text: `
    UPDATE fiat_orders SET status = $3, processor_status = $4, refunded_cents = $5, chargeback_cents = $6,
      completed_at = $7, updated_at = $8, payer_sealed = coalesce($9, payer_sealed),
      poll_at = CASE WHEN $3 IN ('cancelled', 'expired') THEN NULL
        WHEN status = 'pending' AND $3 <> 'pending' THEN $10::timestamptz ELSE poll_at END
    WHERE partner_id = $1 AND id = $2`,
})

/**
 * Takes pending orders whose notices stay away, and puts off their next turn by their age, at least $2 and at most $3
 * milliseconds: a page that nobody pays is asked for ever less often. $1 now, $4 limit
 */
export const takeSilent = statement({
  name: 'fiat-orders.take-silent',
  text: `
    UPDATE fiat_orders f
    SET poll_at = $1::timestamptz + least(greatest($1::timestamptz - f.created_at, $2 * interval '1 ms'),
      $3 * interval '1 ms')
    WHERE f.id = ANY (ARRAY(
      SELECT id FROM fiat_orders WHERE poll_at <= $1 AND status = 'pending'
      ORDER BY poll_at LIMIT $4 FOR UPDATE SKIP LOCKED))
    RETURNING f.processor, f.processor_order_id AS "processorOrderId"`,
  row: z.object({ processor: z.string(), processorOrderId: z.string() }),
})

/**
 * Takes orders that were paid, and puts off their next turn by half their age, at least $2 and at most $3 milliseconds;
 * one that was paid $4 milliseconds ago or earlier is taken for the last time. $1 now, $5 limit
 */
export const takeForReview = statement({
  name: 'fiat-orders.take-for-review',
  text: `
    UPDATE fiat_orders f
    SET poll_at = CASE WHEN age >= $4 * interval '1 ms' THEN NULL
      ELSE $1::timestamptz + least(greatest(age / 2, $2 * interval '1 ms'), $3 * interval '1 ms') END
    FROM (
      SELECT id, $1::timestamptz - coalesce(completed_at, created_at) AS age FROM fiat_orders
      WHERE poll_at <= $1 AND status <> 'pending' ORDER BY poll_at LIMIT $5 FOR UPDATE SKIP LOCKED) due
    WHERE f.id = due.id
    RETURNING f.processor, f.processor_order_id AS "processorOrderId"`,
  row: z.object({ processor: z.string(), processorOrderId: z.string() }),
})
