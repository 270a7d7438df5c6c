import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, post, put } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  MAX_AMOUNT_CENTS,
  NextCursor,
  text,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'
import { FiatOrderKind, ServiceFeePayer } from './fiat-orders.ts'

/** Most rules of a version: a page of plans then fits into one message of the bus. */
const MAX_RULES = 40
const MAX_NAME_LENGTH = 100
/** Most relationships in a question for payout fees: as many as one call of a payout run looks at. */
const MAX_PRICED = 100
const HUNDREDTHS = /^\d{1,3}(\.\d{1,2})?$/

/** A percentage of a price plan, 0 to 100. */
const Percent = z
  .number()
  .min(0)
  .max(100)
  .refine((percent) => HUNDREDTHS.test(String(percent)), {
    params: { reason: 'invalid_value', expected: 'at most 2 decimals' },
  })
/** An amount that a version charges, in the minor unit of the order's or payout's currency. */
export const FeeCents = z.number().int().min(0).max(MAX_AMOUNT_CENTS)

/**
 * The service fee of some orders (decisions §52): `percent` of the price and `fixed_cents` in `currency`. A rule without
 * `kind` or `currency` applies to all kinds or currencies; the most specific rule applies.
 */
export const PriceRule = z.strictObject({
  rail: z.enum(['card', 'crypto']),
  kind: FiatOrderKind.optional(),
  percent: Percent,
  fixed_cents: FeeCents.default(0).meta({ description: 'Minor units of `currency`' }),
  currency: Currency.optional(),
  payer: ServiceFeePayer,
})
export type PriceRule = z.output<typeof PriceRule>

const ruleKey = ({ rail, kind, currency }: PriceRule): string => [rail, kind, currency].join(' ')

export const PriceRules = z
  .array(PriceRule)
  .max(MAX_RULES)
  .superRefine((rules, context) => {
    const keys = rules.map(ruleKey)
    const refuseField = (at: number, field: string, expected: string) =>
      context.addIssue({ code: 'custom', path: [at, field], params: { reason: 'invalid_value', expected } })
    for (const [at, rule] of rules.entries()) {
      if (rule.fixed_cents > 0 && rule.currency === undefined)
        refuseField(at, 'currency', 'a currency where fixed_cents is not 0')
      if (rule.rail === 'crypto' && rule.kind !== undefined)
        refuseField(at, 'kind', 'no kind for the rail crypto')
      if (keys.indexOf(ruleKey(rule)) < at)
        refuseField(at, 'rail', 'one rule for each rail, kind and currency')
    }
  })

/**
 * Where the receipts of crypto orders are booked: in their asset, or converted into the currency of the order's price at its
 * locked rate (decisions §52).
 */
export const CryptoSettlement = z.enum(['asset', 'order_currency'])
export type CryptoSettlement = z.infer<typeof CryptoSettlement>

/** The terms of a version. Amounts in the minor unit of the order's or payout's currency. */
const terms = {
  rules: z.array(PriceRule),
  /** Charged for a dispute instead of the processor's fee; null: the processor's fee. */
  dispute_fee_cents: z.number().int().nullable(),
  payout_fee_cents: z.number().int().nullable(),
  partner_fee_max_percent: z.number(),
  use_kyb_choices: z.boolean(),
  /** Null: a version from before this could be chosen. The money stays in the asset, whatever the merchant chose. */
  settlement: CryptoSettlement.nullable(),
}

export const PricePlanVersion = z.object({
  /** Null: the default plan's terms by `SERVICE_FEE_PERCENT`, until a version of it is in force. */
  price_plan_version_id: idOf('pricePlanVersion').nullable(),
  number: z.number().int(),
  ...terms,
  effective_at: Timestamp,
  in_force: z.boolean(),
  /** Staff, as in the audit log; null for the platform. */
  created_by: z.string().nullable(),
  created_at: Timestamp,
})
export type PricePlanVersion = z.infer<typeof PricePlanVersion>

/** A price plan with its newest versions, newest first, and the one that is in force. */
export const PricePlan = z.object({
  price_plan_id: idOf('pricePlan'),
  name: z.string(),
  is_default: z.boolean(),
  created_at: Timestamp,
  versions: z.array(PricePlanVersion),
})
export type PricePlan = z.infer<typeof PricePlan>

export const PricePlanList = z.object({ price_plans: z.array(PricePlan), next_cursor: NextCursor })

/** The plan that staff chose for a partner or a merchant; null: the one above it applies. */
export const PricePlanAssignment = z.object({
  partner_id: idOf('partner').nullable(),
  customer_id: idOf('merchant').nullable(),
  price_plan_id: idOf('pricePlan').nullable(),
  assigned_at: Timestamp,
})
export type PricePlanAssignment = z.infer<typeof PricePlanAssignment>

const ofPartner = z.object({ partnerId: idOf('partner') })
const ofMerchant = z.object({ customerId: idOf('merchant') })
const found = {
  /** Null: staff never chose one. */
  reply: z.object({ assignment: PricePlanAssignment.nullable() }),
  refusals: ['resource_not_found'],
} as const
const assigned = {
  body: z.strictObject({ price_plan_id: idOf('pricePlan').nullable() }),
  reply: z.object({ assignment: PricePlanAssignment }),
  refusals: ['invalid_request', 'resource_not_found'],
} as const

/** `payments.price-plans`: what orders cost (decisions §52). */
export const pricePlans = resource('payments.price-plans', {
  create: operation({
    operationId: 'createPricePlan',
    http: post('/price-plans', { status: 201 }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['ledger'],
    summary: 'Create a price plan, or a new version of one',
    description:
      'Use it to agree on other fees than the default plan’s. With `price_plan_id` it adds a version, in force from `effective_at` (default: now). Orders keep the version under which they were created. Send an `Idempotency-Key` so that a retry does not create a second one.',
    caller: 'operator',
    idempotent: 'optional',
    body: z.strictObject({
      price_plan_id: idOf('pricePlan').optional(),
      name: text(MAX_NAME_LENGTH),
      rules: PriceRules,
      dispute_fee_cents: FeeCents.nullable().optional(),
      payout_fee_cents: FeeCents.nullable().optional(),
      partner_fee_max_percent: Percent.default(0),
      use_kyb_choices: z.boolean().default(false),
      settlement: CryptoSettlement.default('asset').meta({
        description:
          'Where receipts of crypto orders are booked: in the asset, or converted into the currency of the order’s price',
      }),
      effective_at: TimestampInput.optional(),
    }),
    reply: z.object({ price_plan: PricePlan }),
    refusals: ['invalid_request', 'resource_not_found', 'idempotency_key_reuse'],
  }),
  list: operation({
    operationId: 'listPricePlans',
    http: get('/price-plans'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the price plans, oldest first',
    description: 'Use it to see which fees apply now, and which will apply later.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(20, 25), cursor: cursorParameter }),
    reply: PricePlanList,
    refusals: ['invalid_cursor'],
  }),
  getOfPartner: operation({
    operationId: 'getPricePlanOfPartner',
    http: get('/partners/:partnerId/price-plan', { ofPartner: true }),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get the price plan that staff chose for a partner',
    description: 'Use it to see under which terms the partner’s merchants take orders.',
    caller: 'operator',
    params: ofPartner,
    ...found,
  }),
  getOfMerchant: operation({
    operationId: 'getPricePlanOfMerchant',
    http: get('/merchants/:customerId/price-plan', { ofMerchant: true }),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get the price plan that staff chose for a merchant',
    description: 'Use it to see whether a merchant has its own terms.',
    caller: 'operator',
    params: ofMerchant,
    ...found,
  }),
  assignToPartner: operation({
    operationId: 'assignPricePlanToPartner',
    http: put('/partners/:partnerId/price-plan', { ofPartner: true }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['ledger'],
    repeatable: true,
    summary: 'Set the price plan of a partner’s new orders; null: the default plan',
    description: 'Use it when a partner has agreed to a plan. A plan of the merchant itself still applies.',
    caller: 'operator',
    params: ofPartner,
    ...assigned,
  }),
  assignToMerchant: operation({
    operationId: 'assignPricePlanToMerchant',
    http: put('/merchants/:customerId/price-plan', { ofMerchant: true }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['ledger'],
    repeatable: true,
    summary: 'Set the price plan of a merchant’s new orders; null: its partner’s plan',
    description: 'Use it when one merchant has agreed to a plan. It applies to its orders of every partner.',
    caller: 'operator',
    params: ofMerchant,
    ...assigned,
  }),
  listPayoutFees: operation({
    summary: 'Get what a payout of each relationship costs now, in the minor unit of its currency',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({ partner_customer_ids: z.array(idOf('relationship')).max(MAX_PRICED) }),
    /** Relationships whose payouts cost nothing are left out. */
    reply: z.object({
      payout_fees: z.array(
        z.object({ partner_customer_id: idOf('relationship'), payout_fee_cents: FeeCents }),
      ),
    }),
    refusals: [],
  }),
})
