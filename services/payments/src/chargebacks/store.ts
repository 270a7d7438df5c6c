import { queryMany } from '@causeway/chassis'
import { FiatOrderStatus } from '@causeway/contracts'
import { z } from 'zod'

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
  c.id, c.order_key, c.processor, f.status AS order_status, c.amount_cents, c.currency, c.fee_cents, c.fee_currency,
  c.dispute_amount_cents, c.dispute_currency, c.disputed_at, c.created_at`

/** Newest first. */
export const list = queryMany({
  name: 'chargebacks.list',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS} FROM chargebacks c JOIN fiat_orders f ON f.id = c.order_id
    WHERE c.partner_id = :partnerId AND c.partner_customer_id = :partnerCustomerId
    ORDER BY c.created_at DESC, c.id DESC LIMIT :limit`,
  row: ChargebackRow,
})

/**
 * Lists the chargebacks of an order that the partner sees, with the capability granted. The statement starts at the partner's
 * chargebacks: starting at the order's key took 19 µs longer for another partner's order than for an unknown one.
 */
export const listByOrder = queryMany({
  name: 'chargebacks.list-by-order',
  parameters: { partnerId: 'text', orderKey: 'bigint', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS} FROM chargebacks c JOIN fiat_orders f ON f.id = c.order_id
    JOIN relationships r ON r.partner_customer_id = c.partner_customer_id AND r.partner_id = c.partner_id
    WHERE c.partner_id = :partnerId AND c.order_key = :orderKey AND r.status = 'active'
      AND (r.capabilities -> 'payments.fiat_card' ->> 'enabled')::boolean
    ORDER BY c.created_at DESC, c.id DESC LIMIT :limit`,
  row: ChargebackRow,
})
