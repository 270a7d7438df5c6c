import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { Standing } from '../relationships/eligibility.ts'
import type { OrderRecord } from './order.ts'

/** An order that may become one, with the event that tells of it. */
export type Draft = Readonly<{
  order: OrderRecord
  rate: string
  rateAt: Date
  derivationIndex: number
  payerSealed: string
  eventId: string
  eventName: string
  eventPayload: string
  traceparent: string | null
}>

/** What became of a draft. `standing` is null when the partner has no such relationship. */
export type Minted = Readonly<{ inserted: boolean; standing: Standing | null }>

/**
 * Mints a batch of orders in one statement, so that what a commit costs is shared: judges each relationship as it
 * stands in this very statement, inserts what is new with its event, and leaves the rest alone. Rows come sorted by
 * (partner_customer_id, reference), in which order they are locked: two batches never wait for each other in a ring.
 */
const mint = statement({
  name: 'orders.mint',
  text: `
    WITH draft AS MATERIALIZED (
      SELECT d.*, r.status AS standing, c.enabled, c.available, c.reason
      FROM json_to_recordset($1::json) AS d (
        n int, id text, "partnerId" text, "partnerCustomerId" text, "merchantId" text, reference text,
        network text, asset text, amount numeric, "networkFee" numeric, "totalToSend" numeric, currency text,
        "fiatAmount" text, rate numeric, "rateAt" timestamptz, "derivationIndex" bigint, address text,
        "watchAddress" text, "payerSealed" text, "createdAt" timestamptz, "expiresAt" timestamptz,
        "eventId" text, "eventName" text, "eventPayload" text, traceparent text)
      LEFT JOIN relationships r
        ON r.partner_customer_id = d."partnerCustomerId" AND r.partner_id = d."partnerId"
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
      FROM draft WHERE standing = 'active' AND enabled AND available ORDER BY n
      ON CONFLICT ON CONSTRAINT crypto_orders_reference DO NOTHING
      RETURNING id
    ), unwatched AS (
      INSERT INTO unwatched_orders (order_id, due_at) SELECT id, '-infinity' FROM inserted
    ), told AS (
      INSERT INTO outbox (event_id, subject, payload, created_at, traceparent)
      SELECT "eventId", "eventName", "eventPayload", "createdAt", traceparent FROM draft JOIN inserted USING (id)
    )
    SELECT n, inserted.id IS NOT NULL AS inserted, standing, enabled, available, reason
    FROM draft LEFT JOIN inserted USING (id)`,
  row: z.object({
    n: z.number(),
    inserted: z.boolean(),
    standing: Standing.shape.status.nullable(),
    enabled: z.boolean().nullable(),
    available: z.boolean().nullable(),
    reason: Standing.shape.reason,
  }),
})

const byReference = (a: Draft, b: Draft): number =>
  a.order.partnerCustomerId === b.order.partnerCustomerId
    ? compare(a.order.reference, b.order.reference)
    : compare(a.order.partnerCustomerId, b.order.partnerCustomerId)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const toRow = ({ order, ...draft }: Draft, n: number) => ({ n, ...order, ...draft })

/** Carries out a batch of creations at once. Answers in the order of the drafts. */
export const mintOrders = async (db: Queryable, drafts: readonly Draft[]): Promise<Minted[]> => {
  const sorted = drafts.toSorted(byReference)
  const rows = await db.query(mint, [JSON.stringify(sorted.map(toRow))])
  const outcomes = new Map<string, Minted>()
  for (const { n, inserted, standing, enabled, available, reason } of rows) {
    const draft = sorted[n]
    if (draft)
      outcomes.set(draft.order.id, {
        inserted,
        standing:
          standing === null
            ? null
            : { status: standing, enabled: enabled ?? false, available: available ?? false, reason },
      })
  }
  return drafts.map((draft) => {
    const outcome = outcomes.get(draft.order.id)
    if (!outcome) throw new Error(`The mint answered nothing for order ${draft.order.id}`)
    return outcome
  })
}
