import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { OrderRecord } from './order.ts'
import { SignedRefund } from './signed-refund.ts'
import { ORDER_COLUMNS } from './store.ts'

const COLUMNS = `
  f.id, f.order_id, f.to_address, f.amount, f.sent_amount, f.network_fee, f.tx_id, f.status, f.failure,
  f.created_at`

/** The refund that did not fail comes first, of those that failed the newest. */
const CURRENT = `ORDER BY f.status = 'failed', f.created_at DESC, f.id DESC LIMIT 1`

/** The current refund of an order, or null. */
export const findRefund = queryOne({
  name: 'signed-refunds.find',
  parameters: { orderId: 'text' },
  text: `SELECT ${COLUMNS} FROM order_refunds f WHERE f.order_id = :orderId ${CURRENT}`,
  row: SignedRefund,
})

export const insertRefund = queryNone({
  name: 'signed-refunds.insert',
  parameters: {
    id: 'text',
    orderId: 'text',
    toAddress: 'text',
    amount: 'numeric',
    now: 'timestamptz',
    dueAt: 'timestamptz',
  },
  text: `
    INSERT INTO order_refunds (id, order_id, to_address, amount, status, created_at, updated_at, due_at)
    VALUES (:id, :orderId, :toAddress, :amount, 'requested', :now, :now, :dueAt)`,
})

/** Takes refunds whose signer is to be asked again; nobody else takes them before `leaseUntil`. */
export const claimDueRefunds = queryMany({
  name: 'signed-refunds.claim-due',
  parameters: { now: 'timestamptz', leaseUntil: 'timestamptz', limit: 'integer' },
  text: `
    UPDATE order_refunds f SET due_at = :leaseUntil
    WHERE f.id IN (
      SELECT id FROM order_refunds WHERE due_at <= :now ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    RETURNING ${COLUMNS}`,
  row: SignedRefund,
})

/** What the signer said of a refund that is not over; null when it is over already. */
export const updateRefund = queryOne({
  name: 'signed-refunds.update',
  parameters: {
    id: 'text',
    status: 'text',
    sentAmount: 'text?',
    networkFee: 'text?',
    txId: 'text?',
    failure: 'text?',
    now: 'timestamptz',
    dueAt: 'timestamptz?',
  },
  text: `
    UPDATE order_refunds f SET status = :status, sent_amount = :sentAmount, network_fee = :networkFee, tx_id = :txId,
      failure = :failure, updated_at = :now, due_at = :dueAt
    WHERE f.id = :id AND f.status NOT IN ('confirmed', 'failed') RETURNING ${COLUMNS}`,
  row: SignedRefund,
})

/** An order for its refund, with the number of its address; or null. */
export const findOrderForRefund = queryOne({
  name: 'signed-refunds.find-order',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS}, o.derivation_index FROM crypto_orders o WHERE o.id = :orderId`,
  row: OrderRecord.extend({ derivationIndex: z.number() }),
})

/** An order and its current refund, both of one moment; or null. */
export const findOrderWithRefund = queryOne({
  name: 'signed-refunds.find-with-order',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS}, o.refund_address, o.refunded_at, (
        SELECT to_json(newest) FROM (
          SELECT f.id, f.order_id AS "orderId", f.to_address AS "toAddress", f.amount::text AS amount,
            f.sent_amount AS "sentAmount", f.network_fee AS "networkFee", f.tx_id AS "txId", f.status, f.failure,
            f.created_at AS "createdAt"
          FROM order_refunds f WHERE f.order_id = o.id ${CURRENT}
        ) newest
      ) AS refund
    FROM crypto_orders o WHERE o.id = :orderId`,
  row: OrderRecord.extend({
    refundAddress: z.string().nullable(),
    refundedAt: z.date().nullable(),
    refund: SignedRefund.extend({ createdAt: z.coerce.date() }).nullable(),
  }),
})

/** The deposits that count for an order, by transaction and output: what a refund is paid from. */
export const listCountedDeposits = queryMany({
  name: 'signed-refunds.list-deposits',
  parameters: { orderId: 'text' },
  text: `
    SELECT tx_id, output_index FROM crypto_deposits WHERE order_id = :orderId AND counted_at IS NOT NULL
    ORDER BY tx_id, output_index LIMIT 500`,
  row: z.object({ txId: z.string(), outputIndex: z.number() }),
})
