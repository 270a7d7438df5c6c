import { CryptoSettlement, PriceRule, type PricePlan, type PricePlanVersion } from '@causeway/contracts'
import { z } from 'zod'
import { builtInRules, DEFAULT_PLAN_ID } from './rules.ts'

export const PlanRow = z.object({ id: z.string(), name: z.string(), createdAt: z.date() })
export type PlanRow = Readonly<z.infer<typeof PlanRow>>

/** A stored rule: its currency may have left circulation since, and its orders then still have their fee. */
export const StoredRule = PriceRule.extend({ currency: z.string().optional() })

export const VersionRow = z.object({
  id: z.string(),
  pricePlanId: z.string(),
  number: z.number(),
  rules: z.array(StoredRule),
  disputeFeeCents: z.number().nullable(),
  payoutFeeCents: z.number().nullable(),
  partnerFeeMaxPercent: z.coerce.number(),
  useKybChoices: z.boolean(),
  settlement: CryptoSettlement.nullable(),
  effectiveAt: z.date(),
  createdBy: z.string(),
  createdAt: z.date(),
})
export type VersionRow = Readonly<z.infer<typeof VersionRow>>

const presentVersion = (row: VersionRow, inForce: boolean): PricePlanVersion => ({
  price_plan_version_id: row.id,
  number: row.number,
  rules: row.rules,
  dispute_fee_cents: row.disputeFeeCents,
  payout_fee_cents: row.payoutFeeCents,
  partner_fee_max_percent: row.partnerFeeMaxPercent,
  use_kyb_choices: row.useKybChoices,
  settlement: row.settlement,
  effective_at: row.effectiveAt.toISOString(),
  in_force: inForce,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
})

/** The default plan's terms until a version of it is in force. */
const builtInVersion = (plan: PlanRow, serviceFeePercent: number): PricePlanVersion => ({
  price_plan_version_id: null,
  number: 0,
  rules: [...builtInRules(serviceFeePercent)],
  dispute_fee_cents: null,
  payout_fee_cents: null,
  partner_fee_max_percent: 0,
  use_kyb_choices: false,
  settlement: 'asset',
  effective_at: plan.createdAt.toISOString(),
  in_force: true,
  created_by: null,
  created_at: plan.createdAt.toISOString(),
})

/** The version in force: the one that came into force last; of several at one instant, the newest. */
const inForceOf = (versions: readonly VersionRow[], now: Date): VersionRow | undefined =>
  versions
    .filter(({ effectiveAt }) => effectiveAt <= now)
    .sort((a, b) => b.effectiveAt.getTime() - a.effectiveAt.getTime() || b.number - a.number)[0]

/** @param versions of this plan, the one in force among them */
export const presentPlan = (
  plan: PlanRow,
  versions: readonly VersionRow[],
  { serviceFeePercent, now }: Readonly<{ serviceFeePercent: number; now: Date }>,
): PricePlan => {
  const isDefault = plan.id === DEFAULT_PLAN_ID
  const inForce = inForceOf(versions, now)
  return {
    price_plan_id: plan.id,
    name: plan.name,
    is_default: isDefault,
    created_at: plan.createdAt.toISOString(),
    versions: [
      ...versions
        .toSorted((a, b) => b.number - a.number)
        .map((version) => presentVersion(version, version === inForce)),
      ...(isDefault && !inForce ? [builtInVersion(plan, serviceFeePercent)] : []),
    ],
  }
}
