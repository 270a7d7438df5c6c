import { statement } from '@causeway/chassis'
import { FiatOrderStatus } from '@causeway/contracts'
import { z } from 'zod'
import { Standing } from '../relationships/eligibility.ts'

/**
 * Once a dispute. $1 id, $2 partner, $3 relationship, $4 merchant, $5 order, $6 its key, $7 processor, $8 dispute,
 * $9 order's total, $10 its currency, $11 fee, $12 fee's currency, $13 disputed amount, $14 its currency,
 * $15 disputed at, $16 keyed hash of the IP, $17 now
 */
export const insert = statement({
  name: 'chargebacks.insert',
  text: `
    INSERT INTO chargebacks (id, partner_id, partner_customer_id, merchant_id, order_id, order_key, processor,
      dispute_id, amount_cents, currency, fee_cents, fee_currency, dispute_amount_cents, dispute_currency,
      disputed_at, ip_mac, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
})

/** Which order has this dispute already. $1 processor, $2 dispute */
export const findDispute = statement({
  name: 'chargebacks.find-dispute',
  text: 'SELECT order_key AS "orderKey" FROM chargebacks WHERE processor = $1 AND dispute_id = $2',
  row: z.object({ orderKey: z.number() }),
})

const ChargebackRow = z.object({
  id: z.string(),
  orderKey: z.number(),
  processor: z.string(),
  orderStatus: FiatOrderStatus,
  amountCents: z.number(),
  currency: z.string(),
  feeCents: z.number().nullable(),
  feeCurrency: z.string().nullable(),
  disputeAmountCents: z.number().nullable(),
  disputeCurrency: z.string().nullable(),
  disputedAt: z.date().nullable(),
  createdAt: z.date(),
})
export type ChargebackRow = Readonly<z.infer<typeof ChargebackRow>>

const COLUMNS = `
  c.id, c.order_key AS "orderKey", c.processor, f.status AS "orderStatus", c.amount_cents AS "amountCents",
  c.currency, c.fee_cents AS "feeCents", c.fee_currency AS "feeCurrency",
  c.dispute_amount_cents AS "disputeAmountCents", c.dispute_currency AS "disputeCurrency",
  c.disputed_at AS "disputedAt", c.created_at AS "createdAt"`

/** Newest first. $1 partner, $2 relationship, $3 limit */
export const list = statement({
  name: 'chargebacks.list',
  text: `
    SELECT ${COLUMNS} FROM chargebacks c JOIN fiat_orders f ON f.id = c.order_id
    WHERE c.partner_id = $1 AND c.partner_customer_id = $2
    ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
  row: ChargebackRow,
})

/**
 * Of an order that the partner sees, with the capability granted. It begins at the partner's own chargebacks: found by
 * its key first, another's order took 19 µs longer than nobody's. $1 partner, $2 order key, $3 limit
 */
export const listByOrder = statement({
  name: 'chargebacks.list-by-order',
  text: `
    SELECT ${COLUMNS} FROM chargebacks c JOIN fiat_orders f ON f.id = c.order_id
    JOIN relationships r ON r.partner_customer_id = c.partner_customer_id AND r.partner_id = c.partner_id
    WHERE c.partner_id = $1 AND c.order_key = $2 AND r.status = 'active'
      AND (r.capabilities -> 'payments.fiat_card' ->> 'enabled')::boolean
    ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
  row: ChargebackRow,
})

/** How the relationship stands with the card capability. $1 partner, $2 relationship */
export const readStanding = statement({
  name: 'chargebacks.read-standing',
  text: `
    SELECT r.status, coalesce(c.enabled, false) AS enabled, coalesce(c.available, false) AS available, c.reason
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.fiat_card')
      AS c (enabled boolean, available boolean, reason text) ON true
    WHERE r.partner_id = $1 AND r.partner_customer_id = $2`,
  row: Standing,
})
