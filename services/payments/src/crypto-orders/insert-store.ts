import { appendedToOutbox, queryMany, type OutboxFields, type Queryable } from '@causeway/chassis'
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
    derivationIndex: number
    payerSealed: string
  }>

/** The result for a prepared order. `eligibility` is null when the partner has no such relationship. */
export type InsertOutcome = Readonly<{ inserted: boolean; eligibility: Eligibility | null }>

const PARAMETERS = {
  ids: 'text[]',
  partnerIds: 'text[]',
  partnerCustomerIds: 'text[]',
  merchantIds: 'text[]',
  references: 'text[]',
  networks: 'text[]',
  assets: 'text[]',
  amounts: 'text[]',
  networkFees: 'text?[]',
  totalsToSend: 'text[]',
  currencies: 'text[]',
  fiatAmounts: 'text[]',
  rates: 'text[]',
  ratesAtMs: 'float8[]',
  rateSources: 'text[]',
  derivationIndexes: 'bigint[]',
  addresses: 'text[]',
  watchAddresses: 'text[]',
  payersSealed: 'text[]',
  createdMs: 'float8[]',
  expiresMs: 'float8[]',
  eventIds: 'text[]',
  eventNames: 'text[]',
  eventPayloads: 'text[]',
  eventsCreatedMs: 'float8[]',
  eventTraceparents: 'text?[]',
  eventFacts: 'text?[]',
} as const

/** A batch as the statement takes it: an array a column. Times are milliseconds since the epoch, decimals are text. */
const columnsOf = (batch: readonly PreparedOrder[]) => {
  const orders = batch.map((prepared) => prepared.order)
  return {
    ids: orders.map((order) => order.id),
    partnerIds: orders.map((order) => order.partnerId),
    partnerCustomerIds: orders.map((order) => order.partnerCustomerId),
    merchantIds: orders.map((order) => order.merchantId),
    references: orders.map((order) => order.reference),
    networks: orders.map((order) => order.network),
    assets: orders.map((order) => order.asset),
    amounts: orders.map((order) => order.amount),
    networkFees: orders.map((order) => order.networkFee),
    totalsToSend: orders.map((order) => order.totalToSend),
    currencies: orders.map((order) => order.currency),
    fiatAmounts: orders.map((order) => order.fiatAmount),
    rates: batch.map((prepared) => prepared.rate),
    ratesAtMs: batch.map((prepared) => prepared.rateAt.getTime()),
    rateSources: batch.map((prepared) => prepared.rateSource),
    derivationIndexes: batch.map((prepared) => prepared.derivationIndex),
    addresses: orders.map((order) => order.address),
    watchAddresses: orders.map((order) => order.watchAddress),
    payersSealed: batch.map((prepared) => prepared.payerSealed),
    createdMs: orders.map((order) => order.createdAt.getTime()),
    expiresMs: orders.map((order) => order.expiresAt.getTime()),
    eventIds: batch.map((prepared) => prepared.eventId),
    eventNames: batch.map((prepared) => prepared.eventName),
    eventPayloads: batch.map((prepared) => prepared.eventPayload),
    eventsCreatedMs: batch.map((prepared) => prepared.eventCreatedAt.getTime()),
    eventTraceparents: batch.map((prepared) => prepared.eventTraceparent),
    eventFacts: batch.map((prepared) => prepared.eventFacts),
  }
}

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
  parameters: PARAMETERS,
  text: `
    WITH prepared AS MATERIALIZED (
      SELECT p.*, r.status AS relationship_status, c.enabled, c.available, c.reason
      FROM unnest(:ids, :partnerIds, :partnerCustomerIds, :merchantIds, :references, :networks, :assets, :amounts,
        :networkFees, :totalsToSend, :currencies, :fiatAmounts, :rates, :ratesAtMs, :rateSources, :derivationIndexes, :addresses,
        :watchAddresses, :payersSealed, :createdMs, :expiresMs, :eventIds, :eventNames, :eventPayloads,
        :eventsCreatedMs, :eventTraceparents, :eventFacts) WITH ORDINALITY
        AS p (id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount, network_fee,
          total_to_send, currency, fiat_amount, rate, rate_at_ms, rate_source, derivation_index, address, watch_address,
          payer_sealed, created_ms, expires_ms, event_id, event_name, event_payload, event_created_ms,
          event_traceparent, event_facts, n)
      LEFT JOIN relationships r
        ON r.partner_customer_id = p.partner_customer_id AND r.partner_id = p.partner_id
      LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.crypto')
        AS c (enabled boolean, available boolean, reason text) ON true
    ), inserted AS (
      INSERT INTO crypto_orders (
        id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount, network_fee,
        total_to_send, currency, fiat_amount, rate, rate_at, rate_source, derivation_index, address, watch_address,
        payer_sealed, status, created_at, expires_at, updated_at)
      SELECT id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount::numeric,
        network_fee::numeric, total_to_send::numeric, currency, fiat_amount, rate::numeric,
        to_timestamp(rate_at_ms / 1000.0), rate_source, derivation_index, address, watch_address, payer_sealed, 'pending',
        to_timestamp(created_ms / 1000.0), to_timestamp(expires_ms / 1000.0), to_timestamp(created_ms / 1000.0)
      FROM prepared WHERE relationship_status = 'active' AND enabled AND available ORDER BY n
      ON CONFLICT ON CONSTRAINT crypto_orders_reference DO NOTHING
      RETURNING id
    ), unwatched AS (
      INSERT INTO unwatched_orders (order_id, due_at) SELECT id, '-infinity' FROM inserted
    ), ${appendedToOutbox(`(
      SELECT event_id AS "eventId", event_name AS "eventName", event_payload AS "eventPayload",
        to_timestamp(event_created_ms / 1000.0) AS "eventCreatedAt", event_traceparent AS "eventTraceparent",
        event_facts AS "eventFacts"
      FROM prepared JOIN inserted USING (id)) AS event`)}
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
  const rows = await insertBatch(db, columnsOf(batch.toSorted(byReference)))
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
