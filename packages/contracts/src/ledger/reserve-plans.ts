import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { preparationOf } from '../gateway/four-eyes.ts'
import { del, get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, MAX_AMOUNT_CENTS, Timestamp } from '../primitives.ts'
import { LedgerAmount } from './units.ts'

const MAX_DAYS = 730

/** A version of a merchant's reserve plan (decisions §52). */
export const ReservePlan = z.object({
  customer_id: idOf('merchant'),
  version: z.number().int(),
  /** Share of what an order earns, in percent; null for a fixed plan. */
  share_percent: z.number().nullable(),
  /** Days for which the share of an order is held after it became available. */
  days: z.number().int().nullable(),
  /** The amount that is held, in the currency's minor unit; null for a share. */
  fixed_cents: z.number().int().nullable(),
  currency: z.string().nullable(),
  in_force_from: Timestamp,
  /** Null: it is in force. */
  in_force_to: Timestamp.nullable(),
})
export type ReservePlan = z.infer<typeof ReservePlan>

/** The reserve plan of a merchant, and what is reserved. */
export const MerchantReserve = z.object({
  /** Null: no plan is in force. */
  reserve_plan: ReservePlan.nullable(),
  /** Newest first, with plans that have ended. */
  history: z.array(ReservePlan),
  reserved: z.array(
    z.object({ partner_customer_id: idOf('relationship'), unit: z.string(), amount: LedgerAmount }),
  ),
})
export type MerchantReserve = z.infer<typeof MerchantReserve>

const params = z.object({ customerId: idOf('merchant') })

const body = z
  .strictObject({
    share_percent: z.number().min(0.01).max(100).multipleOf(0.01).optional().meta({
      description: 'Share of what each order earns, in percent with at most two decimals; needs `days`',
    }),
    days: z.number().int().min(1).max(MAX_DAYS).optional().meta({
      description: 'Days for which the share of an order is held after it became available',
    }),
    fixed_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS).optional().meta({
      description: 'Amount that is held of the merchant, in the minor unit of `currency`',
    }),
    currency: Currency.optional(),
  })
  .refine(
    ({ share_percent, days, fixed_cents, currency }) => {
      const given = [share_percent, days, fixed_cents, currency].map((value) => value !== undefined).join()
      return given === 'true,true,false,false' || given === 'false,false,true,true'
    },
    {
      path: ['share_percent'],
      params: {
        reason: 'invalid_value',
        expected: 'either share_percent and days, or fixed_cents and currency',
      },
    },
  )
export type ReservePlanRequest = z.output<typeof body>

const one = z.object({ reserve_plan: ReservePlan })

/** Days of the past that a simulation looks at. */
export const SIMULATED_DAYS = 180

/** The amounts that a plan would have held of a merchant's money. */
export const ReserveSimulation = z.object({
  since: Timestamp,
  until: Timestamp,
  units: z.array(
    z.object({
      unit: z.string(),
      /** The most that was held at one time, and the average over the period. */
      maximum: LedgerAmount,
      average: LedgerAmount,
      /** The part of refunds and disputes that the reserve would have covered, and all of them. */
      covered: LedgerAmount,
      taken: LedgerAmount,
    }),
  ),
})
export type ReserveSimulation = z.infer<typeof ReserveSimulation>

const query = z.object({
  simulate: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: sets nothing, and answers what the plan would have held and covered' }),
})

/** `ledger.reserve-plans`: what is held of a merchant's money against refunds and disputes (decisions §52). */
export const reservePlans = resource('ledger.reserve-plans', {
  get: operation({
    operationId: 'getReservePlan',
    http: get('/merchants/:customerId/reserve-plan'),
    role: 'viewer',
    tag: 'Ledger',
    summary: 'Get the reserve plan of a merchant, its history and what is reserved',
    description: 'Use it to see what is held of a merchant’s money, and under which terms.',
    caller: 'operator',
    params,
    reply: MerchantReserve,
    refusals: ['resource_not_found'],
  }),
  set: operation({
    operationId: 'setReservePlan',
    http: post('/merchants/:customerId/reserve-plan'),
    role: 'finance',
    tag: 'Ledger',
    fourEyes: ['ledger'],
    preparedBy: 'prepareSetting',
    summary: 'Set the reserve plan of a merchant',
    description:
      'Use it to hold a share of what a merchant earns for some days, or a fixed amount, against refunds and disputes. A share applies to orders that are paid from now on, and each keeps the plan under which it was paid; a fixed amount is held from what is available now and refilled from later payments. With `simulate=true` nothing is set, and no second person is needed.',
    caller: 'operator',
    params,
    query,
    body,
    reply: z.object({
      /** Null: nothing was set. */
      reserve_plan: ReservePlan.nullable(),
      /** Null: it was not asked for. */
      simulation: ReserveSimulation.nullable(),
    }),
    refusals: ['invalid_request', 'resource_not_found'],
  }),
  prepareSetting: operation({
    summary: 'Refuse a reserve plan that would be refused now',
    caller: 'operator',
    params,
    query,
    body,
    reply: preparationOf(z.null()),
    refusals: ['resource_not_found'],
  }),
  end: operation({
    operationId: 'endReservePlan',
    http: del('/merchants/:customerId/reserve-plan'),
    role: 'finance',
    tag: 'Ledger',
    fourEyes: ['ledger'],
    preparedBy: 'prepareEnd',
    summary: 'End the reserve plan of a merchant',
    description:
      'Use it when no reserve is needed any longer. A fixed amount is released within seconds; shares of earlier orders are released when their days are over. Repeated, it answers with the plan that has ended.',
    caller: 'operator',
    params,
    reply: one,
    refusals: ['resource_not_found'],
  }),
  prepareEnd: operation({
    summary: 'Refuse to end the plan of a merchant that never had one',
    caller: 'operator',
    params,
    reply: preparationOf(z.null()),
    refusals: ['resource_not_found'],
  }),
})
