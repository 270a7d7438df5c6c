import { PAGE_MAX_BYTES, statement } from '@causeway/chassis'
import { z } from 'zod'
import { JudgedRefund, ListedRefund, RefundRecord } from './refund.ts'
import { takingBack } from './client-days-store.ts'

const COLUMNS = `
  id, partner_id AS "partnerId", order_key::text AS "orderKey", state, amount_cents AS "amountCents", description,
  description_sealed AS "descriptionSealed", order_lines AS "orderLines", idempotency_key AS "idempotencyKey",
  partner_customer_id AS "partnerCustomerId", order_id AS "orderId", currency, processor,
  processor_order_id AS "processorOrderId", service_fee_payer AS "serviceFeePayer",
  max_refundable_cents AS "maxRefundableCents", refunded_before_cents AS "refundedBeforeCents",
  processor_refund_id AS "processorRefundId", attempts, created_at AS "createdAt", completed_at AS "completedAt"`
const OPEN = `state IN ('requested', 'sent', 'unknown', 'succeeded')`

/**
 * Takes the order's one place; gives nothing while another refund holds it. $1 id, $2 partner, $3 order key,
 * $4 amount, $5 sealed memo, $6 lines, $7 idempotency key, $8 now, $9 when a place held by a dead call is given up
 */
export const hold = statement({
  name: 'refunds.hold',
  text: `
    INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, description_sealed, order_lines,
      idempotency_key, created_at, due_at)
    VALUES ($1, $2, $3, 'requested', $4, $5, $6, $7, $8, $9)
    ON CONFLICT (partner_id, order_key) WHERE ${OPEN} DO NOTHING
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

/** $1 partner, $2 id */
export const find = statement({
  name: 'refunds.find',
  text: `SELECT ${COLUMNS} FROM refunds WHERE partner_id = $1 AND id = $2`,
  row: RefundRecord,
})

/**
 * Writes down what the refund was judged by, before anything is sent. $1 partner, $2 id, $3 relationship, $4 order,
 * $5 currency, $6 processor, $7 its order, $8 payer of the fee, $9 ceiling, $10 refunded before, $11 due,
 * $12 the client in whose day it counts, $13 that day
 */
export const markSent = statement({
  name: 'refunds.mark-sent',
  text: `
    UPDATE refunds SET state = 'sent', partner_customer_id = $3, order_id = $4, currency = $5, processor = $6,
      processor_order_id = $7, service_fee_payer = $8, max_refundable_cents = $9, refunded_before_cents = $10,
      due_at = $11, client_id = $12, counted_on = $13::date
    WHERE partner_id = $1 AND id = $2 AND state = 'requested' RETURNING ${COLUMNS}`,
  row: JudgedRefund,
})

/**
 * Moves a refund on, from one of the states that may come before. $1 partner, $2 id, $3 state, $4 states before,
 * $5 the processor's refund or null, $6 completed or null, $7 due or null. A refund that was said to have failed was
 * completed when it was made; one that fails counts in no day any more.
 */
export const move = statement({
  name: 'refunds.move',
  text: `
    WITH moved AS (
      UPDATE refunds SET state = $3, processor_refund_id = coalesce($5, processor_refund_id),
        completed_at = CASE WHEN state = 'failed' THEN $6 ELSE coalesce(completed_at, $6) END, due_at = $7
      WHERE partner_id = $1 AND id = $2 AND state = ANY($4::text[]) RETURNING *
    ), taken_back AS (${takingBack(`SELECT * FROM moved WHERE state = 'failed'`)})
    SELECT ${COLUMNS} FROM moved`,
  row: JudgedRefund,
})

/**
 * Ends a refund that the processor failed, unless somebody has taken it in the meantime and may be asking for it
 * again; it counts in no day any more. $1 partner, $2 id, $3 now, $4 attempts that were known
 */
export const failUntaken = statement({
  name: 'refunds.fail-untaken',
  text: `
    WITH failed AS (
      UPDATE refunds SET state = 'failed', completed_at = $3, due_at = NULL
      WHERE partner_id = $1 AND id = $2 AND state = 'unknown' AND attempts = $4 RETURNING *
    ), taken_back AS (${takingBack('SELECT * FROM failed')})
    SELECT ${COLUMNS} FROM failed`,
  row: JudgedRefund,
})

/**
 * Takes a refund over from a call that is dead, or may be: what that one does not know of any more, it may not end.
 * $1 partner, $2 id
 */
export const take = statement({
  name: 'refunds.take',
  text: `
    UPDATE refunds SET attempts = attempts + 1 WHERE partner_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  row: RefundRecord,
})

/**
 * Takes back a refund of which provably nothing was done, unless somebody has taken it in the meantime and may be
 * asking for it; it counts in no day any more. $1 partner, $2 id, $3 the state that it must have, $4 attempts that
 * were known
 */
export const withdraw = statement({
  name: 'refunds.withdraw',
  text: `
    WITH gone AS (
      DELETE FROM refunds WHERE partner_id = $1 AND id = $2 AND state = $3 AND attempts = $4 RETURNING *
    ), taken_back AS (${takingBack('SELECT * FROM gone')})
    SELECT id FROM gone`,
  row: z.object({ id: z.string() }),
})

/**
 * Newest first, without those that were never sent, and no more of them than fill two pages. $1 partner,
 * $2 order key, $3 and $4 where the page before ended, $5 limit
 */
export const list = statement({
  name: 'refunds.list',
  text: `
    WITH listed AS (
      SELECT *, sum(octet_length(order_lines::text)) OVER (
          ORDER BY created_at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (
        SELECT * FROM refunds WHERE partner_id = $1 AND order_key = $2 AND state <> 'requested'
          AND (created_at, id) < ($3, $4)
        ORDER BY created_at DESC, id DESC LIMIT $5
      ) AS found
    )
    SELECT ${COLUMNS}, source FROM listed WHERE coalesce(bytes_before, 0) <= ${2 * PAGE_MAX_BYTES}
    ORDER BY created_at DESC, id DESC`,
  row: ListedRefund,
})

/** Takes refunds whose time has come and puts off their next turn. $1 now, $2 next turn, $3 limit */
export const takeDue = statement({
  name: 'refunds.take-due',
  text: `
    UPDATE refunds SET due_at = $2, attempts = attempts + 1
    WHERE id = ANY (ARRAY(
      SELECT id FROM refunds WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED))
    RETURNING ${COLUMNS}`,
  row: RefundRecord,
})

/** $1 partner, $2 id, $3 next turn */
export const putOff = statement({
  name: 'refunds.put-off',
  text: 'UPDATE refunds SET due_at = $3 WHERE partner_id = $1 AND id = $2 AND due_at IS NOT NULL',
})
