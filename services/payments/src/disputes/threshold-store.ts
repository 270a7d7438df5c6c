import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const Measure = z.object({ share: z.number(), threshold: z.number(), window_hours: z.number() })

/** Schedules a new check of a merchant after a dispute. */
export const scheduleAfterDispute = queryNone({
  name: 'dispute-standings.count-dispute',
  parameters: { merchantId: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO dispute_standings (merchant_id, judge_at) VALUES (:merchantId, :now)
    ON CONFLICT (merchant_id) DO UPDATE SET judge_at = excluded.judge_at`,
})

/** Schedules a new check after a payment, which may bring a merchant above the threshold back below it. */
export const scheduleAfterPayment = queryNone({
  name: 'dispute-standings.count-payment',
  parameters: { merchantId: 'text', now: 'timestamptz' },
  text: 'UPDATE dispute_standings SET judge_at = :now WHERE merchant_id = :merchantId AND is_over',
})

/** Schedules a new check of every merchant: the settings may have changed since the last start. */
export const scheduleAll = queryNone({
  name: 'dispute-standings.judge-all',
  parameters: { now: 'timestamptz' },
  text: 'UPDATE dispute_standings SET judge_at = :now WHERE judge_at IS NULL OR judge_at > :now',
})

/** Locks merchants whose check is due; each replica skips what another has locked. */
export const lockDue = queryMany({
  name: 'dispute-standings.lock-due',
  parameters: { now: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT merchant_id, is_over, version, measure FROM dispute_standings
    WHERE judge_at <= :now ORDER BY judge_at LIMIT :limit FOR UPDATE SKIP LOCKED`,
  row: z.object({
    merchantId: z.string(),
    isOver: z.boolean(),
    version: z.number(),
    /** As last emitted; null below the threshold. */
    measure: Measure.nullable(),
  }),
})

/** Lists the last emitted state of merchants after an id; one that was never above the threshold has version 0. */
export const listStandingsAfter = queryMany({
  name: 'dispute-standings.list-after',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT merchant_id, is_over, version, measure FROM dispute_standings
    WHERE merchant_id > :after ORDER BY merchant_id LIMIT :limit`,
  row: z.object({
    merchantId: z.string(),
    isOver: z.boolean(),
    version: z.number(),
    measure: Measure.nullable(),
  }),
})

/** Counts a merchant's disputes and paid orders after `since`, which is outside the window. */
export const getTally = queryOne({
  name: 'dispute-standings.tally',
  parameters: { merchantId: 'text', since: 'timestamptz' },
  text: `
    SELECT count(*) AS disputes, count(DISTINCT order_id) AS disputed_orders, min(created_at) AS oldest_dispute_at,
      (SELECT count(*) FROM fiat_orders WHERE merchant_id = :merchantId AND completed_at > :since) AS paid_orders
    FROM chargebacks WHERE merchant_id = :merchantId AND created_at > :since`,
  row: z.object({
    disputes: z.number(),
    disputedOrders: z.number(),
    oldestDisputeAt: z.date().nullable(),
    paidOrders: z.number(),
  }),
})

/** When a merchant's paid order with this index, from 0, in the window was paid. */
export const getPaidAt = queryOne({
  name: 'dispute-standings.paid-at',
  parameters: { merchantId: 'text', since: 'timestamptz', index: 'bigint' },
  text: `
    SELECT completed_at AS paid_at FROM fiat_orders WHERE merchant_id = :merchantId AND completed_at > :since
    ORDER BY completed_at OFFSET :index LIMIT 1`,
  row: z.object({ paidAt: z.date() }),
})

/**
 * Stores the result of a check and when the next one is due; null: none before another dispute.
 * @param values.measure JSON text of what was emitted of it, null below the threshold
 */
export const update = queryNone({
  name: 'dispute-standings.save',
  parameters: {
    merchantId: 'text',
    isOver: 'boolean',
    version: 'bigint',
    measure: 'jsonb?',
    checkAt: 'timestamptz?',
  },
  text: `
    UPDATE dispute_standings SET is_over = :isOver, version = :version, measure = :measure, judge_at = :checkAt
    WHERE merchant_id = :merchantId`,
})
