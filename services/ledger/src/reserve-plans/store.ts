import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { PlanRow } from '../reserves/store.ts'

/** Adds a version. One that is set by a clock that is late is in force from the version before it. */
export const insertPlan = queryOne({
  name: 'reserve-plans.insert',
  parameters: {
    merchantId: 'text',
    shareBps: 'integer?',
    days: 'integer?',
    fixedCents: 'bigint?',
    currency: 'text?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO reserve_plans (merchant_id, version, share_bps, days, fixed_cents, currency, set_at)
    SELECT :merchantId, coalesce(max(version), 0) + 1, :shareBps, :days, :fixedCents, :currency,
      greatest(max(set_at), :now)
    FROM reserve_plans WHERE merchant_id = :merchantId
    RETURNING version, share_bps, days, fixed_cents, currency, set_at`,
  row: PlanRow,
})

/** Marks the entries that a merchant has before its first plan as considered: no plan was in force when they were paid. */
export const skipEarlierEntries = queryNone({
  name: 'reserve-plans.skip-earlier',
  parameters: { merchantId: 'text' },
  text: `
    INSERT INTO reserve_accounts (owner_id, unit, through, plan_version)
    SELECT a.owner_id, a.unit, b.entries, 0
    FROM relationships AS r
    JOIN books.accounts AS a ON a.owner_id = r.partner_customer_id AND a.balance = 'available'
    JOIN books.balances AS b ON b.account_id = a.id
    WHERE r.merchant_id = :merchantId
    ON CONFLICT DO NOTHING`,
})

/** True for a merchant with a relationship, active or revoked. */
export const isKnown = queryOne({
  name: 'reserve-plans.known',
  parameters: { merchantId: 'text' },
  text: 'SELECT EXISTS (SELECT FROM relationships WHERE merchant_id = :merchantId) AS known',
  row: z.object({ known: z.boolean() }),
})

/** The reserved balances of a merchant's relationships that are not 0. */
export const listReserved = queryMany({
  name: 'reserve-plans.reserved',
  parameters: { merchantId: 'text' },
  text: `
    SELECT a.owner_id, a.unit, b.amount::text AS amount
    FROM relationships AS r
    JOIN books.accounts AS a ON a.owner_id = r.partner_customer_id AND a.balance = 'reserved'
    JOIN books.balances AS b ON b.account_id = a.id AND b.amount <> 0
    WHERE r.merchant_id = :merchantId ORDER BY a.owner_id, a.unit`,
  row: z.object({ ownerId: z.string(), unit: z.string(), amount: z.string() }),
})
