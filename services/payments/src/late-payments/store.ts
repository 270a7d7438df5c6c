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
    INSERT INTO late_payments AS known (id, order_id, network, tx_id, output_index, received_at)
    VALUES (:id, :orderId, :network, :txId, :outputIndex, :now)
    ON CONFLICT ON CONSTRAINT late_payments_deposit DO UPDATE
      SET id = excluded.id, received_at = excluded.received_at, reverted_at = NULL WHERE known.reverted_at IS NOT NULL`,
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
    ${SELECT} WHERE (l.received_at, l.id) > (:afterAt, :afterId) AND l.reverted_at IS NULL
    ORDER BY l.received_at, l.id LIMIT :limit`,
  row: LatePaymentRow,
})

const revert = queryNone({
  name: 'late-payments.revert',
  parameters: { networks: 'text[]', txIds: 'text[]', outputIndexes: 'integer[]', now: 'timestamptz' },
  text: `
    UPDATE late_payments SET reverted_at = :now
    WHERE (network, tx_id, output_index) IN (SELECT * FROM unnest(:networks, :txIds, :outputIndexes))`,
})

/** Takes late payments whose deposits the chain has taken back off the list. */
export const revertLatePayments = (tx: Queryable, deposits: readonly Deposit[], now: Date): Promise<void> =>
  revert(tx, {
    networks: deposits.map((deposit) => deposit.network),
    txIds: deposits.map((deposit) => deposit.txId),
    outputIndexes: deposits.map((deposit) => deposit.outputIndex),
    now,
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
