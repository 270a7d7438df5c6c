import { queryMany } from '@causeway/chassis'
import { LatePaymentRow } from './domain.ts'

const SELECT = `
  SELECT 'lpm_' || substr(u.id, 5) AS id, u.id AS money_id, u.order_id, u.partner_id, u.partner_customer_id,
    u.merchant_id, o.reference, o.onramp_order_id, o.status AS order_status, u.network,
    split_part(u.unit, '/', 2) AS asset, u.amount, u.address, u.tx_id, u.block_number, u.received_at
  FROM unattributed_money u JOIN crypto_orders o ON o.id = u.order_id`

/** Late money of all partners that has not ended, for staff, oldest first, after a position. */
export const listLatePayments = queryMany({
  name: 'late-payments.page',
  parameters: { afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    ${SELECT} WHERE u.kind = 'late' AND u.status = 'open' AND (u.received_at, u.id) > (:afterAt, :afterId)
    ORDER BY u.received_at, u.id LIMIT :limit`,
  row: LatePaymentRow,
})

/** Rows of late money by their ids. */
export const findLatePayments = queryMany({
  name: 'late-payments.find',
  parameters: { ids: 'text[]' },
  text: `${SELECT} WHERE u.id = ANY (:ids) ORDER BY u.id`,
  row: LatePaymentRow,
})
