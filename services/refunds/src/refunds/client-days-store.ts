import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Counts a refund in its client's day and gives the sum with it; who counts in the same day waits for the end of the
 * transaction.
 */
export const countInDay = queryOne({
  name: 'client-refund-days.count',
  parameters: { partnerId: 'text', clientId: 'text', currency: 'text', day: 'date', amountCents: 'bigint' },
  text: `
    INSERT INTO client_refund_days AS days (partner_id, client_id, currency, day, amount_cents)
    VALUES (:partnerId, :clientId, :currency, :day, :amountCents)
    ON CONFLICT (partner_id, client_id, currency, day)
      DO UPDATE SET amount_cents = days.amount_cents + excluded.amount_cents
    RETURNING amount_cents AS counted_cents`,
  row: z.object({ countedCents: z.number() }),
})

/** Counts a refund that had failed where it was counted before that. */
export const countAgain = queryNone({
  name: 'client-refund-days.count-again',
  parameters: { partnerId: 'text', refundId: 'text' },
  text: `
    UPDATE client_refund_days AS days SET amount_cents = days.amount_cents + refunds.amount_cents
    FROM refunds
    WHERE refunds.partner_id = :partnerId AND refunds.id = :refundId AND days.partner_id = refunds.partner_id
      AND days.client_id = refunds.client_id AND days.currency = refunds.currency
      AND days.day = refunds.counted_on`,
})

/** SQL: takes the amounts of these refunds, rows of an earlier part of the statement, from where they are counted. */
export const releasedAmounts = (rows: string): string => `
    UPDATE client_refund_days AS days SET amount_cents = days.amount_cents - ended.amount_cents
    FROM (${rows}) AS ended
    WHERE days.partner_id = ended.partner_id AND days.client_id = ended.client_id
      AND days.currency = ended.currency AND days.day = ended.counted_on`
