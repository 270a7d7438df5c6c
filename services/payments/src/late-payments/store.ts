import { statement, type Queryable } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { LatePaymentRow } from './domain.ts'

const SELECT = `
  SELECT l.id, l.order_id AS "orderId", o.partner_id AS "partnerId", o.partner_customer_id AS "partnerCustomerId",
    o.merchant_id AS "merchantId", o.reference, o.onramp_order_id AS "onrampOrderId", o.status AS "orderStatus",
    l.network, d.asset, d.amount, o.address, l.tx_id AS "txId", d.block_number AS "blockNumber",
    l.received_at AS "receivedAt"
  FROM late_payments l JOIN crypto_deposits d USING (network, tx_id, output_index)
    JOIN crypto_orders o ON o.id = l.order_id`

const insert = statement({
  name: 'late-payments.insert',
  text: `
    INSERT INTO late_payments (id, order_id, network, tx_id, output_index, received_at)
    VALUES ($1, $2, $3, $4, $5, $6)`,
})

const find = statement({
  name: 'late-payments.find',
  text: `${SELECT} WHERE l.id = $1`,
  row: LatePaymentRow,
})

/** For staff: of all partners. $1 and $2 after this time and id, $3 limit */
const page = statement({
  name: 'late-payments.page',
  text: `${SELECT} WHERE (l.received_at, l.id) > ($1, $2) ORDER BY l.received_at, l.id LIMIT $3`,
  row: LatePaymentRow,
})

type Deposit = Readonly<{ orderId: string; network: Network; txId: string; outputIndex: number }>

/** Records a kept deposit as late. @returns the record with what is known of its order */
export const recordLatePayment = async (
  tx: Queryable,
  id: string,
  deposit: Deposit,
  now: Date,
): Promise<LatePaymentRow> => {
  const { orderId, network, txId, outputIndex } = deposit
  await tx.query(insert, [id, orderId, network, txId, outputIndex, now])
  const [row] = await tx.query(find, [id])
  if (!row) throw new Error('A late payment has vanished in its own transaction')
  return row
}

export const pageOfLatePayments = (
  db: Queryable,
  after: Readonly<{ at: string; id: string }>,
  limit: number,
): Promise<LatePaymentRow[]> => db.query(page, [after.at, after.id, limit])
