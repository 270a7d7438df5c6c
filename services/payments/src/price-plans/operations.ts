import {
  createCursors,
  implement,
  keysetList,
  newId,
  OLDEST_FIRST,
  refuse,
  reply,
  withStaffKey,
  type Implementation,
  type OperationRequest,
  type Queryable,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import { pricePlans } from '@causeway/contracts'
import { presentPlan, type PlanRow } from './domain.ts'
import * as store from './store.ts'

/** Versions that a list shows of each plan, in addition to the one in force. */
const NEWEST_VERSIONS = 5

type CreateRequest = OperationRequest<(typeof pricePlans)['create']>
type Assignment = Readonly<{ subjectId: string; planId: string | null; createdBy: string; now: Date }>

/** `payments.price-plans` (decisions §52). */
export const pricePlanOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  { serviceFeePercent }: Readonly<{ serviceFeePercent: number }>,
): Implementation[] => {
  const cursors = createCursors(vault)

  const present = async (on: Queryable, plans: readonly PlanRow[], now: Date) => {
    const planIds = plans.map(({ id }) => id)
    const versions = await store.listVersions(on, { planIds, now, newest: NEWEST_VERSIONS })
    const byPlan = Map.groupBy(versions, ({ pricePlanId }) => pricePlanId)
    return plans.map((plan) => presentPlan(plan, byPlan.get(plan.id) ?? [], { serviceFeePercent, now }))
  }

  /** Stores a version, of a new plan or of a known one. */
  const create = async (tx: Transaction, { body, caller, now }: CreateRequest) => {
    const effectiveAt = body.effective_at === undefined ? now : new Date(body.effective_at)
    if (effectiveAt < now)
      return refuse('invalid_request', [
        { field: 'effective_at', reason: 'invalid_value', expected: 'a time that is not in the past' },
      ])
    const { name, price_plan_id: knownId } = body
    const id = knownId ?? newId('pricePlan')
    if (knownId === undefined) await store.insertPlan(tx, { id, name, now })
    const plan = await store.lockAndRename(tx, { id, name })
    if (plan === null) return refuse('resource_not_found')
    await store.insertVersion(tx, {
      id: newId('pricePlanVersion'),
      planId: id,
      rules: JSON.stringify(body.rules),
      disputeFeeCents: body.dispute_fee_cents ?? null,
      payoutFeeCents: body.payout_fee_cents ?? null,
      partnerFeeMaxPercent: body.partner_fee_max_percent,
      useKybChoices: body.use_kyb_choices,
      settlement: body.settlement,
      effectiveAt,
      createdBy: caller.actor,
      now,
    })
    const [presented] = await present(tx, [plan], now)
    if (!presented) throw new Error('A stored price plan is not presented')
    return reply({ price_plan: presented })
  }

  /** The newest assignment of a partner or a merchant; null: none. */
  const findAssigned = async (subjectId: string) => {
    const known = await store.findAssignment(db, { subjectId })
    return known && { price_plan_id: known.pricePlanId, assigned_at: known.createdAt.toISOString() }
  }

  /** Assigns a plan; the same plan once more changes nothing. */
  const assign = async ({ subjectId, planId, createdBy, now }: Assignment) => {
    if (planId !== null && (await store.findPlan(db, { id: planId })) === null)
      return refuse('resource_not_found')
    const known = await store.findAssignment(db, { subjectId })
    const isKnown = known?.pricePlanId === planId
    if (!isKnown) await store.insertAssignment(db, { subjectId, planId, createdBy, now })
    return reply({ price_plan_id: planId, assigned_at: (isKnown ? known.createdAt : now).toISOString() })
  }

  return implement(pricePlans, {
    create: (request) => withStaffKey(db, pricePlans.create, request, (tx) => create(tx, request)),

    async list({ query: { cursor, limit }, now }) {
      const list = keysetList(cursors, { name: 'price-plans', order: OLDEST_FIRST })
      const from = list.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const rows = await store.listPlans(db, { afterAt: from.at, afterId: from.id, limit })
      const { items, nextCursor } = list.page({
        rows,
        limit,
        present: (row) => row,
        positionOf: (row) => ({ at: row.createdAt, id: row.id }),
        continuesWhenFull: true,
      })
      return reply({ price_plans: await present(db, items, now), next_cursor: nextCursor })
    },

    async getOfPartner({ params: { partnerId } }) {
      const found = await findAssigned(partnerId)
      return reply({ assignment: found && { partner_id: partnerId, customer_id: null, ...found } })
    },

    async getOfMerchant({ params: { customerId } }) {
      const found = await findAssigned(customerId)
      return reply({ assignment: found && { partner_id: null, customer_id: customerId, ...found } })
    },

    async listPayoutFees({ body: { partner_customer_ids: partnerCustomerIds }, now }) {
      const rows = await store.listPayoutFees(db, { partnerCustomerIds, now })
      return reply({
        payout_fees: rows.map((row) => ({
          partner_customer_id: row.partnerCustomerId,
          payout_fee_cents: row.payoutFeeCents,
        })),
      })
    },

    async assignToPartner({ params: { partnerId }, body, caller, now }) {
      const assigned = { subjectId: partnerId, planId: body.price_plan_id, createdBy: caller.actor, now }
      const outcome = await assign(assigned)
      if (!outcome.ok) return outcome
      return reply({ assignment: { partner_id: partnerId, customer_id: null, ...outcome.value } })
    },

    async assignToMerchant({ params: { customerId }, body, caller, now }) {
      const assigned = { subjectId: customerId, planId: body.price_plan_id, createdBy: caller.actor, now }
      const outcome = await assign(assigned)
      if (!outcome.ok) return outcome
      return reply({ assignment: { partner_id: null, customer_id: customerId, ...outcome.value } })
    },
  })
}
