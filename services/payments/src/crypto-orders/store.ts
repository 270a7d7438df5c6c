import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { Eligibility } from '../relationships/eligibility.ts'
import { OrderRecord } from './order.ts'

/** Columns of `OrderRecord`; `o` is the alias of `crypto_orders`. */
export const ORDER_COLUMNS = `
  o.id, o.partner_id, o.partner_customer_id, o.merchant_id, o.reference, o.network, o.asset, o.amount, o.network_fee,
  o.total_to_send, o.currency, o.fiat_amount, o.service_fee, o.service_fee_percent, o.service_fee_payer, o.settlement,
  o.address, o.watch_address, o.status, o.received, o.created_at, o.expires_at`

/** Orders with the relationship that each belongs to, as `r`. */
export const ORDERS_FROM = 'crypto_orders o JOIN relationships r USING (partner_customer_id, partner_id)'

/** A locked order, and whether its partner still sees it: after a revocation it receives no events. */
export const LockedOrder = OrderRecord.extend({ partnerSees: z.boolean() })
export type LockedOrder = Readonly<z.infer<typeof LockedOrder>>
export const LOCKED_ORDER_COLUMNS = `${ORDER_COLUMNS}, r.status = 'active' AS partner_sees`

/** The order that holds a reference, or null. */
export const findOrderByReference = queryOne({
  name: 'orders.find-by-reference',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', reference: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM crypto_orders o
    WHERE o.partner_id = :partnerId AND o.partner_customer_id = :partnerCustomerId AND o.reference = :reference`,
  row: OrderRecord,
})

/** An order of this partner whose relationship is active, or null. */
export const findVisibleOrder = queryOne({
  name: 'orders.find-visible',
  parameters: { orderId: 'text', partnerId: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id = :orderId AND o.partner_id = :partnerId AND r.status = 'active'`,
  row: OrderRecord,
})

/** Any order: for its QR image and its buyer, who have the order's unguessable id. */
export const findPublicOrder = queryOne({
  name: 'orders.find-by-id',
  parameters: { orderId: 'text' },
  text: `SELECT ${ORDER_COLUMNS} FROM crypto_orders o WHERE o.id = :orderId`,
  row: OrderRecord,
})

/** As `findVisibleOrder`, with the row locked to the end of the transaction. */
export const lockVisibleOrder = queryOne({
  name: 'orders.lock-visible',
  parameters: { orderId: 'text', partnerId: 'text' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id = :orderId AND o.partner_id = :partnerId AND r.status = 'active' FOR UPDATE OF o`,
  row: OrderRecord,
})

export const updateOrderStatus = queryNone({
  name: 'orders.set-status',
  parameters: { orderId: 'text', partnerId: 'text', status: 'text', now: 'timestamptz' },
  text: `
    UPDATE crypto_orders SET status = :status, updated_at = :now
    WHERE id = :orderId AND partner_id = :partnerId`,
})

/** SQL: the reversal `r` of a deposit `d` that counted once and is in no block. */
const REVERSAL = `
  LEFT JOIN LATERAL (
    SELECT r.order_id FROM deposit_reversals r
    WHERE d.block_number IS NULL AND r.order_id = d.order_id AND r.network = d.network AND r.tx_id = d.tx_id
      AND r.output_index = d.output_index
    LIMIT 1
  ) r ON true`
/** SQL: deposits of an order `o` that do not count yet, or that counted, were reverted and are in no block. */
const UNCOUNTED = `
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(d.amount) FILTER (WHERE r.order_id IS NULL), 0) AS unconfirmed,
      coalesce(sum(d.amount) FILTER (WHERE r.order_id IS NOT NULL), 0) AS reverted
    FROM crypto_deposits d
    ${REVERSAL}
    WHERE d.order_id = o.id AND d.asset = o.asset AND d.counted_at IS NULL
  ) uncounted`
const UncountedRow = { unconfirmed: z.string(), reverted: z.string() }

const BuyersDeposit = z.object({
  txId: z.string(),
  amount: z.string(),
  confirmations: z.number(),
  countedAt: z.coerce.date().nullable(),
})

/** An order as its buyer reads it, with its newest deposits: its id, which nobody can guess, is the credential. */
export const findOrderByBuyer = queryOne({
  name: 'orders.find-by-buyer',
  parameters: { orderId: 'text', limit: 'integer' },
  text: `
    SELECT ${ORDER_COLUMNS}, o.rate, o.shop_name, o.description, o.return_url, uncounted.*,
      coalesce((
        SELECT json_agg(json_build_object('txId', d.tx_id, 'amount', d.amount::text, 'confirmations', d.confirmations,
          'countedAt', d.counted_at) ORDER BY d.counted_at NULLS LAST, d.tx_id, d.output_index)
        FROM (
          SELECT d.* FROM crypto_deposits d ${REVERSAL}
          WHERE d.order_id = o.id AND d.asset = o.asset AND (d.counted_at IS NOT NULL OR r.order_id IS NULL)
          ORDER BY d.counted_at DESC NULLS FIRST, d.tx_id, d.output_index LIMIT :limit
        ) d
      ), '[]') AS deposits
    FROM crypto_orders o ${UNCOUNTED} WHERE o.id = :orderId`,
  row: OrderRecord.extend({
    ...UncountedRow,
    rate: z.string(),
    shopName: z.string().nullable(),
    description: z.string().nullable(),
    returnUrl: z.string().nullable(),
    deposits: z.array(BuyersDeposit),
  }),
})

/** Reads the parts of these orders that change while buyers view them. */
export const listOrderStates = queryMany({
  name: 'orders.list-states',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT o.id, o.status, o.received, o.expires_at, uncounted.*
    FROM crypto_orders o ${UNCOUNTED} WHERE o.id = ANY (:orderIds)`,
  row: OrderRecord.pick({ id: true, status: true, received: true, expiresAt: true }).extend(UncountedRow),
})

const RELATIONSHIP = {
  relationshipStatus: Eligibility.shape.status,
  ...Eligibility.omit({ status: true }).shape,
}

/** The relationship's eligibility in every row, with an order unless the page is empty or refused. */
const listRows = queryMany({
  name: 'orders.page',
  parameters: {
    partnerCustomerId: 'text',
    partnerId: 'text',
    beforeAt: 'timestamptz',
    beforeId: 'text',
    limit: 'integer',
  },
  text: `
    SELECT r.status AS relationship_status, c.enabled, c.available, c.reason, o.*
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.crypto')
      AS c (enabled boolean, available boolean, reason text) ON true
    LEFT JOIN LATERAL (
      SELECT ${ORDER_COLUMNS} FROM crypto_orders o
      WHERE r.status = 'active' AND c.enabled AND o.partner_customer_id = r.partner_customer_id
        AND o.partner_id = r.partner_id AND (o.created_at, o.id) < (:beforeAt, :beforeId)
      ORDER BY o.created_at DESC, o.id DESC LIMIT :limit
    ) o ON true
    WHERE r.partner_customer_id = :partnerCustomerId AND r.partner_id = :partnerId`,
  row: z.union([OrderRecord.extend(RELATIONSHIP), z.object({ id: z.null(), ...RELATIONSHIP })]),
})

/** A page of a list: the relationship's eligibility (null: unknown) and its orders, newest first. */
export type OrderPage = Readonly<{ eligibility: Eligibility | null; orders: readonly OrderRecord[] }>

/** The orders of a relationship older than a position; none unless it is active and granted `payments.crypto`. */
export const listOrders = async (db: Queryable, page: Parameters<typeof listRows>[1]): Promise<OrderPage> => {
  const rows = await listRows(db, page)
  const [first] = rows
  if (!first) return { eligibility: null, orders: [] }
  const { relationshipStatus: status, enabled, available, reason } = first
  return {
    eligibility: { status, enabled, available, reason },
    orders: rows.filter((row) => row.id !== null),
  }
}

/** Those of these orders that their partner may see now, newest first: ids are in the order of time. */
export const listVisibleOrders = queryMany({
  name: 'orders.list-visible',
  parameters: { partnerId: 'text', orderIds: 'text[]' },
  text: `
    SELECT ${ORDER_COLUMNS} FROM crypto_orders o
    JOIN relationships r ON r.partner_customer_id = o.partner_customer_id AND r.partner_id = o.partner_id
    WHERE o.partner_id = :partnerId AND o.id = ANY (:orderIds) AND r.status = 'active'
      AND (r.capabilities -> 'payments.crypto' -> 'enabled')::boolean
    ORDER BY o.id DESC`,
  row: OrderRecord,
})

/** Locks pending orders that are due to expire and that no onramp order holds; skips those that a replica has locked. */
export const lockDueOrders = queryMany({
  name: 'orders.lock-due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT ${LOCKED_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.status = 'pending' AND o.onramp_order_id IS NULL AND o.expires_at <= :now
    ORDER BY o.expires_at LIMIT :limit FOR UPDATE OF o SKIP LOCKED`,
  row: LockedOrder,
})

export const expireOrders = queryNone({
  name: 'orders.expire',
  parameters: { orderIds: 'text[]', partnerIds: 'text[]', now: 'timestamptz' },
  text: `
    UPDATE crypto_orders o SET status = 'expired', updated_at = :now
    FROM unnest(:orderIds, :partnerIds) AS d (id, partner_id)
    WHERE o.id = d.id AND o.partner_id = d.partner_id`,
})

/** An order for its refund, with the number of its address and the refund that is on record. */
export const RefundableOrder = LockedOrder.extend({
  derivationIndex: z.number(),
  refundAddress: z.string().nullable(),
  refundedAt: z.date().nullable(),
})
export type RefundableOrder = Readonly<z.infer<typeof RefundableOrder>>
export const REFUNDABLE_ORDER_COLUMNS = `${LOCKED_ORDER_COLUMNS}, o.derivation_index, o.refund_address, o.refunded_at`

/** Any order for staff, its row locked; or null. */
export const lockOrderForRefund = queryOne({
  name: 'order-refunds.lock',
  parameters: { orderId: 'text' },
  text: `
    SELECT ${REFUNDABLE_ORDER_COLUMNS} FROM ${ORDERS_FROM}
    WHERE o.id = :orderId FOR UPDATE OF o`,
  row: RefundableOrder,
})

export const recordOrderRefund = queryNone({
  name: 'order-refunds.record',
  parameters: { orderId: 'text', partnerId: 'text', toAddress: 'text', now: 'timestamptz' },
  text: `
    UPDATE crypto_orders SET status = 'refunded', refund_address = :toAddress, refunded_at = :now, updated_at = :now
    WHERE id = :orderId AND partner_id = :partnerId`,
})
