import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { UnattributedMoneyKind } from '@causeway/contracts'
import { z } from 'zod'
import { RefundCoin, SignedRefund } from './signed-refund.ts'
import { ORDERS_FROM, REFUNDABLE_ORDER_COLUMNS, RefundableOrder } from '../crypto-orders/store.ts'

/** Columns of a refund `f` and its order `a`; unknown money has no order. */
const COLUMNS = `
  f.id, f.order_id, f.unattributed_money_id, coalesce(f.network, a.network) AS network,
  coalesce(f.asset, a.asset) AS asset,
  CASE WHEN f.from_address IS NULL THEN a.derivation_index ELSE f.key_index END AS key_index,
  coalesce(f.from_address, a.watch_address) AS from_address, f.to_address, f.amount, f.coins, f.sent_by_hand, f.sent_amount, f.network_fee, f.tx_id, f.tx_block, f.status, f.failure, f.created_at`

/** The refund that did not fail comes first, of those that failed the newest. */
const CURRENT = `ORDER BY f.status = 'failed', f.created_at DESC, f.id DESC LIMIT 1`

/** The current refund of what an order has received, or null. */
export const findRefund = queryOne({
  name: 'signed-refunds.find',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM order_refunds f JOIN crypto_orders a ON a.id = f.order_id
    WHERE f.order_id = :orderId AND f.unattributed_money_id IS NULL ${CURRENT}`,
  row: SignedRefund,
})

/** The current refund of an amount of unattributed money, or null. */
export const findRefundOfMoney = queryOne({
  name: 'signed-refunds.find-of-money',
  parameters: { unattributedMoneyId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM order_refunds f LEFT JOIN crypto_orders a ON a.id = f.order_id
    WHERE f.unattributed_money_id = :unattributedMoneyId ${CURRENT}`,
  row: SignedRefund,
})

/**
 * The refund that takes an amount of unattributed money, be it of this amount or of all that its order has received; else
 * the newest that failed to; or null.
 */
export const findRefundTakingMoney = queryOne({
  name: 'signed-refunds.find-taking-money',
  parameters: { unattributedMoneyId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM order_refunds f LEFT JOIN crypto_orders a ON a.id = f.order_id
    WHERE f.id IN (
      SELECT refund_id FROM unattributed_money WHERE id = :unattributedMoneyId
      UNION ALL SELECT id FROM order_refunds WHERE unattributed_money_id = :unattributedMoneyId
    ) ${CURRENT}`,
  row: SignedRefund,
})

export const findRefundById = queryOne({
  name: 'signed-refunds.find-by-id',
  parameters: { id: 'text' },
  text: `SELECT ${COLUMNS} FROM order_refunds f LEFT JOIN crypto_orders a ON a.id = f.order_id WHERE f.id = :id`,
  row: SignedRefund,
})

/** Columns of a refund's order `a`, and of its unattributed money `u`. */
const OWNER_COLUMNS = 'a.id AS order_id, a.partner_customer_id, u.kind'
const OWNER_FROM = `
  order_refunds f JOIN crypto_orders a ON a.id = f.order_id
    LEFT JOIN unattributed_money u ON u.id = f.unattributed_money_id`
const RefundOwner = z.object({
  orderId: z.string(),
  partnerCustomerId: z.string(),
  kind: UnattributedMoneyKind.nullable(),
})

/** The relationship whose order a refund belongs to, and the kind of the unattributed money; null of unknown money. */
export const findRefundOwner = queryOne({
  name: 'signed-refunds.find-owner',
  parameters: { id: 'text' },
  text: `SELECT ${OWNER_COLUMNS} FROM ${OWNER_FROM} WHERE f.id = :id`,
  row: RefundOwner,
})

/** The next refunds of orders that were sent, with their owners. */
export const listSentRefunds = queryMany({
  name: 'signed-refunds.list-sent',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS}, f.updated_at, a.partner_customer_id, u.kind FROM ${OWNER_FROM}
    WHERE f.id > :after AND f.status = 'confirmed' ORDER BY f.id LIMIT :limit`,
  row: SignedRefund.extend({
    updatedAt: z.date(),
    ...RefundOwner.shape,
  }),
})

export const insertRefund = queryNone({
  name: 'signed-refunds.insert',
  parameters: {
    id: 'text',
    orderId: 'text?',
    unattributedMoneyId: 'text?',
    network: 'text',
    asset: 'text',
    keyIndex: 'bigint?',
    fromAddress: 'text',
    toAddress: 'text',
    amount: 'numeric',
    coins: 'text',
    sentByHand: 'boolean',
    status: 'text',
    txId: 'text?',
    txBlock: 'bigint?',
    sentAmount: 'text?',
    networkFee: 'text?',
    now: 'timestamptz',
    dueAt: 'timestamptz?',
  },
  text: `
    INSERT INTO order_refunds (id, order_id, unattributed_money_id, network, asset, key_index, from_address, to_address,
      amount, coins, sent_by_hand, status, tx_id, tx_block, sent_amount, network_fee, created_at, updated_at, due_at)
    VALUES (:id, :orderId, :unattributedMoneyId, :network, :asset, :keyIndex, :fromAddress, :toAddress, :amount, :coins,
      :sentByHand, :status, :txId, :txBlock, :sentAmount, :networkFee, :now, :now, :dueAt)`,
})

/** Has requests that record refunds with the same transaction of a chain wait for each other until they end. */
export const lockTransactionId = queryOne({
  name: 'signed-refunds.lock-transaction-id',
  parameters: { txId: 'text' },
  text: 'SELECT count(pg_advisory_xact_lock(hashtextextended(:txId, 0)))::integer AS taken',
  row: z.object({ taken: z.number() }),
})

/** Sums what refunds that staff sent are recorded to have paid to an address by a transaction, in the asset. */
export const sumSentByHand = queryOne({
  name: 'signed-refunds.sum-sent-by-hand',
  parameters: { network: 'text', asset: 'text', txId: 'text', toAddress: 'text' },
  text: `
    SELECT coalesce(sum(coalesce(sent_amount::numeric, amount)), 0)::text AS amount FROM order_refunds
    WHERE tx_id = :txId AND tx_id IS NOT NULL AND sent_by_hand AND network = :network AND asset = :asset
      AND lower(to_address) = lower(:toAddress)`,
  row: z.object({ amount: z.string() }),
})

/** Claims refunds whose state is due at the signer, under a lease until `leaseUntil`. */
export const claimDueRefunds = queryMany({
  name: 'signed-refunds.claim-due',
  parameters: { now: 'timestamptz', leaseUntil: 'timestamptz', limit: 'integer' },
  text: `
    UPDATE order_refunds f SET due_at = :leaseUntil
    FROM (
      SELECT r.id AS refund_id, o.network, o.asset, o.derivation_index, o.watch_address
      FROM order_refunds r LEFT JOIN crypto_orders o ON o.id = r.order_id
      WHERE r.due_at <= :now ORDER BY r.due_at LIMIT :limit FOR UPDATE OF r SKIP LOCKED
    ) a
    WHERE f.id = a.refund_id RETURNING ${COLUMNS}`,
  row: SignedRefund,
})

/** Stores the signer's state of an open refund; null if it has ended already. */
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
    FROM order_refunds r LEFT JOIN crypto_orders a ON a.id = r.order_id
    WHERE f.id = :id AND r.id = :id AND f.status NOT IN ('confirmed', 'failed') RETURNING ${COLUMNS}`,
  row: SignedRefund,
})

/** An order and its current refund, both of one moment; or null. */
export const findOrderWithRefund = queryOne({
  name: 'signed-refunds.find-with-order',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${REFUNDABLE_ORDER_COLUMNS}, (
        SELECT to_json(newest) FROM (
          SELECT f.id, f.order_id AS "orderId", f.unattributed_money_id AS "unattributedMoneyId", a.network,
            coalesce(f.asset, a.asset) AS asset, a.derivation_index AS "keyIndex", a.watch_address AS "fromAddress",
            f.to_address AS "toAddress", f.amount::text AS amount, f.coins, f.sent_by_hand AS "sentByHand",
            f.sent_amount AS "sentAmount", f.network_fee AS "networkFee", f.tx_id AS "txId", f.tx_block AS "txBlock", f.status, f.failure,
            f.created_at AS "createdAt"
          FROM order_refunds f JOIN crypto_orders a ON a.id = f.order_id
          WHERE f.order_id = o.id AND f.unattributed_money_id IS NULL ${CURRENT}
        ) newest
      ) AS refund
    FROM ${ORDERS_FROM} WHERE o.id = :orderId`,
  row: RefundableOrder.extend({ refund: SignedRefund.nullable() }),
})

/** The deposits that count for an order, the largest first. */
export const listCountedDeposits = queryMany({
  name: 'signed-refunds.list-deposits',
  parameters: { orderId: 'text' },
  text: `
    SELECT tx_id, output_index, amount FROM crypto_deposits WHERE order_id = :orderId AND counted_at IS NOT NULL
    ORDER BY amount DESC, tx_id, output_index LIMIT 500`,
  row: RefundCoin.extend({ amount: z.string() }),
})
