import { statement } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Counts a refund in its client's day and tells the sum with it; who counts in the same day waits for the end of the
 * transaction. $1 partner, $2 client, $3 currency, $4 day, $5 amount
 */
export const count = statement({
  name: 'client-refund-days.count',
  text: `
    INSERT INTO client_refund_days AS days (partner_id, client_id, currency, day, amount_cents)
    VALUES ($1, $2, $3, $4::date, $5)
    ON CONFLICT (partner_id, client_id, currency, day)
      DO UPDATE SET amount_cents = days.amount_cents + excluded.amount_cents
    RETURNING amount_cents AS "countedCents"`,
  row: z.object({ countedCents: z.number() }),
})

/** Counts a refund that had failed where it was counted before that. $1 partner, $2 refund */
export const countAgain = statement({
  name: 'client-refund-days.count-again',
  text: `
    UPDATE client_refund_days AS days SET amount_cents = days.amount_cents + refunds.amount_cents
    FROM refunds
    WHERE refunds.partner_id = $1 AND refunds.id = $2 AND days.partner_id = refunds.partner_id
      AND days.client_id = refunds.client_id AND days.currency = refunds.currency
      AND days.day = refunds.counted_on`,
})

/** Takes the amounts of these refunds, rows of an earlier part of the statement, from where they are counted. */
export const takingBack = (rows: string): string => `
    UPDATE client_refund_days AS days SET amount_cents = days.amount_cents - ended.amount_cents
    FROM (${rows}) AS ended
    WHERE days.partner_id = ended.partner_id AND days.client_id = ended.client_id
      AND days.currency = ended.currency AND days.day = ended.counted_on`
