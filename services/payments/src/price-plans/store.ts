import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { CryptoSettlement, FeeHandling, SettlementOption } from '@causeway/contracts'
import { z } from 'zod'
import { PlanRow, StoredRule, VersionRow } from './domain.ts'
import { DEFAULT_PLAN_ID, NO_VERSION, type AppliedVersion } from './rules.ts'

/**
 * The version that applies to new orders of the relationship `r` at an instant, as a lateral join: the merchant's
 * plan wins over its partner's, that over the default. A plan that has no version in force yet does not apply.
 */
const appliedVersion = (instant: string): string => `
  LEFT JOIN LATERAL (
    SELECT in_force.* FROM (VALUES
      (1, (SELECT a.price_plan_id FROM price_plan_assignments a WHERE a.subject_id = r.merchant_id
        ORDER BY a.id DESC LIMIT 1)),
      (2, (SELECT a.price_plan_id FROM price_plan_assignments a WHERE a.subject_id = r.partner_id
        ORDER BY a.id DESC LIMIT 1)),
      (3, '${DEFAULT_PLAN_ID}')) AS chosen (level, price_plan_id)
    CROSS JOIN LATERAL (
      SELECT p.id AS price_version_id, p.rules AS price_rules, p.partner_fee_max_percent, p.dispute_fee_cents,
        p.payout_fee_cents, p.use_kyb_choices, p.settlement
      FROM price_plan_versions p WHERE p.price_plan_id = chosen.price_plan_id AND p.effective_at <= ${instant}
      ORDER BY p.effective_at DESC, p.number DESC LIMIT 1) AS in_force
    ORDER BY chosen.level LIMIT 1) AS price ON true`
export const APPLIED_VERSION = appliedVersion(':now')
export const APPLIED_VERSION_COLUMNS = `
  price.price_version_id, price.price_rules, price.partner_fee_max_percent, price.dispute_fee_cents, price.use_kyb_choices,
  price.settlement, r.kyb_choices ->> 'fee_handling' AS fee_handling,
  r.kyb_choices ->> 'settlement_option' AS settlement_option`
export const APPLIED_VERSION_ROW = {
  priceVersionId: z.string().nullable(),
  priceRules: z.array(StoredRule).nullable(),
  partnerFeeMaxPercent: z.coerce.number().nullable(),
  disputeFeeCents: z.number().nullable(),
  useKybChoices: z.boolean().nullable(),
  feeHandling: FeeHandling.nullable(),
  settlement: CryptoSettlement.nullable(),
  settlementOption: SettlementOption.nullable(),
}

/** A relationship of which an order is created at an instant. */
export type PricedRelationship = Readonly<{ partnerId: string; partnerCustomerId: string; now: Date }>

/** Reads nothing else where no plan has a version, so that orders without plans cost next to nothing. */
const listApplied = queryMany({
  name: 'price-plans.list-applied',
  parameters: { partnerIds: 'text[]', partnerCustomerIds: 'text[]', instants: 'timestamptz[]' },
  text: `
    SELECT o.n, ${APPLIED_VERSION_COLUMNS}
    FROM unnest(:partnerIds, :partnerCustomerIds, :instants) WITH ORDINALITY
      AS o (partner_id, partner_customer_id, instant, n)
    JOIN relationships r USING (partner_id, partner_customer_id)
    ${appliedVersion('o.instant')}
    WHERE EXISTS (SELECT FROM price_plan_versions)`,
  row: z.object({ n: z.number(), ...APPLIED_VERSION_ROW }),
})

/** Returns the version that applies to each of these orders, in their order. */
export const listAppliedVersions = async (
  db: Queryable,
  orders: readonly PricedRelationship[],
): Promise<AppliedVersion[]> => {
  const rows = await listApplied(db, {
    partnerIds: orders.map(({ partnerId }) => partnerId),
    partnerCustomerIds: orders.map(({ partnerCustomerId }) => partnerCustomerId),
    instants: orders.map(({ now }) => now),
  })
  const byPlace = new Map(rows.map(({ n, ...applied }) => [n, applied]))
  return orders.map((_order, at) => byPlace.get(at + 1) ?? NO_VERSION)
}

/** Fees of payouts of relationships now, where they are charged one. An unknown relationship has the default plan. */
export const listPayoutFees = queryMany({
  name: 'price-plans.list-payout-fees',
  parameters: { partnerCustomerIds: 'text[]', now: 'timestamptz' },
  text: `
    SELECT o.partner_customer_id, price.payout_fee_cents
    FROM unnest(:partnerCustomerIds) AS o (partner_customer_id)
    LEFT JOIN relationships r USING (partner_customer_id)
    ${APPLIED_VERSION}
    WHERE price.payout_fee_cents > 0`,
  row: z.object({ partnerCustomerId: z.string(), payoutFeeCents: z.number() }),
})

const VERSION_COLUMNS = `
  v.id, v.price_plan_id, v.number, v.rules, v.dispute_fee_cents, v.payout_fee_cents, v.partner_fee_max_percent,
  v.use_kyb_choices, v.settlement, v.effective_at, v.created_by, v.created_at`

export const insertPlan = queryNone({
  name: 'price-plans.insert',
  parameters: { id: 'text', name: 'text', now: 'timestamptz' },
  text: 'INSERT INTO price_plans (id, name, created_at) VALUES (:id, :name, :now)',
})

/** Renames a plan, and locks it until the end of the transaction: its versions are numbered without gaps. */
export const lockAndRename = queryOne({
  name: 'price-plans.rename',
  parameters: { id: 'text', name: 'text' },
  text: 'UPDATE price_plans SET name = :name WHERE id = :id RETURNING id, name, created_at',
  row: PlanRow,
})

export const insertVersion = queryNone({
  name: 'price-plans.insert-version',
  parameters: {
    id: 'text',
    planId: 'text',
    rules: 'jsonb',
    disputeFeeCents: 'bigint?',
    payoutFeeCents: 'bigint?',
    partnerFeeMaxPercent: 'numeric',
    useKybChoices: 'boolean',
    settlement: 'text',
    effectiveAt: 'timestamptz',
    createdBy: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO price_plan_versions (id, price_plan_id, number, rules, dispute_fee_cents, payout_fee_cents,
      partner_fee_max_percent, use_kyb_choices, settlement, effective_at, created_by, created_at)
    SELECT :id, :planId,
      coalesce((SELECT v.number FROM price_plan_versions v WHERE v.price_plan_id = :planId
        ORDER BY v.number DESC LIMIT 1), 0) + 1,
      :rules, :disputeFeeCents, :payoutFeeCents, :partnerFeeMaxPercent, :useKybChoices, :settlement,
      :effectiveAt, :createdBy, :now`,
})

/** A page of plans, oldest first, of those after `(afterAt, afterId)`. */
export const listPlans = queryMany({
  name: 'price-plans.page',
  parameters: { afterAt: 'timestamptz', afterId: 'text', limit: 'bigint' },
  text: `
    SELECT id, name, created_at FROM price_plans WHERE (created_at, id) > (:afterAt, :afterId)
    ORDER BY created_at, id LIMIT :limit`,
  row: PlanRow,
})

/** The newest versions of each plan, and the one that is in force. */
export const listVersions = queryMany({
  name: 'price-plans.list-versions',
  parameters: { planIds: 'text[]', now: 'timestamptz', newest: 'bigint' },
  text: `
    SELECT ${VERSION_COLUMNS} FROM unnest(:planIds) AS plan (id)
    CROSS JOIN LATERAL (
      (SELECT n.* FROM price_plan_versions n WHERE n.price_plan_id = plan.id ORDER BY n.number DESC LIMIT :newest)
      UNION
      (SELECT n.* FROM price_plan_versions n WHERE n.price_plan_id = plan.id AND n.effective_at <= :now
        ORDER BY n.effective_at DESC, n.number DESC LIMIT 1)
    ) AS v`,
  row: VersionRow,
})

export const findPlan = queryOne({
  name: 'price-plans.find',
  parameters: { id: 'text' },
  text: 'SELECT id, name, created_at FROM price_plans WHERE id = :id',
  row: PlanRow,
})

/** The newest assignment of a partner or a merchant. */
export const findAssignment = queryOne({
  name: 'price-plans.find-assignment',
  parameters: { subjectId: 'text' },
  text: `
    SELECT price_plan_id, created_at FROM price_plan_assignments WHERE subject_id = :subjectId
    ORDER BY id DESC LIMIT 1`,
  row: z.object({ pricePlanId: z.string().nullable(), createdAt: z.date() }),
})

export const insertAssignment = queryNone({
  name: 'price-plans.assign',
  parameters: { subjectId: 'text', planId: 'text?', createdBy: 'text', now: 'timestamptz' },
  text: `
    INSERT INTO price_plan_assignments (subject_id, price_plan_id, created_by, created_at)
    VALUES (:subjectId, :planId, :createdBy, :now)`,
})
