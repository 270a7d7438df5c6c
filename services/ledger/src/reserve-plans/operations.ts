import {
  implement,
  refuse,
  reply,
  withBefore,
  type Db,
  type Implementation,
  type Transaction,
} from '@causeway/chassis'
import {
  MAX_REPORT_ENTRIES,
  reservePlans,
  type ReservePlan,
  type ReservePlanRequest,
} from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import { postBatch } from '../posting/post-facts.ts'
import { termsOf } from '../reserves/settle.ts'
import { simulatePlan } from '../reserves/simulate.ts'
import { listPlans, type PlanRow } from '../reserves/store.ts'
import * as store from './store.ts'

const BPS_OF_PERCENT = 100

const present = (merchantId: string, row: PlanRow, to: Date | null): ReservePlan => ({
  customer_id: merchantId,
  version: row.version,
  share_percent: row.shareBps === null ? null : row.shareBps / BPS_OF_PERCENT,
  days: row.days,
  fixed_cents: row.fixedCents,
  currency: row.currency,
  in_force_from: row.setAt.toISOString(),
  in_force_to: to?.toISOString() ?? null,
})

const hasTerms = ({ shareBps, fixedCents }: PlanRow): boolean => shareBps !== null || fixedCents !== null

/** The plans of a merchant, newest first: a version that only ends the one before is not a plan. */
const presentHistory = (merchantId: string, rows: readonly PlanRow[]): ReservePlan[] =>
  rows
    .flatMap((row, at) => (hasTerms(row) ? present(merchantId, row, rows[at + 1]?.setAt ?? null) : []))
    .reverse()

const currentOf = ([newest]: readonly ReservePlan[]): ReservePlan | null =>
  newest?.in_force_to === null ? newest : null

/** Reads the terms of a request. */
const rowOf = ({ share_percent, days, fixed_cents, currency }: ReservePlanRequest) => ({
  shareBps: share_percent === undefined ? null : Math.round(share_percent * BPS_OF_PERCENT),
  days: days ?? null,
  fixedCents: fixed_cents ?? null,
  currency: currency ?? null,
})

/** Answers what a plan would have held and covered. */
const simulate = async (db: Db, merchantId: string, body: ReservePlanRequest, now: Date) => {
  const terms = termsOf(rowOf(body))
  if (terms === null) throw new Error('A plan without terms')
  const found = await simulatePlan(db, merchantId, terms, now)
  if (found === null)
    return refuse('invalid_request', [
      {
        field: 'simulate',
        reason: 'too_big',
        expected: `a merchant with at most ${MAX_REPORT_ENTRIES} entries in the period`,
      },
    ])
  const { since, until, units } = found
  const simulation = {
    since: since.toISOString(),
    until: until.toISOString(),
    units: units.map(({ unit, ...amounts }) => ({
      unit,
      maximum: presentAmount(unit, amounts.maximum),
      average: presentAmount(unit, amounts.average),
      covered: presentAmount(unit, amounts.covered),
      taken: presentAmount(unit, amounts.taken),
    })),
  }
  return reply({ reserve_plan: null, simulation })
}

/** Adds a version of a plan. It locks the end of the journal, so that no reserve is settled meanwhile. */
const setPlan = async (tx: Transaction, merchantId: string, body: ReservePlanRequest, now: Date) => {
  await postBatch(tx, { postings: [] }, now)
  await store.skipEarlierEntries(tx, { merchantId })
  const row = await store.insertPlan(tx, {
    ...{ merchantId, now },
    ...rowOf(body),
  })
  if (row === null) throw new Error(`${merchantId} has no new plan`)
  return row
}

/** `ledger.reserve-plans` (decisions §52). */
export const reservePlanOperations = (db: Db): Implementation[] => {
  const refuseUnknown = async (merchantId: string) =>
    (await store.isKnown(db, { merchantId }))?.known === true ? null : refuse('resource_not_found')

  return implement(reservePlans, {
    async get({ params: { customerId } }) {
      const refusal = await refuseUnknown(customerId)
      if (refusal) return refusal
      const history = presentHistory(customerId, await listPlans(db.pooled, { merchantId: customerId }))
      const reserved = await store.listReserved(db.pooled, { merchantId: customerId })
      return reply({
        reserve_plan: currentOf(history),
        history,
        reserved: reserved.map(({ ownerId, unit, amount }) => ({
          partner_customer_id: ownerId,
          unit,
          amount: presentAmount(unit, amount),
        })),
      })
    },

    async set({ params: { customerId }, query, body, now }) {
      const refusal = await refuseUnknown(customerId)
      if (refusal) return refusal
      if (query.simulate === 'true') return simulate(db, customerId, body, now)
      return db.transaction(async (tx) => {
        const row = await setPlan(tx, customerId, body, now)
        const [, before] = presentHistory(customerId, await listPlans(tx, { merchantId: customerId }))
        const reserve_plan = present(customerId, row, null)
        return withBefore(reply({ reserve_plan, simulation: null }), { reserve_plan: before ?? null })
      })
    },

    async prepareSetting({ params: { customerId }, query }) {
      const groups = query.simulate === 'true' ? [] : (['ledger'] as const)
      return (await refuseUnknown(customerId)) ?? reply({ before: null, groups: [...groups] })
    },

    end({ params: { customerId }, now }) {
      return db.transaction(async (tx) => {
        await postBatch(tx, { postings: [] }, now)
        const rows = await listPlans(tx, { merchantId: customerId })
        const newest = rows.at(-1)
        if (newest === undefined) return refuse('resource_not_found')
        if (hasTerms(newest)) rows.push(await setPlan(tx, customerId, {}, now))
        const [ended] = presentHistory(customerId, rows)
        if (ended === undefined) throw new Error(`${customerId} has ended a plan that it never had`)
        return reply({ reserve_plan: ended })
      })
    },

    async prepareEnd({ params: { customerId } }) {
      const rows = await listPlans(db, { merchantId: customerId })
      return rows.length === 0 ? refuse('resource_not_found') : reply({ before: null, groups: ['ledger'] })
    },
  })
}
