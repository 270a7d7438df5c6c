import {
  appendedToOutbox,
  claimedKeyWith,
  EVENT_PARAMETERS,
  EVENT_ROW,
  IS_KEY_FREE,
  KEY_CLAIM_PARAMETERS,
  KEY_REPLY_PARAMETERS,
  PAGE_MAX_BYTES,
  queryMany,
  queryNone,
  queryOne,
  storedReply,
} from '@causeway/chassis'
import { z } from 'zod'
import { countedInDay, releasedAmounts } from './client-days-store.ts'
import { ListedRefund, RefundForStaff, RefundRecord, ValidatedRefund } from './refund.ts'

const COLUMNS = `
  id, partner_id, order_key::text, state, amount_cents, description, description_sealed, order_lines,
  idempotency_key, partner_customer_id, order_id, currency, processor, processor_order_id, service_fee_payer,
  max_refundable_cents, refunded_before_cents, processor_refund_id, attempts, created_at, completed_at`
const OPEN = `state IN ('requested', 'sent', 'unknown', 'succeeded')`

/**
 * Claims the key and the order's one slot in one statement: `recorded` is the new refund's id. Null while another refund
 * has the slot, or another call the key. `dueAt`: when the slot of a dead call is given up.
 * @throws a unique violation of KEY_CONSTRAINT when another call claims the key at the same moment
 */
export const claimSlot = queryOne({
  name: 'refunds.hold-under-key',
  parameters: {
    ...KEY_CLAIM_PARAMETERS,
    orderKey: 'bigint',
    amountCents: 'bigint',
    descriptionSealed: 'text?',
    orderLines: 'jsonb?',
    createdAt: 'timestamptz',
    dueAt: 'timestamptz',
  },
  text: `
    WITH slot AS (
      INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, description_sealed, order_lines,
        idempotency_key, created_at, due_at)
      SELECT :recorded, :partnerId, :orderKey, 'requested', :amountCents, :descriptionSealed, :orderLines,
        :key, :createdAt, :dueAt
      WHERE ${IS_KEY_FREE}
      ON CONFLICT (partner_id, order_key) WHERE ${OPEN} DO NOTHING
      RETURNING *
    ), ${claimedKeyWith('slot')}
    SELECT ${COLUMNS} FROM slot`,
  row: RefundRecord,
})

export const getRefund = queryOne({
  name: 'refunds.find',
  parameters: { partnerId: 'text', refundId: 'text' },
  text: `SELECT ${COLUMNS} FROM refunds WHERE partner_id = :partnerId AND id = :refundId`,
  row: RefundRecord,
})

const MarkedRefund = z.union([ValidatedRefund, z.object({ id: z.null() })])

/**
 * Stores what the refund was validated by, before anything is sent, and counts it in its client's day, in one statement:
 * both or neither. `countedBeforeCents` is what the day had before; a refund above the limit changes nothing and comes
 * back without an id. Null when it was withdrawn in the meantime. The day's row is locked to the end of the statement,
 * so concurrent refunds of one day wait for each other.
 */
export const markSent = queryOne({
  name: 'refunds.mark-sent',
  parameters: {
    partnerId: 'text',
    refundId: 'text',
    partnerCustomerId: 'text',
    orderId: 'text',
    currency: 'text',
    processor: 'text',
    processorOrderId: 'text',
    serviceFeePayer: 'text',
    maxRefundableCents: 'bigint',
    refundedBeforeCents: 'bigint',
    dueAt: 'timestamptz',
    clientId: 'text',
    day: 'date',
    limitCents: 'bigint?',
  },
  text: `
    WITH refund AS (
      SELECT amount_cents FROM refunds WHERE partner_id = :partnerId AND id = :refundId AND state = 'requested'
      FOR UPDATE
    ), ${countedInDay('refund')}, sent AS (
      UPDATE refunds SET state = 'sent', partner_customer_id = :partnerCustomerId, order_id = :orderId,
        currency = :currency, processor = :processor, processor_order_id = :processorOrderId,
        service_fee_payer = :serviceFeePayer, max_refundable_cents = :maxRefundableCents,
        refunded_before_cents = :refundedBeforeCents, due_at = :dueAt, client_id = :clientId, counted_on = :day
      WHERE partner_id = :partnerId AND id = :refundId AND EXISTS (SELECT FROM counted WHERE is_counted)
      RETURNING *
    )
    SELECT counted.before_cents AS counted_before_cents, ${COLUMNS} FROM counted LEFT JOIN sent ON true`,
  row: z.object({ countedBeforeCents: z.number() }).and(MarkedRefund),
})

/**
 * Moves a refund from one of `statesBefore`; null when it is in another state. A refund that failed
 * and succeeds late takes the time at which it was made; one that fails no longer counts in its day.
 */
export const moveRefund = queryOne({
  name: 'refunds.move',
  parameters: {
    partnerId: 'text',
    refundId: 'text',
    state: 'text',
    statesBefore: 'text[]',
    processorRefundId: 'text?',
    completedAt: 'timestamptz?',
    dueAt: 'timestamptz?',
  },
  text: `
    WITH moved AS (
      UPDATE refunds SET state = :state, processor_refund_id = coalesce(:processorRefundId, processor_refund_id),
        completed_at = CASE WHEN state = 'failed' THEN :completedAt ELSE coalesce(completed_at, :completedAt) END,
        due_at = :dueAt
      WHERE partner_id = :partnerId AND id = :refundId AND state = ANY(:statesBefore) RETURNING *
    ), released AS (${releasedAmounts(`SELECT * FROM moved WHERE state = 'failed'`)})
    SELECT ${COLUMNS} FROM moved`,
  row: ValidatedRefund,
})

/**
 * Moves a refund that was made, and that its order counts, to `reconciled` with its event and the reply of its call;
 * null, and nothing is written, when it is in another state. `db.emitted()` has to be called when it has run.
 */
export const reconcileRefund = queryOne({
  name: 'refunds.reconcile',
  parameters: { ...KEY_REPLY_PARAMETERS, ...EVENT_PARAMETERS, refundId: 'text', now: 'timestamptz' },
  text: `
    WITH reconciled AS (
      UPDATE refunds SET state = 'reconciled', completed_at = coalesce(completed_at, :now), due_at = NULL
      WHERE partner_id = :partnerId AND id = :refundId AND state = 'succeeded' RETURNING id
    ), ${appendedToOutbox(`reconciled CROSS JOIN ${EVENT_ROW}`)}, ${storedReply('reconciled')}
    SELECT id FROM reconciled`,
  row: z.object({ id: z.string() }),
})

/**
 * Ends a refund that the processor failed, fenced by its attempts: not when another worker has claimed it in the
 * meantime and may be asking for it again. It no longer counts in its day.
 */
export const failUnclaimed = queryOne({
  name: 'refunds.fail-untaken',
  parameters: { partnerId: 'text', refundId: 'text', now: 'timestamptz', attempts: 'integer' },
  text: `
    WITH failed AS (
      UPDATE refunds SET state = 'failed', completed_at = :now, due_at = NULL
      WHERE partner_id = :partnerId AND id = :refundId AND state = 'unknown' AND attempts = :attempts RETURNING *
    ), released AS (${releasedAmounts('SELECT * FROM failed')})
    SELECT ${COLUMNS} FROM failed`,
  row: ValidatedRefund,
})

/** Claims a refund of a call that is dead or stalled: incrementing `attempts` fences that call out. */
export const claimRefund = queryOne({
  name: 'refunds.take',
  parameters: { partnerId: 'text', refundId: 'text' },
  text: `
    UPDATE refunds SET attempts = attempts + 1 WHERE partner_id = :partnerId AND id = :refundId
    RETURNING ${COLUMNS}`,
  row: RefundRecord,
})

/**
 * Deletes a refund of which provably nothing was done, fenced by its attempts; it no longer counts in its day. Null
 * when it has moved on or was claimed in the meantime.
 */
export const deleteUnsent = queryOne({
  name: 'refunds.withdraw',
  parameters: { partnerId: 'text', refundId: 'text', state: 'text', attempts: 'integer' },
  text: `
    WITH gone AS (
      DELETE FROM refunds
      WHERE partner_id = :partnerId AND id = :refundId AND state = :state AND attempts = :attempts RETURNING *
    ), released AS (${releasedAmounts('SELECT * FROM gone')})
    SELECT id FROM gone`,
  row: z.object({ id: z.string() }),
})

/** Newest first, without those that were never sent, and no more of them than fill two pages. */
export const listRefunds = queryMany({
  name: 'refunds.list',
  parameters: { partnerId: 'text', orderKey: 'bigint', at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    WITH listed AS (
      SELECT *, sum(octet_length(order_lines::text)) OVER (
          ORDER BY created_at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (
        SELECT * FROM refunds WHERE partner_id = :partnerId AND order_key = :orderKey AND state <> 'requested'
          AND (created_at, id) < (:at, :id)
        ORDER BY created_at DESC, id DESC LIMIT :limit
      ) AS found
    )
    SELECT ${COLUMNS}, source FROM listed WHERE coalesce(bytes_before, 0) <= ${2 * PAGE_MAX_BYTES}
    ORDER BY created_at DESC, id DESC`,
  row: ListedRefund,
})

/** Claims refunds that are due and puts off their next turn. */
export const claimDue = queryMany({
  name: 'refunds.take-due',
  parameters: { now: 'timestamptz', nextTurnAt: 'timestamptz', limit: 'integer' },
  text: `
    UPDATE refunds SET due_at = :nextTurnAt, attempts = attempts + 1
    WHERE id = ANY (ARRAY(
      SELECT id FROM refunds WHERE due_at <= :now ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED))
    RETURNING ${COLUMNS}`,
  row: RefundRecord,
})

export const putOff = queryNone({
  name: 'refunds.put-off',
  parameters: { partnerId: 'text', refundId: 'text', dueAt: 'timestamptz' },
  text: 'UPDATE refunds SET due_at = :dueAt WHERE partner_id = :partnerId AND id = :refundId AND due_at IS NOT NULL',
})

/** Selects validated refunds: one that only holds its order's slot may still be withdrawn without a trace. */
const SELECT_FOR_STAFF = `
  SELECT id, partner_id, order_key::text, state, amount_cents, description, description_sealed, order_lines, source,
    partner_customer_id, order_id, currency, processor, processor_refund_id, attempts, created_at, completed_at
  FROM refunds`

/** Refunds of all partners that the processor has not answered, oldest first, after a position. */
export const listPending = queryMany({
  name: 'refunds.list-pending',
  parameters: { at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    ${SELECT_FOR_STAFF} WHERE state IN ('sent', 'unknown') AND (created_at, id) > (:at, :id)
    ORDER BY created_at, id LIMIT :limit`,
  row: RefundForStaff,
})

export const findForStaff = queryOne({
  name: 'refunds.find-for-staff',
  parameters: { refundId: 'text' },
  text: `${SELECT_FOR_STAFF} WHERE id = :refundId AND state <> 'requested'`,
  row: RefundForStaff,
})

/** Descriptions of refunds at their end that are not sealed yet. */
export const listUnsealedDescriptions = queryMany({
  name: 'descriptions.unsealed',
  parameters: { limit: 'integer' },
  text: `
    SELECT id, description FROM refunds
    WHERE description IS NOT NULL AND state IN ('failed', 'reconciled') ORDER BY id LIMIT :limit`,
  row: z.object({ id: z.string(), description: z.string() }),
})

export const storeSealedDescriptions = queryNone({
  name: 'descriptions.seal',
  parameters: { ids: 'text[]', sealed: 'text?[]' },
  text: `
    UPDATE refunds SET description = NULL, description_sealed = given.sealed
    FROM unnest(:ids, :sealed) AS given (id, sealed)
    WHERE refunds.id = given.id AND refunds.description IS NOT NULL`,
})
