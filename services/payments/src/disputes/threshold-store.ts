import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** A dispute more: the merchant is judged anew. $1 merchant, $2 now */
export const countDispute = statement({
  name: 'dispute-standings.count-dispute',
  text: `
    INSERT INTO dispute_standings (merchant_id, judge_at) VALUES ($1, $2)
    ON CONFLICT (merchant_id) DO UPDATE SET judge_at = excluded.judge_at`,
})

/** An order more was paid, which may bring back a merchant that is over. $1 merchant, $2 now */
export const countPayment = statement({
  name: 'dispute-standings.count-payment',
  text: 'UPDATE dispute_standings SET judge_at = $2 WHERE merchant_id = $1 AND is_over',
})

/** Every merchant is judged anew: the settings may be others than before. $1 now */
export const judgeAll = statement({
  name: 'dispute-standings.judge-all',
  text: 'UPDATE dispute_standings SET judge_at = $1 WHERE judge_at IS NULL OR judge_at > $1',
})

/** Locks merchants whose judgement is due; each replica skips what another holds. $1 now, $2 limit */
export const lockDue = statement({
  name: 'dispute-standings.lock-due',
  text: `
    SELECT merchant_id AS "merchantId", is_over AS "isOver", version FROM dispute_standings
    WHERE judge_at <= $1 ORDER BY judge_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
  row: z.object({ merchantId: z.string(), isOver: z.boolean(), version: z.number() }),
})

/** $1 merchant, $2 where the window begins; what is of that very moment has left it */
export const tally = statement({
  name: 'dispute-standings.tally',
  text: `
    SELECT count(*) AS disputes, count(DISTINCT order_id) AS "disputedOrders", min(created_at) AS "oldestDisputeAt",
      (SELECT count(*) FROM fiat_orders WHERE merchant_id = $1 AND completed_at > $2) AS "paidOrders"
    FROM chargebacks WHERE merchant_id = $1 AND created_at > $2`,
  row: z.object({
    disputes: z.number(),
    disputedOrders: z.number(),
    oldestDisputeAt: z.date().nullable(),
    paidOrders: z.number(),
  }),
})

/** When the order was paid that is so many after the window's first. $1 merchant, $2 where the window begins, $3 how many */
export const paidAt = statement({
  name: 'dispute-standings.paid-at',
  text: `
    SELECT completed_at AS "paidAt" FROM fiat_orders WHERE merchant_id = $1 AND completed_at > $2
    ORDER BY completed_at OFFSET $3 LIMIT 1`,
  row: z.object({ paidAt: z.date() }),
})

/** $1 merchant, $2 whether it is over, $3 version, $4 when to judge again */
export const save = statement({
  name: 'dispute-standings.save',
  text: 'UPDATE dispute_standings SET is_over = $2, version = $3, judge_at = $4 WHERE merchant_id = $1',
})
