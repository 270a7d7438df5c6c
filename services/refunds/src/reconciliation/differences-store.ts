import { queryMany, queryOne } from '@causeway/chassis'
import { RefundDifferenceKind } from '@causeway/contracts'
import { z } from 'zod'
import { DifferenceRecord } from './difference.ts'

const COLUMNS = `
  id, kind, processor, processor_refund_id, partner_id, order_key::text, processor_order_id, refund_id, here,
  at_processor, found_at, checked_at, closed_at`

/**
 * Inserts a difference, or stores that it is still there. One that staff have closed opens again when either side has
 * changed. `differenceId` is the id of a new one.
 */
export const upsertDifference = queryOne({
  name: 'refund-differences.keep',
  parameters: {
    differenceId: 'text',
    kind: 'text',
    processor: 'text',
    processorRefundId: 'text',
    partnerId: 'text?',
    orderKey: 'bigint?',
    processorOrderId: 'text?',
    refundId: 'text?',
    here: 'jsonb?',
    atProcessor: 'jsonb?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO refund_differences AS known (id, kind, processor, processor_refund_id, partner_id, order_key,
      processor_order_id, refund_id, here, at_processor, found_at, checked_at)
    VALUES (:differenceId, :kind, :processor, :processorRefundId, :partnerId, :orderKey, :processorOrderId, :refundId,
      :here, :atProcessor, :now, :now)
    ON CONFLICT (processor, processor_refund_id) DO UPDATE SET kind = excluded.kind,
      partner_id = excluded.partner_id, order_key = excluded.order_key,
      processor_order_id = excluded.processor_order_id, refund_id = excluded.refund_id, here = excluded.here,
      at_processor = excluded.at_processor, checked_at = excluded.checked_at,
      closed_at = CASE WHEN (known.kind, known.here, known.at_processor)
        IS NOT DISTINCT FROM (excluded.kind, excluded.here, excluded.at_processor) THEN known.closed_at END
    RETURNING id = :differenceId AS is_new`,
  row: z.object({ isNew: z.boolean() }),
})

/** Deletes differences that no longer exist. @returns those that did */
export const deleteDifferences = queryMany({
  name: 'refund-differences.resolve',
  parameters: { processor: 'text', processorRefundIds: 'text[]' },
  text: `
    DELETE FROM refund_differences
    WHERE processor = :processor AND processor_refund_id = ANY (:processorRefundIds)
    RETURNING ${COLUMNS}`,
  row: DifferenceRecord,
})

/** Open ones that were not checked since a time, longest first. */
export const listUnchecked = queryMany({
  name: 'refund-differences.unchecked',
  parameters: { processor: 'text', since: 'timestamptz', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM refund_differences
    WHERE processor = :processor AND closed_at IS NULL AND checked_at < :since ORDER BY checked_at, id LIMIT :limit`,
  row: DifferenceRecord,
})

/** Open ones, oldest first. */
export const listOpen = queryMany({
  name: 'refund-differences.page',
  parameters: { at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM refund_differences
    WHERE closed_at IS NULL AND (found_at, id) > (:at, :id) ORDER BY found_at, id LIMIT :limit`,
  row: DifferenceRecord,
})

export const getDifference = queryOne({
  name: 'refund-differences.find',
  parameters: { differenceId: 'text' },
  text: `SELECT ${COLUMNS} FROM refund_differences WHERE id = :differenceId`,
  row: DifferenceRecord,
})

/** Closes one that staff have looked into. */
export const closeDifference = queryOne({
  name: 'refund-differences.close',
  parameters: { differenceId: 'text', now: 'timestamptz' },
  text: `
    UPDATE refund_differences SET closed_at = coalesce(closed_at, :now) WHERE id = :differenceId
    RETURNING ${COLUMNS}`,
  row: DifferenceRecord,
})

/** How many are open, by processor and kind. */
export const countOpen = queryMany({
  name: 'refund-differences.count',
  text: `
    SELECT processor, kind, count(*)::int AS count FROM refund_differences
    WHERE closed_at IS NULL GROUP BY processor, kind`,
  row: z.object({ processor: z.string(), kind: RefundDifferenceKind, count: z.number() }),
})
