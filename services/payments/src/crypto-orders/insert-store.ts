import {
  appendedToOutbox,
  OUTBOX_FIELDS,
  queryMany,
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
    derivationIndex: number
    payerSealed: string
  }>

/** The result for a prepared order. `eligibility` is null when the partner has no such relationship. */
export type InsertOutcome = Readonly<{ inserted: boolean; eligibility: Eligibility | null }>

/**
 * Inserts a batch of orders in one statement, so that all share the cost of a commit: the statement checks each
 * relationship, inserts the new orders with their events in the outbox, and skips the others. Rows are locked in the
 * order of (partnerCustomerId, reference): two batches that share references never deadlock.
 *
 * The rows come as one JSON text: at 8 orders a batch 24 arrays cost 20 µs an order more (75 instead of 57 µs of this
 * process, 94 instead of 89 µs of PostgreSQL); at 64 orders both cost the same.
 */
const insertBatch = queryMany({
  name: 'orders.mint',
  parameters: { orders: 'json' },
  text: `
    WITH prepared AS MATERIALIZED (
      SELECT p.*, r.status AS relationship_status, c.enabled, c.available, c.reason
      FROM json_to_recordset(:orders) AS p (
        n int, id text, "partnerId" text, "partnerCustomerId" text, "merchantId" text, reference text,
        network text, asset text, amount numeric, "networkFee" numeric, "totalToSend" numeric, currency text,
        "fiatAmount" text, rate numeric, "rateAt" timestamptz, "derivationIndex" bigint, address text,
        "watchAddress" text, "payerSealed" text, "createdAt" timestamptz, "expiresAt" timestamptz,
        ${OUTBOX_FIELDS})
      LEFT JOIN relationships r
        ON r.partner_customer_id = p."partnerCustomerId" AND r.partner_id = p."partnerId"
      LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.crypto')
        AS c (enabled boolean, available boolean, reason text) ON true
    ), inserted AS (
      INSERT INTO crypto_orders (
        id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount, network_fee,
        total_to_send, currency, fiat_amount, rate, rate_at, derivation_index, address, watch_address,
        payer_sealed, status, created_at, expires_at, updated_at)
      SELECT id, "partnerId", "partnerCustomerId", "merchantId", reference, network, asset, amount, "networkFee",
        "totalToSend", currency, "fiatAmount", rate, "rateAt", "derivationIndex", address, "watchAddress",
        "payerSealed", 'pending', "createdAt", "expiresAt", "createdAt"
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

const toRow = ({ order, ...rest }: PreparedOrder, n: number) => ({ n, ...order, ...rest })

/** Inserts a batch of orders at once. Answers in the order of the batch. */
export const insertOrders = async (
  db: Queryable,
  batch: readonly PreparedOrder[],
): Promise<InsertOutcome[]> => {
  const rows = await insertBatch(db, { orders: JSON.stringify(batch.toSorted(byReference).map(toRow)) })
  const outcomes = new Map<string, InsertOutcome>()
  for (const { id, inserted, relationshipStatus: status, enabled, available, reason } of rows) {
    const eligibility = status && { status, enabled: enabled ?? false, available: available ?? false, reason }
    outcomes.set(id, { inserted, eligibility })
  }
  return batch.map(({ order }) => {
    const outcome = outcomes.get(order.id)
    if (!outcome) throw new Error(`Inserting a batch of orders gave no outcome for ${order.id}`)
    return outcome
  })
}
