import { refuse } from '@causeway/chassis'

/** The UTC day on which a refund counts, as a date of ISO 8601. */
export const utcDayOf = (at: Date): string => at.toISOString().slice(0, 'YYYY-MM-DD'.length)

const MS_PER_DAY = 86_400_000

/** The moment at which the day after `day` begins, in UTC. */
const endOf = (day: string): string => new Date(Date.parse(day) + MS_PER_DAY).toISOString()

/** Amounts that a client refunded in one day and currency, including a new refund; in the currency's minor unit. */
type Counted = Readonly<{ countedCents: number; amountCents: number; currency: string; day: string }>

/**
 * The refusal of a refund above its client's daily limit, or null. The answer names the currency and the moment from
 * which the same refund may be tried again.
 * @param limitCents null: any amount
 */
export const refuseOverLimit = (
  { countedCents, amountCents, currency, day }: Counted,
  limitCents: number | null,
) =>
  limitCents === null || countedCents <= limitCents
    ? null
    : refuse('limit_reached', [
        {
          resource: 'refunds',
          limit: limitCents,
          remaining: Math.max(limitCents - (countedCents - amountCents), 0),
          currency,
          resets_at: endOf(day),
        },
      ])
