import {
  implement,
  refuse,
  reply,
  type Db,
  type Implementation,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { payoutSchedule, type GivenSchedule } from '@causeway/contracts'
import type { Relationships } from '../relationships/relationships.ts'
import { nextDue } from './due.ts'
import { presentWithNext } from './schedule.ts'
import * as store from './store.ts'

type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>
type Body = OperationRequest<typeof payoutSchedule.set>['body']

/** Returns the refusal of destinations that are not this customer's, not of the unit, or no longer usable; or null. */
const refuseDestinations = async (tx: Transaction, customer: Customer, { schedules }: Body) => {
  const named = schedules.flatMap(({ payout_wallet_id: id }) => id ?? [])
  const rows = await store.listDestinations(tx, { ...customer, payoutWalletIds: named })
  const destinations = new Map(rows.map((row) => [row.payoutWalletId, row]))
  if (named.some((id) => !destinations.has(id))) return refuse('resource_not_found')
  for (const [index, { unit, payout_wallet_id: id }] of schedules.entries()) {
    const destination = id === null ? undefined : destinations.get(id)
    if (destination === undefined) continue
    if (destination.unit !== unit)
      return refuse('invalid_request', [
        { field: `schedules.${index}.unit`, reason: 'invalid_value', expected: destination.unit },
      ])
    if (destination.unusable !== null)
      return refuse('invalid_state', [{ payout_wallet_status: destination.unusable }])
  }
  return null
}

type Dependencies = Readonly<{ db: Db; relationships: Relationships; cutOffMs: number }>

/** `ledger.payout-schedule` (decisions §48, §49). @param cutOffMs time of day at which schedules are due */
export const payoutScheduleOperations = ({ db, relationships, cutOffMs }: Dependencies): Implementation[] => {
  const stored = (given: GivenSchedule, now: Date) => {
    const { unit, interval, weekday = null, day = null, minimum_amount: minimum } = given
    return {
      ...{ unit, interval, weekday, minimum, payout_wallet_id: given.payout_wallet_id },
      day: day === null ? null : String(day),
      due_at: nextDue({ interval, weekday, day }, cutOffMs, now)?.toISOString() ?? null,
    }
  }
  const set = async (
    tx: Transaction,
    customer: Customer,
    { body, now }: Readonly<{ body: Body; now: Date }>,
  ) => {
    if ((await store.lockOwner(tx, customer)) === null) return refuse('resource_not_found')
    const refusal = await refuseDestinations(tx, customer, body)
    if (refusal) return refusal
    const schedules = JSON.stringify(body.schedules.map((given) => stored(given, now)))
    await store.replace(tx, { ...customer, schedules })
    return reply({ schedules: (await store.list(tx, customer)).map(presentWithNext) })
  }

  return implement(payoutSchedule, {
    async get({ caller: { partnerId }, params: { customerId: partnerCustomerId } }) {
      const customer = { partnerId, partnerCustomerId }
      const refusal = await relationships.refuseUngranted(customer, 'payouts')
      return refusal ?? reply({ schedules: (await store.list(db.pooled, customer)).map(presentWithNext) })
    },

    async set({ caller: { partnerId }, params: { customerId: partnerCustomerId }, body, now }) {
      const customer = { partnerId, partnerCustomerId }
      const refusal = await relationships.refuseUngranted(customer, 'payouts')
      return refusal ?? db.transaction((tx) => set(tx, customer, { body, now }))
    },
  })
}
