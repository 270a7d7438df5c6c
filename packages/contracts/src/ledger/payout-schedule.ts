import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, put } from '../http/methods.ts'
import { customerParams } from '../onboarding/customers.ts'
import { operation, resource } from '../operation.ts'
import { idOf, MAX_AMOUNT_CENTS, Timestamp } from '../primitives.ts'
import { PayoutSchedule, ScheduleDay, ScheduleInterval, Weekday } from './payout-terms.ts'

/** Schedules of one request at most. */
const MAX_SCHEDULES = 200

const Given = z
  .strictObject({
    unit: Currency,
    interval: ScheduleInterval,
    weekday: Weekday.optional(),
    day: ScheduleDay.optional(),
    minimum_amount: z
      .number()
      .int()
      .min(0)
      .max(MAX_AMOUNT_CENTS)
      .default(0)
      .meta({ description: 'In the currency’s minor unit. Less is carried forward' }),
    payout_wallet_id: idOf('payoutWallet').nullable().default(null).meta({
      description: 'Destination of the same unit. Null: one that the platform does not know',
    }),
  })
  .refine(({ interval, weekday }) => (weekday !== undefined) === (interval === 'weekly'), {
    path: ['weekday'],
    params: { reason: 'invalid_value', expected: 'a weekday if, and only if, the interval is weekly' },
  })
  .refine(({ interval, day }) => (day !== undefined) === (interval === 'monthly'), {
    path: ['day'],
    params: { reason: 'invalid_value', expected: 'a day if, and only if, the interval is monthly' },
  })
export type GivenSchedule = z.output<typeof Given>

/** A schedule as it is read. */
const ReadSchedule = PayoutSchedule.extend({
  next_at: Timestamp.nullable().meta({
    description: 'When it is due next: the cut-off of that payout. Null for manual',
  }),
})
export type ReadSchedule = z.infer<typeof ReadSchedule>
const reply = z.object({ schedules: z.array(ReadSchedule) })

/** `ledger.payout-schedule` (decisions §48, §49). */
export const payoutSchedule = resource('ledger.payout-schedule', {
  get: operation({
    operationId: 'getPayoutSchedule',
    http: get('/customers/:customerId/payout-schedule', { scopes: ['payments:read'] }),
    tag: 'Balances',
    summary: 'Get when a customer is paid out, by unit',
    description:
      'Use it to show when the next payout is due. Until a schedule is set it is `manual`. It needs the capability `payouts`.',
    params: customerParams,
    reply,
    refusals: ['resource_not_found', 'capability_not_enabled'],
  }),
  set: operation({
    operationId: 'setPayoutSchedule',
    audited: true,
    http: put('/customers/:customerId/payout-schedule', { scopes: ['payouts:write'] }),
    tag: 'Balances',
    summary: 'Set when a customer is paid out, by unit',
    description:
      'Use it to pay a customer out regularly: each payout has everything that was available when it was due. Nothing is paid while the destination is not `active`. Units that the list leaves out become `manual`. It needs the capability `payouts`.',
    params: customerParams,
    body: z.strictObject({
      schedules: z
        .array(Given)
        .max(MAX_SCHEDULES)
        .refine((given) => new Set(given.map(({ unit }) => unit)).size === given.length, {
          params: { reason: 'invalid_value', expected: 'each unit once' },
        }),
    }),
    reply,
    refusals: ['invalid_request', 'resource_not_found', 'capability_not_enabled', 'invalid_state'],
  }),
})
