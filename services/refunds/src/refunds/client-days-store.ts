import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Counts a refund in its client's day and returns the sum with it. The row stays locked to the end of the transaction,
 * so concurrent refunds of the same day wait.
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

/** Counts a refund that succeeded late again, in the day where it was counted before it failed. */
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

/** SQL: subtracts the amounts of these refunds, rows of an earlier part of the statement, from their days. */
export const releasedAmounts = (rows: string): string => `
    UPDATE client_refund_days AS days SET amount_cents = days.amount_cents - ended.amount_cents
    FROM (${rows}) AS ended
    WHERE days.partner_id = ended.partner_id AND days.client_id = ended.client_id
      AND days.currency = ended.currency AND days.day = ended.counted_on`
