import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { Purchase } from './purchase.ts'

const PARAMETERS = {
  id: 'text',
  partnerId: 'text',
  partnerCustomerId: 'text',
  merchantId: 'text',
  orderId: 'text',
  startedBy: 'text',
  provider: 'text',
  providerOrderId: 'text?',
  status: 'text',
  changedAt: 'timestamptz',
  outcome: 'text?',
  fiat: 'text',
  fiatAmount: 'text?',
  crypto: 'text',
  cryptoAmount: 'text',
  blockchain: 'text',
  address: 'text',
  returnUrl: 'text?',
  checkoutUrl: 'text?',
  orderStatusUrl: 'text?',
  orderType: 'text?',
  transactionHash: 'text?',
  cryptoOrderExpiresAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  extendAt: 'timestamptz',
  capAt: 'timestamptz',
  extendedAt: 'timestamptz?',
  pendingAction: 'text?',
  abandonedAt: 'timestamptz?',
  dueAt: 'timestamptz?',
  pollAt: 'timestamptz?',
} as const satisfies Record<keyof Purchase, string>
const FIELDS = Object.keys(PARAMETERS) as (keyof Purchase)[]

/** Columns that are named otherwise than their fields. */
const OTHER_COLUMNS: Partial<Record<keyof Purchase, string>> = {
  pendingAction: 'todo',
  cryptoOrderExpiresAt: 'invoice_expires_at',
}
const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const columnOf = (field: keyof Purchase): string => OTHER_COLUMNS[field] ?? snakeCase(field)
const COLUMNS = FIELDS.map((field) => `o.${columnOf(field)} AS ${snakeCase(field)}`).join(', ')
const LIVE = `(o.outcome IS NULL OR o.outcome = 'success')`

/** Inserts a purchase in its order's only slot; null when another one holds it. */
export const insertPurchase = queryOne({
  name: 'purchases.insert',
  parameters: PARAMETERS,
  text: `
    INSERT INTO onramp_orders (${FIELDS.map(columnOf).join(', ')})
    VALUES (${FIELDS.map((field) => `:${field}`).join(', ')})
    ON CONFLICT (order_id) WHERE outcome IS NULL OR outcome = 'success' DO NOTHING RETURNING id`,
  row: z.object({ id: z.string() }),
})

export const updatePurchase = queryNone({
  name: 'purchases.save',
  parameters: PARAMETERS,
  text: `
    UPDATE onramp_orders
    SET ${FIELDS.filter((field) => field !== 'id' && field !== 'partnerId')
      .map((field) => `${columnOf(field)} = :${field}`)
      .join(', ')}
    WHERE id = :id AND partner_id = :partnerId`,
})

export const findLivePurchase = queryOne({
  name: 'purchases.find-live',
  parameters: { partnerId: 'text', orderId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM onramp_orders o
    WHERE o.partner_id = :partnerId AND o.order_id = :orderId AND ${LIVE}`,
  row: Purchase,
})

/** The newest purchase of an order that its provider has answered. */
export const findLatestPurchase = queryOne({
  name: 'purchases.find-latest',
  parameters: { partnerId: 'text', orderId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM onramp_orders o
    WHERE o.partner_id = :partnerId AND o.order_id = :orderId AND o.provider_order_id IS NOT NULL
    ORDER BY o.created_at DESC LIMIT 1`,
  row: Purchase,
})

export const lockPurchase = queryOne({
  name: 'purchases.lock',
  parameters: { id: 'text', partnerId: 'text' },
  text: `SELECT ${COLUMNS} FROM onramp_orders o WHERE o.id = :id AND o.partner_id = :partnerId FOR UPDATE`,
  row: Purchase,
})

/** Finds by the provider's id, or by ours while the creation has no answer. */
export const findPurchaseOfProvider = queryOne({
  name: 'purchases.find-told',
  parameters: { provider: 'text', providerOrderId: 'text', onrampOrderId: 'text?' },
  text: `
    SELECT ${COLUMNS} FROM onramp_orders o
    WHERE o.provider = :provider AND o.provider_order_id = :providerOrderId
    UNION ALL
    SELECT ${COLUMNS} FROM onramp_orders o
    WHERE o.provider = :provider AND o.id = :onrampOrderId AND o.provider_order_id IS NULL`,
  row: Purchase,
})

/**
 * Marks a purchase that its provider has not answered as abandoned, which frees its order's slot; null when it has
 * answered in the meantime, or is marked already.
 */
export const markAbandoned = queryOne({
  name: 'purchases.abandon',
  parameters: { id: 'text', partnerId: 'text', now: 'timestamptz', dueAt: 'timestamptz' },
  text: `
    UPDATE onramp_orders SET outcome = 'failure', abandoned_at = :now, updated_at = :now, due_at = :dueAt, poll_at = NULL
    WHERE id = :id AND partner_id = :partnerId AND provider_order_id IS NULL AND abandoned_at IS NULL
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

export const deleteAbandoned = queryNone({
  name: 'purchases.remove',
  parameters: { id: 'text', partnerId: 'text' },
  text: 'DELETE FROM onramp_orders WHERE id = :id AND partner_id = :partnerId AND abandoned_at IS NOT NULL',
})

/**
 * The ids go through an array, so that a plan that knows no limit still looks each of them up: joined, a batch of 50
 * read the whole table (131 ms at 100,000 open orders).
 */
const claim = (name: string, column: 'due_at' | 'poll_at') =>
  queryMany({
    name,
    parameters: { now: 'timestamptz', limit: 'integer', leaseUntil: 'timestamptz' },
    text: `
      UPDATE onramp_orders o SET ${column} = :leaseUntil
      WHERE o.id = ANY (ARRAY(
        SELECT id FROM onramp_orders WHERE ${column} <= :now ORDER BY ${column} LIMIT :limit FOR UPDATE SKIP LOCKED))
      RETURNING ${COLUMNS}`,
    row: Purchase,
  })
/** Claims purchases with a step due, until `leaseUntil`: after that, if this process died, another claims them. */
export const claimDue = claim('purchases.claim-due', 'due_at')
/** Claims purchases whose provider is due to be polled, in the same way. */
export const claimUnnotified = claim('purchases.claim-silent', 'poll_at')

/** When the provider of a purchase that is still open is polled again. */
export const postponePoll = queryNone({
  name: 'purchases.postpone-poll',
  parameters: { id: 'text', partnerId: 'text', pollAt: 'timestamptz' },
  text: `
    UPDATE onramp_orders SET poll_at = :pollAt
    WHERE id = :id AND partner_id = :partnerId AND outcome IS NULL`,
})

/** When a step that failed is tried again. */
export const postponeStep = queryNone({
  name: 'purchases.retry',
  parameters: { id: 'text', partnerId: 'text', dueAt: 'timestamptz' },
  text: 'UPDATE onramp_orders SET due_at = :dueAt WHERE id = :id AND partner_id = :partnerId AND due_at IS NOT NULL',
})
