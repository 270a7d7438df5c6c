import { queryNone } from '@causeway/chassis'

/**
 * SQL: a query of a WITH that counts a refund, the row with `amount_cents` in `refund`, in its client's day, unless that
 * passes `:limitCents` (null: no limit). Returns what the day had before, and whether the refund is counted.
 */
export const countedInDay = (refund: string): string => `
    counted AS (
      INSERT INTO client_refund_days AS days (partner_id, client_id, currency, day, amount_cents)
      SELECT :partnerId, :clientId, :currency, :day,
        CASE WHEN amount_cents <= coalesce(:limitCents, amount_cents) THEN amount_cents ELSE 0 END
      FROM ${refund}
      ON CONFLICT (partner_id, client_id, currency, day)
        DO UPDATE SET amount_cents = days.amount_cents
          + CASE WHEN days.amount_cents + excluded.amount_cents
              <= coalesce(:limitCents, days.amount_cents + excluded.amount_cents)
            THEN excluded.amount_cents ELSE 0 END
      RETURNING coalesce(old.amount_cents, 0) AS before_cents,
        new.amount_cents > coalesce(old.amount_cents, 0) AS is_counted)`

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
