import {
  appendedToOutbox,
  batchOf,
  EVENT_COLUMNS,
  queryMany,
  type BatchColumns,
  type OutboxFields,
  type Queryable,
} from '@causeway/chassis'
import { z } from 'zod'
import { Eligibility } from '../relationships/eligibility.ts'
import type { OrderRecord } from './order.ts'

/** A new order with all values of its row, and the event of its creation. */
export type PreparedOrder = OutboxFields &
  Readonly<{
    order: OrderRecord
    rate: string
    rateAt: Date
    rateSource: string
    /** The version of its price plan; null for the built-in terms. */
    priceVersionId: string | null
    derivationIndex: number
    /** Parts of its payment page that the partner stated. */
    page: Readonly<Record<'shopName' | 'description' | 'returnUrl', string | null>>
    payerSealed: string
  }>

/** The result for a prepared order. `eligibility` is null when the partner has no such relationship. */
export type InsertOutcome = Readonly<{ inserted: boolean; eligibility: Eligibility | null }>

const ORDER_COLUMNS = {
  id: ['text', ({ order }) => order.id],
  partnerId: ['text', ({ order }) => order.partnerId],
  partnerCustomerId: ['text', ({ order }) => order.partnerCustomerId],
  merchantId: ['text', ({ order }) => order.merchantId],
  reference: ['text', ({ order }) => order.reference],
  network: ['text', ({ order }) => order.network],
  asset: ['text', ({ order }) => order.asset],
  amount: ['decimal', ({ order }) => order.amount],
  networkFee: ['decimal?', ({ order }) => order.networkFee],
  totalToSend: ['decimal', ({ order }) => order.totalToSend],
  currency: ['text', ({ order }) => order.currency],
  fiatAmount: ['text', ({ order }) => order.fiatAmount],
  pricePlanVersionId: ['text?', ({ priceVersionId }) => priceVersionId],
  serviceFee: ['decimal', ({ order }) => order.serviceFee],
  serviceFeePercent: ['decimal', ({ order }) => String(order.serviceFeePercent)],
  serviceFeePayer: ['text', ({ order }) => order.serviceFeePayer],
  settlement: ['text', ({ order }) => order.settlement],
  rate: ['decimal', ({ rate }) => rate],
  rateAt: ['time', ({ rateAt }) => rateAt.getTime()],
  rateSource: ['text', ({ rateSource }) => rateSource],
  derivationIndex: ['bigint', ({ derivationIndex }) => derivationIndex],
  address: ['text', ({ order }) => order.address],
  watchAddress: ['text', ({ order }) => order.watchAddress],
  payerSealed: ['text', ({ payerSealed }) => payerSealed],
  shopName: ['text?', ({ page }) => page.shopName],
  description: ['text?', ({ page }) => page.description],
  returnUrl: ['text?', ({ page }) => page.returnUrl],
  createdAt: ['time', ({ order }) => order.createdAt.getTime()],
  expiresAt: ['time', ({ order }) => order.expiresAt.getTime()],
} satisfies BatchColumns<PreparedOrder>

const ORDERS = batchOf<PreparedOrder>()('order', ORDER_COLUMNS)
const PREPARED = batchOf<PreparedOrder>()('prepared', { ...ORDER_COLUMNS, ...EVENT_COLUMNS })

/**
 * Inserts a batch of orders in one statement, so that all share the cost of a commit: the statement checks each
 * relationship, inserts the new orders with their events in the outbox, and skips the others. Rows are locked in the
 * order of (partnerCustomerId, reference): two batches that share references never deadlock.
 *
 * The rows come as arrays in binary: as one JSON text they cost PostgreSQL 99 instead of 80 µs an order in batches of
 * 8, and 88 instead of 64 in batches of 32.
 */
const insertBatch = queryMany({
  name: 'orders.insert-batch',
  parameters: PREPARED.parameters,
  text: `
    WITH prepared AS MATERIALIZED (
      SELECT p.*, r.status AS relationship_status, c.enabled, c.available, c.reason
      FROM ${PREPARED.from('p', { numbered: true })}
      LEFT JOIN relationships r
        ON r.partner_customer_id = p.partner_customer_id AND r.partner_id = p.partner_id
      LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.crypto')
        AS c (enabled boolean, available boolean, reason text) ON true
    ), inserted AS (
      INSERT INTO crypto_orders (${ORDERS.names}, status, updated_at)
      SELECT ${ORDERS.names}, 'pending', created_at
      FROM prepared WHERE relationship_status = 'active' AND enabled AND available ORDER BY n
      ON CONFLICT ON CONSTRAINT crypto_orders_reference DO NOTHING
      RETURNING id
    ), unwatched AS (
      INSERT INTO unwatched_orders (order_id, due_at) SELECT id, '-infinity' FROM inserted
    ), ${appendedToOutbox('prepared JOIN inserted USING (id)')}
    SELECT id, inserted.id IS NOT NULL AS inserted, relationship_status, enabled, available, reason
    FROM prepared LEFT JOIN inserted USING (id)`,
  row: z.object({
    id: z.string(),
    inserted: z.boolean(),
    relationshipStatus: Eligibility.shape.status.nullable(),
    enabled: z.boolean().nullable(),
    available: z.boolean().nullable(),
    reason: Eligibility.shape.reason,
  }),
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byReference = ({ order: a }: PreparedOrder, { order: b }: PreparedOrder): number =>
  compare(a.partnerCustomerId, b.partnerCustomerId) || compare(a.reference, b.reference)

/** Inserts a batch of orders together. Results are in the order of the batch. */
export const insertOrders = async (
  db: Queryable,
  batch: readonly PreparedOrder[],
): Promise<InsertOutcome[]> => {
  const rows = await insertBatch(db, PREPARED.values(batch.toSorted(byReference)))
  const outcomes = new Map<string, InsertOutcome>()
  for (const { id, inserted, relationshipStatus: status, enabled, available, reason } of rows) {
    const eligibility = status && { status, enabled: enabled ?? false, available: available ?? false, reason }
    outcomes.set(id, { inserted, eligibility })
  }
  return batch.map(({ order }) => {
    const outcome = outcomes.get(order.id)
    if (!outcome) throw new Error(`The insertion of a batch of orders returned no outcome for ${order.id}`)
    return outcome
  })
}
