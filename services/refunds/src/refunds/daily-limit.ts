import { refuse } from '@causeway/chassis'

/** The UTC day on which a refund counts, as a date of ISO 8601. */
export const utcDayOf = (at: Date): string => at.toISOString().slice(0, 'YYYY-MM-DD'.length)

/**
 * Why a refund passes what its client may refund in a day, or null. Amounts in the currency's minor unit.
 * @param countedCents what the client has refunded in that day and currency, this refund included
 * @param limitCents null: any amount
 */
export const refuseOverLimit = (countedCents: number, amountCents: number, limitCents: number | null) =>
  limitCents === null || countedCents <= limitCents
    ? null
    : refuse('limit_reached', [
        {
          resource: 'refunds',
          limit: limitCents,
          remaining: Math.max(limitCents - (countedCents - amountCents), 0),
        },
      ])
