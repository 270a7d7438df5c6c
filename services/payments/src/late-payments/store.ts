import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { LatePaymentRow } from './domain.ts'

const SELECT = `
  SELECT l.id, l.order_id, o.partner_id, o.partner_customer_id, o.merchant_id, o.reference, o.onramp_order_id,
    o.status AS order_status, l.network, d.asset, d.amount, o.address, l.tx_id, d.block_number, l.received_at
  FROM late_payments l JOIN crypto_deposits d USING (network, tx_id, output_index)
    JOIN crypto_orders o ON o.id = l.order_id`

const insert = queryNone({
  name: 'late-payments.insert',
  parameters: {
    id: 'text',
    orderId: 'text',
    network: 'text',
    txId: 'text',
    outputIndex: 'integer',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO late_payments (id, order_id, network, tx_id, output_index, received_at)
    VALUES (:id, :orderId, :network, :txId, :outputIndex, :now)`,
})

const find = queryOne({
  name: 'late-payments.find',
  parameters: { id: 'text' },
  text: `${SELECT} WHERE l.id = :id`,
  row: LatePaymentRow,
})

/** Late payments of all partners, for staff, oldest first, after a position. */
export const listLatePayments = queryMany({
  name: 'late-payments.page',
  parameters: { afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    ${SELECT} WHERE (l.received_at, l.id) > (:afterAt, :afterId)
    ORDER BY l.received_at, l.id LIMIT :limit`,
  row: LatePaymentRow,
})

type Deposit = Readonly<{ orderId: string; network: Network; txId: string; outputIndex: number }>

/** Records a stored deposit as late. @returns the record with what is known of its order */
export const insertLatePayment = async (
  tx: Queryable,
  id: string,
  deposit: Deposit,
  now: Date,
): Promise<LatePaymentRow> => {
  const { orderId, network, txId, outputIndex } = deposit
  await insert(tx, { id, orderId, network, txId, outputIndex, now })
  const row = await find(tx, { id })
  if (!row) throw new Error(`Late payment ${id} was inserted and cannot be found in its transaction`)
  return row
}
