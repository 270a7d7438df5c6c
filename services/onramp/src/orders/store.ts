import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'
import { Purchase } from './purchase.ts'

const NAMES: Readonly<Record<keyof Purchase, string>> = {
  id: 'id',
  partnerId: 'partner_id',
  partnerCustomerId: 'partner_customer_id',
  merchantId: 'merchant_id',
  orderId: 'order_id',
  provider: 'provider',
  providerOrderId: 'provider_order_id',
  status: 'status',
  changedAt: 'changed_at',
  outcome: 'outcome',
  fiat: 'fiat',
  fiatAmount: 'fiat_amount',
  crypto: 'crypto',
  cryptoAmount: 'crypto_amount',
  blockchain: 'blockchain',
  address: 'address',
  returnUrl: 'return_url',
  checkoutUrl: 'checkout_url',
  orderStatusUrl: 'order_status_url',
  orderType: 'order_type',
  transactionHash: 'transaction_hash',
  invoiceExpiresAt: 'invoice_expires_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  extendAt: 'extend_at',
  capAt: 'cap_at',
  extendedAt: 'extended_at',
  todo: 'todo',
  dueAt: 'due_at',
  pollAt: 'poll_at',
}
const FIELDS = Object.keys(NAMES) as (keyof Purchase)[]
const COLUMNS = FIELDS.map((field) => `o.${NAMES[field]} AS "${field}"`).join(', ')
const LIVE = `(o.outcome IS NULL OR o.outcome = 'success')`
const values = (purchase: Purchase): unknown[] => FIELDS.map((field) => purchase[field])

const insert = statement({
  name: 'purchases.insert',
  text: `
    INSERT INTO onramp_orders (${FIELDS.map((field) => NAMES[field]).join(', ')})
    VALUES (${FIELDS.map((_, at) => `$${at + 1}`).join(', ')})
    ON CONFLICT (order_id) WHERE outcome IS NULL OR outcome = 'success' DO NOTHING RETURNING id`,
  row: z.object({ id: z.string() }),
})

const save = statement({
  name: 'purchases.save',
  text: `
    UPDATE onramp_orders SET ${FIELDS.slice(2)
      .map((field, at) => `${NAMES[field]} = $${at + 3}`)
      .join(', ')}
    WHERE id = $1 AND partner_id = $2`,
})

const findLive = statement({
  name: 'purchases.find-live',
  text: `SELECT ${COLUMNS} FROM onramp_orders o WHERE o.partner_id = $1 AND o.order_id = $2 AND ${LIVE}`,
  row: Purchase,
})

const findLatest = statement({
  name: 'purchases.find-latest',
  text: `
    SELECT ${COLUMNS} FROM onramp_orders o
    WHERE o.partner_id = $1 AND o.order_id = $2 AND o.provider_order_id IS NOT NULL
    ORDER BY o.created_at DESC LIMIT 1`,
  row: Purchase,
})

const lock = statement({
  name: 'purchases.lock',
  text: `SELECT ${COLUMNS} FROM onramp_orders o WHERE o.id = $1 AND o.partner_id = $2 FOR UPDATE`,
  row: Purchase,
})

/** By the provider's id, or by ours while the answer to the creation is still out. */
const findTold = statement({
  name: 'purchases.find-told',
  text: `
    SELECT ${COLUMNS} FROM onramp_orders o WHERE o.provider = $1 AND o.provider_order_id = $2
    UNION ALL
    SELECT ${COLUMNS} FROM onramp_orders o WHERE o.provider = $1 AND o.id = $3 AND o.provider_order_id IS NULL`,
  row: Purchase,
})

const remove = statement({
  name: 'purchases.remove',
  text: 'DELETE FROM onramp_orders WHERE id = $1 AND partner_id = $2 AND provider_order_id IS NULL RETURNING id',
  row: z.object({ id: z.string() }),
})

/** Reserves the invoice's only place. @returns false when another purchase has it */
export const reservePurchase = async (db: Queryable, purchase: Purchase): Promise<boolean> =>
  (await db.query(insert, values(purchase))).length === 1

export const savePurchase = (tx: Queryable, purchase: Purchase): Promise<unknown> =>
  tx.query(save, values(purchase))

export const findLivePurchase = async (
  db: Queryable,
  partnerId: string,
  orderId: string,
): Promise<Purchase | null> => (await db.query(findLive, [partnerId, orderId]))[0] ?? null

/** The newest purchase of an order that its provider has answered, or null. */
export const findLatestPurchase = async (
  db: Queryable,
  partnerId: string,
  orderId: string,
): Promise<Purchase | null> => (await db.query(findLatest, [partnerId, orderId]))[0] ?? null

/** The purchase with its row locked to the end of the transaction, or null. */
export const lockPurchase = async (
  tx: Queryable,
  { id, partnerId }: Pick<Purchase, 'id' | 'partnerId'>,
): Promise<Purchase | null> => (await tx.query(lock, [id, partnerId]))[0] ?? null

/** The purchase that a provider speaks of, or null. */
export const findToldPurchase = async (
  db: Queryable,
  provider: string,
  told: Readonly<{ providerOrderId: string; onrampOrderId: string | null }>,
): Promise<Purchase | null> =>
  (await db.query(findTold, [provider, told.providerOrderId, told.onrampOrderId]))[0] ?? null

/** Gives the place back unless the provider has answered in the meantime. @returns whether it did */
export const removePurchase = async (
  db: Queryable,
  { id, partnerId }: Pick<Purchase, 'id' | 'partnerId'>,
): Promise<boolean> => (await db.query(remove, [id, partnerId])).length === 1

/**
 * The ids go through an array, so that a plan that knows no limit still looks each of them up: joined, a batch of 50
 * read the whole table (131 ms at 100,000 open orders).
 */
const claim = (name: string, column: 'due_at' | 'poll_at') =>
  statement({
    name,
    text: `
      UPDATE onramp_orders o SET ${column} = $3
      WHERE o.id = ANY (ARRAY(
        SELECT id FROM onramp_orders WHERE ${column} <= $1 ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED))
      RETURNING ${COLUMNS}`,
    row: Purchase,
  })
export const claimDue = claim('purchases.claim-due', 'due_at')
export const claimSilent = claim('purchases.claim-silent', 'poll_at')

/** Takes purchases that are due for itself until `until`: after that, if this process died, another takes them. */
export const claimDuePurchases = (
  db: Queryable,
  now: Date,
  limit: number,
  until: Date,
): Promise<Purchase[]> => db.query(claimDue, [now, limit, until])

const postpone = statement({
  name: 'purchases.postpone-poll',
  text: `
    UPDATE onramp_orders SET poll_at = $3
    WHERE id = $1 AND partner_id = $2 AND outcome IS NULL`,
})
const retry = statement({
  name: 'purchases.retry',
  text: 'UPDATE onramp_orders SET due_at = $3 WHERE id = $1 AND partner_id = $2 AND due_at IS NOT NULL',
})

type Key = Pick<Purchase, 'id' | 'partnerId'>

/** When the provider of a purchase that is still open is asked again. */
export const postponePoll = (db: Queryable, { id, partnerId }: Key, pollAt: Date): Promise<unknown> =>
  db.query(postpone, [id, partnerId, pollAt])

/** When a step that could not be taken is tried again. */
export const retryPurchase = (db: Queryable, { id, partnerId }: Key, dueAt: Date): Promise<unknown> =>
  db.query(retry, [id, partnerId, dueAt])

/** Takes purchases whose provider is to be asked, alike. */
export const claimSilentPurchases = (
  db: Queryable,
  now: Date,
  limit: number,
  until: Date,
): Promise<Purchase[]> => db.query(claimSilent, [now, limit, until])
