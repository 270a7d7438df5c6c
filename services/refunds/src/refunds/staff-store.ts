import { queryMany, queryOne } from '@causeway/chassis'
import { RefundForStaff } from './refund.ts'

/** Selects validated refunds: one that only holds its order's slot may still be withdrawn without a trace. */
const SELECT = `
  SELECT id, partner_id, order_key::text, state, amount_cents, description, description_sealed, order_lines, source,
    partner_customer_id, order_id, currency, processor, processor_refund_id, attempts, created_at, completed_at
  FROM refunds`

/** Refunds of all partners that the processor has not answered, oldest first, after a position. */
export const listPending = queryMany({
  name: 'refunds.list-pending',
  parameters: { at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    ${SELECT} WHERE state IN ('sent', 'unknown') AND (created_at, id) > (:at, :id)
    ORDER BY created_at, id LIMIT :limit`,
  row: RefundForStaff,
})

export const findForStaff = queryOne({
  name: 'refunds.find-for-staff',
  parameters: { refundId: 'text' },
  text: `${SELECT} WHERE id = :refundId AND state <> 'requested'`,
  row: RefundForStaff,
})
